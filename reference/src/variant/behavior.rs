//! Server behaviors of variants that no HTTP rewrite can produce.

/// A way of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Reads never come from a cache: `limit` counts at version 0, too, and nobody waits for a version to come.
    NoWatchCache,
    /// A `ConfigMap` appears in every namespace a moment after it was created.
    PublishesRootCa,
    /// Nobody empties and ends deleted namespaces but who finalizes them.
    LeavesNamespaces,
    /// A deletion is answered with the object, as it was.
    DeletionShowsObject,
    /// A deletion is answered with a Status wherever the object is gone, whatever its type.
    DeletionShowsStatus,
    /// All history but that of the last seconds is forgotten, again and again.
    ShortHistory,
    /// Objects are created in namespaces that do not exist.
    NeedsNoNamespace,
}

/// The habits of one server.
#[derive(Debug, Default)]
pub(crate) struct Behaviours(Vec<Behaviour>);

impl Behaviours {
    /// These, once or several times.
    pub(crate) fn new(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        Self(behaviours.into_iter().collect())
    }

    /// Whether it is one of them.
    pub(crate) fn has(&self, behaviour: Behaviour) -> bool {
        self.0.contains(&behaviour)
    }
}
