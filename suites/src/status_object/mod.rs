//! Area `status-object`: the kind Status.
//!
//! What a Status is holds of every answer of the run; what is asked here provokes those answers.

mod authorization;
mod causes;
mod delete;
mod details;
mod internal_errors;
mod invariants;
mod limits;
mod not_found;
mod outage;
mod permanent_errors;
mod pods;
mod reasons;

pub(crate) use authorization::unauthorized;

suite![
    "status-object",
    invariants,
    causes,
    not_found,
    delete,
    reasons,
    permanent_errors,
    details,
    authorization,
    limits,
    pods,
    outage,
    internal_errors
];
