//! Area `apply-ownership`: field ownership, and how it moves between managers.

mod defaulted_fields;
mod removed_fields;
mod scale;
mod shared_fields;
mod topology;
mod transfer;
mod update;
mod version;

suite![
    "apply-ownership",
    shared_fields,
    update,
    defaulted_fields,
    removed_fields,
    topology,
    transfer,
    version,
    scale
];
