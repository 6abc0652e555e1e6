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
    let parts = [
        always::add,
        causes::add,
        missing::add,
        delete::add,
        reasons::add,
        again::add,
        details::add,
        rights::add,
        limits::add,
        pods::add,
        outage::add,
        internal::add,
    ];
    parts.iter().fold(Suite::new("status-object"), |suite, add| add(suite))
}
