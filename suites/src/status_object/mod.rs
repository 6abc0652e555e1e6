//! Area `status-object`: what a refusal says, and what the end of an object is answered with.
//!
//! What a Status is holds of every answer of the run; what is asked here provokes those answers.

mod again;
mod always;
mod causes;
mod delete;
mod details;
mod internal;
mod limits;
mod missing;
mod outage;
mod pods;
mod reasons;
mod rights;

use harness::Suite;

pub(crate) use rights::unauthorized;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "status-object",
        [
            always::rows(),
            causes::rows(),
            missing::rows(),
            delete::rows(),
            reasons::rows(),
            again::rows(),
            details::rows(),
            rights::rows(),
            limits::rows(),
            pods::rows(),
            outage::rows(),
            internal::rows(),
        ],
    )
}
