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
    Suite::new(
        "managed-fields",
        [
            tracked::rows(),
            entry::rows(),
            tree::rows(),
            later::rows(),
            time::rows(),
            version::rows(),
            written::rows(),
            name::rows(),
            update::rows(),
            clear::rows(),
            reset::rows(),
            subresource::rows(),
            capped::rows(),
        ],
    )
}
