//! Area `concurrency`: optimistic concurrency by `resourceVersion`, and concurrent writers.

mod delete;
mod patch;
mod race;
mod version;
mod watch;

pub(crate) fn suite() -> harness::Suite {
    let own = [version::rows(), race::rows(), patch::rows(), delete::rows(), watch::rows()];
    harness::Suite::new("concurrency", [crate::update::concurrency_rows()].into_iter().chain(own))
}
