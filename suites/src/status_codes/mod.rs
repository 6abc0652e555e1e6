//! Area `status-codes`: the HTTP status of every answer.

mod always;
mod missing;
mod pods;
mod refused;
mod rights;
mod size;
mod success;
mod time;
mod unavailable;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "status-codes",
        [
            success::rows(),
            always::rows(),
            refused::rows(),
            rights::rows(),
            missing::rows(),
            pods::rows(),
            unavailable::rows(),
            time::rows(),
            size::rows(),
        ],
    )
}
