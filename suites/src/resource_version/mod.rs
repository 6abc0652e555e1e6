//! Area `resource-version`: what a resourceVersion is, and what it means on get, list and watch.

use harness::Suite;

mod list;
mod unavailable;
mod watch;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let suite = Suite::new("resource-version");
    [list::add, watch::add, unavailable::add].into_iter().fold(suite, |suite, add| add(suite))
}
