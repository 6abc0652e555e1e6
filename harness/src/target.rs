//! The server under test: how to reach it, what it says of itself, and what its operator lets us do.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::version::Version;

/// What the server says of itself before the first scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// Scheme, host and port, such as `https://127.0.0.1:6443`.
    pub address: String,
    /// What `/version` says, if it names a minor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// `/version`'s `gitVersion`, or empty.
    #[serde(default)]
    pub release: String,
    /// The API groups that it serves, the core group as the empty string.
    #[serde(default)]
    pub groups: Vec<String>,
    /// The types that generic scenarios may be asked of, as far as it serves them.
    #[serde(skip)]
    pub types: Vec<Type>,
}

/// A type, as discovery tells of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Type {
    /// Group and version, as in objects: `v1`, `apps/v1`.
    pub api_version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// As in objects.
    pub kind: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// What can be asked of it.
    pub verbs: Vec<String>,
    /// The names of its subresources.
    pub subresources: Vec<String>,
    /// Whether its schema lets objects keep fields that it does not know. Known of the subject that the user names.
    pub keeps_unknown_fields: bool,
    /// Whether no discovery document lists it, so that kind and verbs are the template's word and a guess.
    pub assumed: bool,
}

impl Type {
    /// Whether it has a subresource.
    pub fn has(&self, subresource: &str) -> bool {
        self.subresources.iter().any(|known| known == subresource)
    }

    /// Whether discovery lists a verb for it.
    pub fn offers(&self, verb: &str) -> bool {
        self.verbs.iter().any(|known| known == verb)
    }
}

impl Survey {
    /// What discovery tells of a type; `None` if it is not served, or not one that was looked for.
    pub fn type_of(&self, api_version: &str, plural: &str) -> Option<&Type> {
        self.types.iter().find(|known| known.api_version == api_version && known.plural == plural)
    }

    /// Whether an API group is served.
    pub fn serves(&self, group: &str) -> bool {
        self.groups.iter().any(|known| known == group)
    }
}

/// An action of the server's operator, for example to compact the store; `Err` says why it failed.
pub type Hook = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// The hooks that the operator gave, by name.
#[derive(Clone, Default)]
pub struct Hooks(BTreeMap<String, Hook>);

impl Hooks {
    /// The names that scenarios use.
    pub const NAMES: [&'static str; 4] = ["compact", "break-store", "mend-store", "shutdown"];

    /// Adds a hook.
    pub fn insert(&mut self, name: &str, hook: Hook) {
        self.0.insert(name.to_owned(), hook);
    }

    /// The hook of that name, if there is one.
    pub fn get(&self, name: &str) -> Option<&Hook> {
        self.0.get(name)
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
