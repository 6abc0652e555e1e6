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
    let parts = [
        put::add,
        object::add,
        delete::add,
        pod::add,
        watch::add,
        discovery::add,
        patch::add,
        json::add,
        strategic::add,
    ];
    parts.iter().fold(Suite::new("verbs"), |suite, add| add(suite))
}
