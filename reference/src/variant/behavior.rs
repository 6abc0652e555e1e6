//! Server behaviors of variants that no HTTP rewrite can produce.

/// A behaviour of a conformant server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// No watch cache: `limit` also holds at version 0, and reads do not wait for future versions.
    NoWatchCache,
    /// A `ConfigMap` appears in every namespace a moment after its creation.
    PublishesRootCa,
    /// No namespace controller: deleted namespaces keep their contents until a client finalizes them.
    LeavesNamespaces,
    /// A deletion returns the deleted object.
    DeletionShowsObject,
    /// A deletion returns a Status if the object is gone, for every type.
    DeletionShowsStatus,
    /// History expires after a few seconds.
    ShortHistory,
    /// Creates succeed in namespaces that do not exist.
    NeedsNoNamespace,
}

/// The behaviours of one server.
#[derive(Debug, Default)]
pub(crate) struct Behaviours(Vec<Behaviour>);

impl Behaviours {
    pub(crate) fn new(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        Self(behaviours.into_iter().collect())
    }

    pub(crate) fn has(&self, behaviour: Behaviour) -> bool {
        self.0.contains(&behaviour)
    }
}
