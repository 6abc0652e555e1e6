//! The certificate of a conformance run: an in-toto statement, and the same for people.

mod markdown;
mod page;
mod statement;

pub use markdown::markdown;
pub use page::page;
pub use statement::{
    CERTIFICATE_FORMAT, Certificate, CertifiedProfile, CertifiedRequirements, CertifiedRun, CertifiedServer,
    CertifiedTool, Deviation, Digest, Implementation, NotScored, PREDICATE_TYPE, STATEMENT_TYPE,
    ScenarioNote, Skipped, Statement, Subject, TestResult,
};
