//! The invocation of a run: flags, profile and build, so that a reader can run it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The part of a recording that does not depend on the server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Invocation {
    /// Whether the run tested the embedded reference server: its command line named no target.
    pub embedded: bool,
    /// The flags given, as `--name` or `--name=value`, without credentials and without the commands of hooks.
    pub flags: Vec<String>,
    /// The profile: `basic`, `core` or `full`.
    pub profile: String,
    /// Optional features that the user declared present.
    pub features: Vec<String>,
    /// Optional features that the user declared absent.
    pub no_features: Vec<String>,
    /// Patterns of clauses and scenarios that the user skips.
    pub skip: Vec<String>,
    /// Labels that the user gave the run, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The requirement set that the run selects, and the claimed part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirements: Option<ClaimedRequirements>,
    /// SHA-256 of the file of known failures, in hexadecimal; `None` without such a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_failures_digest: Option<String>,
    /// The commit of the program, with the suffix `-dirty` if files had changed; empty if unknown.
    pub tool_commit: String,
    /// SHA-256 of all clause files, in hexadecimal.
    pub catalogue_digest: String,
}

/// The part of a requirement set that a run claims.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimedRequirements {
    /// The name of the set, such as `kubernetes-1.36`.
    pub set: String,
    /// SHA-256 of its file, in hexadecimal.
    pub digest: String,
    /// The conformance profiles.
    pub profiles: Vec<String>,
}
