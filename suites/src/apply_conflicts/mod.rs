//! Area `apply-conflicts`: conflicts of server-side apply, their Status, and `force`.

mod ancient_changes;
mod conflict_detection;
mod conflict_resolution;
mod conflict_status;
mod force;
mod force_parameter;
mod migration;
mod no_conflict;
mod subresource;
mod topology;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "apply-conflicts",
        [
            conflict_detection::rows(),
            conflict_status::rows(),
            no_conflict::rows(),
            force::rows(),
            force_parameter::rows(),
            conflict_resolution::rows(),
            topology::rows(),
            migration::rows(),
            subresource::rows(),
            ancient_changes::rows(),
        ],
    )
}
