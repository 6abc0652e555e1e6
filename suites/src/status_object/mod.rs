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

use harness::Suite;

pub(crate) use authorization::unauthorized;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "status-object",
        [
            invariants::rows(),
            causes::rows(),
            not_found::rows(),
            delete::rows(),
            reasons::rows(),
            permanent_errors::rows(),
            details::rows(),
            authorization::rows(),
            limits::rows(),
            pods::rows(),
            outage::rows(),
            internal_errors::rows(),
        ],
    )
}
