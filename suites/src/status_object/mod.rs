//! Area `status-object`: the kind Status.
//!
//! Invariant checks judge every Status of the run; the scenarios send requests whose responses are a Status.

mod authorization;
mod causes;
mod delete;
mod details;
mod internal_errors;
mod invariants;
mod limits;
mod not_found;
mod outage;
mod pods;
mod reasons;
mod rejections;

pub(crate) use authorization::unauthorized;

suite![
    "status-object",
    invariants,
    causes,
    not_found,
    delete,
    reasons,
    rejections,
    details,
    authorization,
    limits,
    pods,
    outage,
    internal_errors
];
