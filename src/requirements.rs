//! Requirement sets: what a release of Kubernetes requires, frozen, so that a certificate says the same for ever.

mod claim;
#[cfg(test)]
mod written;

use std::collections::BTreeMap;

use harness::{Clause, Level, Version};
use serde::{Deserialize, Serialize};

pub(crate) use claim::Claim;

use crate::digest::sha256;

/// The clauses of one Kubernetes minor, as a file of `suites/requirements` has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequirementSet {
    /// Such as `kubernetes-1.36`: also the name of its file.
    pub(crate) name: String,
    /// The Kubernetes minor.
    pub(crate) release: Version,
    /// The conformance profiles, of which each clause has one.
    pub(crate) profile: Vec<ConformanceProfile>,
    /// By clause id.
    pub(crate) clauses: BTreeMap<String, Requirement>,
    /// SHA-256 of the file.
    #[serde(skip)]
    pub(crate) digest: String,
}

/// A part of a set that a server can claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConformanceProfile {
    /// Such as `apply`.
    pub(crate) name: String,
    /// What its clauses are about.
    pub(crate) description: String,
    /// The optional features that a claim includes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) requires: Vec<String>,
    /// Whether only a claim by name includes it: no server must have it, or nothing tests it yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) optional: bool,
    /// The API group that shows that a server has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
}

/// A clause in a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requirement {
    /// Its level.
    pub(crate) level: Level,
    /// Its conformance profile.
    pub(crate) profile: String,
    /// The revision of its scenarios; 0 if it had none when the set was released: then it is not scored.
    pub(crate) revision: u32,
    /// What [`digest_of`] gives.
    pub(crate) digest: String,
}

impl RequirementSet {
    /// All sets of this program, the oldest first.
    pub(crate) fn all() -> Vec<Self> {
        suites::requirement_files().filter_map(|text| Self::parse(&text).ok()).collect()
    }

    /// The set with this name; the error names all sets.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        // Only this one is parsed: each has thousands of lines.
        let line = format!("\nname = {name:?}\n");
        let found = suites::requirement_files().find(|text| text.contains(&line));
        found.and_then(|text| Self::parse(&text).ok()).ok_or_else(|| {
            let names: Vec<String> = Self::all().into_iter().map(|set| set.name).collect();
            format!("there is no requirement set {name:?}; hint: give one of {}", names.join(", "))
        })
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        Ok(Self { digest: sha256([text]), ..toml::from_str(text)? })
    }

    /// Whether a clause counts for a certificate: it is as it was when the set was released, and had a scenario then.
    pub(crate) fn scores(&self, clause: &Clause) -> bool {
        let requirement = self.clauses.get(clause.id.as_str());
        requirement.is_some_and(|known| {
            known.revision == clause.revision && known.digest == digest_of(clause, clause.revision)
        })
    }
}

/// The first half of the SHA-256 of a clause's level, its statement and the revision of its scenarios.
fn digest_of(clause: &Clause, revision: u32) -> String {
    let mut digest = sha256([format!("{}\n{}\n{revision}\n", clause.level, clause.statement)]);
    digest.truncate(32);
    digest
}
