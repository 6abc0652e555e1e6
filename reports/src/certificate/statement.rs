//! The statement: in-toto's fields with its names, and ours beside them.

use jiff::Timestamp;
use model::{Clause, Counts, Level};
use serde::{Deserialize, Serialize};

/// The version of [`Certificate`]; a reader refuses any other.
pub const CERTIFICATE_FORMAT: u32 = 1;

/// The type of an in-toto statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// The type of its predicate.
pub const PREDICATE_TYPE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// An in-toto statement about the evidence of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// [`STATEMENT_TYPE`].
    #[serde(rename = "_type")]
    pub kind: String,
    /// The evidence.
    pub subject: Vec<Subject>,
    /// [`PREDICATE_TYPE`].
    pub predicate_type: String,
    /// What it says.
    pub predicate: TestResult,
}

/// A file by its name and its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The name of the file.
    pub name: String,
    /// Its digest.
    pub digest: Digest,
}

/// A digest by the name of its algorithm, as in-toto has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// SHA-256, in hexadecimal.
    pub sha256: String,
}

impl Subject {
    /// A file with this SHA-256.
    pub fn new(name: &str, sha256: &str) -> Self {
        Self { name: name.to_owned(), digest: Digest { sha256: sha256.to_owned() } }
    }
}

/// The predicate: a test result, <https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md>.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestResult {
    /// `PASSED`, or `WARNED` if a `should` clause failed.
    pub result: String,
    /// The requirement set and the program.
    pub configuration: Vec<Subject>,
    /// The clauses that passed.
    pub passed_tests: Vec<String>,
    /// The `should` clauses that failed.
    pub warned_tests: Vec<String>,
    /// The `must` clauses that failed: none.
    pub failed_tests: Vec<String>,
    /// Our fields.
    #[serde(rename = "kube_assay")]
    pub certificate: Certificate,
}

/// What a certificate says, besides the fields of in-toto.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// [`CERTIFICATE_FORMAT`].
    pub format: u32,
    /// The conclusion of the run, over all clauses that it selected.
    pub conclusion: String,
    /// What the signer says about the server.
    pub implementation: Implementation,
    /// What the server says about itself.
    pub server: CertifiedServer,
    /// The claim.
    pub requirements: CertifiedRequirements,
    /// The program that recorded the run.
    pub tool: CertifiedTool,
    /// The run.
    pub run: CertifiedRun,
    /// The scored clauses by verdict.
    pub counts: Counts,
    /// The `may` clauses that the server does not support.
    pub not_supported: Vec<String>,
    /// The clauses without a verdict, each with the reason.
    pub skipped: Vec<Skipped>,
    /// The clauses whose verdicts do not count.
    pub not_scored: Vec<NotScored>,
    /// The clauses whose text the released kube-apiserver does not follow: a server that does either passes.
    pub deviations: Vec<Deviation>,
    /// What scenarios noted.
    pub notes: Vec<ScenarioNote>,
}

/// The implementation, as in gateway-api's `ConformanceReport`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Who makes it.
    pub organization: String,
    /// Its name.
    pub project: String,
    /// Where it is published.
    pub url: String,
    /// The tested version.
    pub version: String,
    /// Whom to ask: names of accounts, or URLs.
    pub contact: Vec<String>,
}

/// The server under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedServer {
    /// Scheme, host and port.
    pub address: String,
    /// The addresses of the other servers of its control plane.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<String>,
    /// `gitVersion` of /version; may be empty.
    pub release: String,
    /// The API groups that it serves, the core group as the empty string.
    pub groups: Vec<String>,
    /// SHA-256 of its discovery documents.
    pub discovery_sha256: String,
    /// SHA-256 of its index of `OpenAPI` documents, which has their hashes; `None` if it has none.
    pub openapi_sha256: Option<String>,
    /// What it shows and the claim does not say.
    pub contradictions: Vec<String>,
}

/// The claimed part of a requirement set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedRequirements {
    /// The name of the set.
    pub set: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// The claimed conformance profiles.
    pub profiles: Vec<CertifiedProfile>,
}

/// A claimed conformance profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedProfile {
    /// Its name.
    pub name: String,
    /// The features that it requires.
    pub requires: Vec<String>,
    /// Its scored `must` clauses by verdict.
    pub must: Counts,
}

/// The program that recorded the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedTool {
    /// Name and version.
    pub version: String,
    /// The commit of the build; empty if unknown.
    pub commit: String,
    /// SHA-256 of the binary; empty if unknown.
    pub sha256: String,
    /// SHA-256 of its clause files.
    pub catalogue_sha256: String,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedRun {
    /// Its id.
    pub id: String,
    /// Its seed.
    pub seed: u64,
    /// Its flags, without credentials.
    pub flags: Vec<String>,
    /// Its extent: `core` or `full`.
    pub profile: String,
    /// The first event.
    pub started: Timestamp,
    /// The last event.
    pub finished: Timestamp,
    /// The number of scenarios that ran.
    pub scenarios: usize,
    /// The number of recorded exchanges.
    pub exchanges: usize,
}

/// A clause without a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its id.
    pub clause: String,
    /// Its level.
    pub level: Level,
    /// Why no scenario tested it.
    pub reason: String,
}

/// A clause whose verdict does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotScored {
    /// Its id.
    pub clause: String,
    /// Its verdict.
    pub verdict: String,
}

/// A known deviation of the released kube-apiserver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// The clause.
    pub clause: String,
    /// What kube-apiserver does.
    pub behaviour: String,
}

impl Deviation {
    /// The deviation of a clause; `None` if there is none.
    pub fn of(clause: &Clause) -> Option<Self> {
        let behaviour = clause.deviation()?.to_owned();
        Some(Self { clause: clause.id.to_string(), behaviour })
    }
}

/// What a scenario noted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioNote {
    /// Its id.
    pub scenario: String,
    /// The note.
    pub note: String,
}
