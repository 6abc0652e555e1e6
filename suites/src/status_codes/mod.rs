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
    let parts = [
        success::add,
        always::add,
        refused::add,
        rights::add,
        missing::add,
        pods::add,
        unavailable::add,
        time::add,
        size::add,
    ];
    parts.iter().fold(Suite::new("status-codes"), |suite, add| add(suite))
}
