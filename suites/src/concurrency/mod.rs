//! Area `concurrency`: optimistic concurrency by `resourceVersion`, and concurrent writers.

mod delete;
mod patch;
mod race;
mod version;
mod watch;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "concurrency",
        [
            crate::update::concurrency_rows(),
            version::rows(),
            race::rows(),
            patch::rows(),
            delete::rows(),
            watch::rows(),
        ],
    )
}
