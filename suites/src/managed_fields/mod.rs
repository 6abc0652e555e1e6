//! Area `managed-fields`: `metadata.managedFields`.
//!
//! The areas `apply-…` are about conflicts and merges.

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

suite![
    "managed-fields",
    tracking,
    entry,
    fields_v1,
    entry_merging,
    time,
    version,
    client_entries,
    manager_name,
    update,
    clear,
    reset,
    subresource,
    size_limits
];
