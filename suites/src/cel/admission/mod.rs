//! Area `admission-policies`: what validating admission policies deny, warn about and admit.
//!
//! Most clauses are rows of `suites/cel/admission-policies.toml`. Every policy is for the `ConfigMaps` of its own label in the
//! scenario's namespaces, and most requests are dry runs.

mod attempt;
mod expectation;
mod match_constraints;
mod param;
mod policies;
mod row;
mod written;

pub(super) use row::AdmissionRow;

/// The scenarios that are no rows of the table.
pub(super) fn rows() -> Vec<harness::Row> {
    [written::rows(), match_constraints::rows()].concat()
}
