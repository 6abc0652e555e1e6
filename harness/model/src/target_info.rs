//! Target info: the version, groups and types that a server shows.

use serde::{Deserialize, Serialize};

use crate::outcome::TestError;
use crate::version::Version;

/// What the server says of itself before the first scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetInfo {
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

impl TargetInfo {
    /// What discovery tells of a type; `None` if it is not served, or not one that was looked for.
    pub fn type_of(&self, api_version: &str, plural: &str) -> Option<&Type> {
        self.types.iter().find(|known| known.api_version == api_version && known.plural == plural)
    }

    /// Whether an API group is served.
    pub fn serves(&self, group: &str) -> bool {
        self.groups.iter().any(|known| known == group)
    }

    /// Adds what a user can do about a server on which no namespace can be created.
    pub fn hint_subject(&self, test_error: TestError) -> TestError {
        if self.has_namespaces() {
            return test_error;
        }
        let groups: Vec<&str> =
            self.groups.iter().map(String::as_str).filter(|group| !group.is_empty()).collect();
        let there = if groups.is_empty() { String::new() } else { format!(" of {}", groups.join(", ")) };
        test_error.hint(format!(
            "give --subject GROUP/VERSION/RESOURCE and --template for a type{there}, or --read-only"
        ))
    }

    /// Whether namespaces can be created: where they cannot, any name may stand in a path.
    pub fn has_namespaces(&self) -> bool {
        self.type_of("v1", "namespaces").is_some_and(|found| found.offers("create"))
    }
}
