//! Target info: the version, groups and types that a server reports.

use serde::{Deserialize, Serialize};

use crate::outcome::TestError;
use crate::version::Version;

/// The server's description of itself, before the first scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetInfo {
    /// Scheme, host and port, such as `https://127.0.0.1:6443`.
    pub address: String,
    /// The addresses of the other servers of the same control plane that the run uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<String>,
    /// The version in `/version`, if it has a minor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// `/version`'s `gitVersion`, or empty.
    #[serde(default)]
    pub release: String,
    /// The UID of the namespace `kube-system`, which identifies a cluster; `None` if it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// The API groups that it serves, the core group as the empty string.
    #[serde(default)]
    pub groups: Vec<String>,
    /// The types that generic scenarios may run on, as far as the server has them.
    #[serde(skip)]
    pub types: Vec<Type>,
}

/// A type in discovery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Type {
    /// Group and version, as in objects: `v1`, `apps/v1`.
    pub api_version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// The kind, as in objects.
    pub kind: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The verbs that discovery lists.
    pub verbs: Vec<String>,
    /// The names of its subresources.
    pub subresources: Vec<String>,
    /// Whether its schema preserves unknown fields. Known only for the subject that the user names.
    pub keeps_unknown_fields: bool,
    /// Whether no discovery document lists it: its kind is then the template's, its verbs are a guess.
    pub assumed: bool,
}

/// Whether a group belongs to Kubernetes.
pub fn is_of_the_project(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
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
    /// The type in discovery; `None` if the server does not serve it, or discovery did not look for it.
    pub fn type_of(&self, api_version: &str, plural: &str) -> Option<&Type> {
        self.types.iter().find(|known| known.api_version == api_version && known.plural == plural)
    }

    /// The number of its replicas in words, behind an address; empty without one.
    pub fn and_replicas(&self) -> String {
        match self.replicas.len() {
            0 => String::new(),
            1 => " and 1 replica".to_owned(),
            several => format!(" and {several} replicas"),
        }
    }

    /// Whether an API group is served.
    pub fn serves(&self, group: &str) -> bool {
        self.groups.iter().any(|known| known == group)
    }

    /// Adds a hint at `--subject`, if the server cannot create namespaces.
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

    /// Whether the server can create namespaces; if not, a path may have any namespace.
    pub fn has_namespaces(&self) -> bool {
        self.type_of("v1", "namespaces").is_some_and(|found| found.offers("create"))
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_the_project;

    #[test]
    fn groups_of_the_project_have_no_dot_or_its_suffix() {
        assert!(["", "apps", "storage.k8s.io"].iter().all(|group| is_of_the_project(group)));
        assert!(!["example.com", "cluster.x-k8s.io"].iter().any(|group| is_of_the_project(group)));
    }
}
