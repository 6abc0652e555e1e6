//! Area `verbs`: the methods of the API, as the API conventions describe them.
//!
//! Much of it other areas ask in their own words: update, patch, deletion and watch name the clauses of this area beside
//! theirs.

mod delete;
mod discovery;
mod grace_period;
mod json;
mod object;
mod patch;
mod put;
mod rejections;
mod strategic;
mod watch;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "verbs",
        [
            put::rows(),
            object::rows(),
            delete::rows(),
            grace_period::rows(),
            watch::rows(),
            discovery::rows(),
            patch::rows(),
            json::rows(),
            rejections::rows(),
            strategic::rows(),
        ],
    )
}
