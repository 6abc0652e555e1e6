//! Area `apply-ownership`: who owns which field, and how fields come to other owners or to an end.

mod default;
mod drop;
mod scale;
mod share;
mod topology;
mod transfer;
mod update;
mod version;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [
        share::add,
        update::add,
        default::add,
        drop::add,
        topology::add,
        transfer::add,
        version::add,
        scale::add,
    ];
    parts.iter().fold(Suite::new("apply-ownership"), |suite, add| add(suite))
}
