//! Area `managed-fields`: the records of who owns which fields of an object.
//!
//! What these records are for, conflicts and merges, stands with the areas `apply-…`.

mod capped;
mod clear;
mod entry;
mod later;
mod name;
mod reset;
mod subresource;
mod time;
mod tracked;
mod tree;
mod update;
mod version;
mod way;
mod written;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [
        tracked::add,
        entry::add,
        tree::add,
        later::add,
        time::add,
        version::add,
        written::add,
        name::add,
        update::add,
        clear::add,
        reset::add,
        subresource::add,
        capped::add,
    ];
    parts.iter().fold(Suite::new("managed-fields"), |suite, add| add(suite))
}
