//! Area `apply-conflicts`: conflicts of server-side apply, their Status, and `force`.

mod ancient_changes;
mod conflict_detection;
mod conflict_resolution;
mod conflict_status;
mod force;
mod force_parameter;
mod migration;
mod no_conflict;
mod subresource;
mod topology;

suite![
    "apply-conflicts",
    conflict_detection,
    conflict_status,
    no_conflict,
    force,
    force_parameter,
    conflict_resolution,
    topology,
    migration,
    subresource,
    ancient_changes
];
