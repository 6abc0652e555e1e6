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
    Suite::new(
        "apply-ownership",
        [
            share::rows(),
            update::rows(),
            default::rows(),
            drop::rows(),
            topology::rows(),
            transfer::rows(),
            version::rows(),
            scale::rows(),
        ],
    )
}
