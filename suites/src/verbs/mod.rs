//! Area `verbs`: what the methods do to resources, as the conventions put it.
//!
//! Much of it other areas ask in their own words: update, patch, deletion and watch name the clauses of this area beside
//! theirs.

mod delete;
mod discovery;
mod json;
mod object;
mod patch;
mod pod;
mod put;
mod strategic;
mod watch;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "verbs",
        [
            put::rows(),
            object::rows(),
            delete::rows(),
            pod::rows(),
            watch::rows(),
            discovery::rows(),
            patch::rows(),
            json::rows(),
            strategic::rows(),
        ],
    )
}
