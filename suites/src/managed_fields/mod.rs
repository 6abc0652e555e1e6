//! Area `managed-fields`: `metadata.managedFields`.
//!
//! What these records are for, conflicts and merges, stands with the areas `apply-…`.

mod clear;
mod client_entries;
mod entry;
mod entry_merging;
mod fields_v1;
mod manager_name;
mod reset;
mod size_limits;
mod subresource;
mod time;
mod tracking;
mod update;
mod version;
mod write_method;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "managed-fields",
        [
            tracking::rows(),
            entry::rows(),
            fields_v1::rows(),
            entry_merging::rows(),
            time::rows(),
            version::rows(),
            client_entries::rows(),
            manager_name::rows(),
            update::rows(),
            clear::rows(),
            reset::rows(),
            subresource::rows(),
            size_limits::rows(),
        ],
    )
}
