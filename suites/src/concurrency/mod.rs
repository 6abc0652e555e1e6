//! Area `concurrency`: who writes on what premise, and what becomes of writers that do not know of each other.

mod delete;
mod patch;
mod race;
mod version;
mod watch;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts =
        [crate::update::add_to_concurrency, version::add, race::add, patch::add, delete::add, watch::add];
    parts.iter().fold(Suite::new("concurrency"), |suite, add| add(suite))
}
