//! Hooks: commands of the server's operator that compact, break or mend the store, or stop a server.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

/// A command of the server's operator, for example to compact the store; `Err` is the reason for its failure.
pub type Hook = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// The hooks of the operator, by name.
#[derive(Clone, Default)]
pub struct Hooks(BTreeMap<String, Hook>);

impl Hooks {
    /// The names that scenarios use.
    pub const NAMES: [&'static str; 6] =
        ["compact", "break-store", "mend-store", "stop-replica", "start-replica", "shutdown"];

    /// The hooks that damage the server, each with the one that mends it.
    pub(crate) const MENDED_BY: [(&'static str, &'static str); 2] =
        [("break-store", "mend-store"), ("stop-replica", "start-replica")];

    /// Adds a hook.
    pub fn insert(&mut self, name: &str, hook: Hook) {
        self.0.insert(name.to_owned(), hook);
    }

    /// Changes each hook.
    pub fn map(self, mut change: impl FnMut(&str, Hook) -> Hook) -> Self {
        let changed = self.0.into_iter().map(|(name, hook)| {
            let hook = change(&name, hook);
            (name, hook)
        });
        Self(changed.collect())
    }

    /// The names of the hooks that there are.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The hook with this name.
    pub fn get(&self, name: &str) -> Option<&Hook> {
        self.0.get(name)
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
