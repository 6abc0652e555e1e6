//! Area `status-codes`: the HTTP status code of every response.

mod authorization;
mod client_errors;
mod invariants;
mod not_found;
mod pods;
mod request_size;
mod success;
mod timeout;
mod unavailable;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "status-codes",
        [
            success::rows(),
            invariants::rows(),
            client_errors::rows(),
            authorization::rows(),
            not_found::rows(),
            pods::rows(),
            unavailable::rows(),
            timeout::rows(),
            request_size::rows(),
        ],
    )
}
