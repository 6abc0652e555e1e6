//! Fault tables, one per area of the catalogue.
#![allow(clippy::enum_glob_use, reason = "a row reads like a sentence without `When::` and `Edit::`")]

mod admission_policies;
mod apply_conflicts;
mod apply_merge;
mod apply_ownership;
mod apply_requests;
mod apply_sequences;
mod bookmarks;
mod bugs;
mod cel;
mod client_libraries;
mod collections;
mod compression;
mod concurrency;
mod deletion;
mod deprecation;
mod discovery;
mod dry_run;
mod field_managers;
mod field_validation;
mod gone;
mod health;
mod history;
mod idempotency;
mod kinds;
mod managed_entries;
mod managed_fields;
mod managed_fields_requests;
mod metadata;
mod migrated_fields;
mod openapi_documents;
mod pagination;
mod patch;
mod patch_apply;
mod removed_apis;
mod replicas;
mod representations;
mod resource_uris;
mod resource_version;
mod resource_version_watch;
mod rewrite;
mod schema_conventions;
mod selectors;
mod sequences;
mod serialization;
mod single_resource;
mod spec_status;
mod status_codes;
mod status_object;
mod streaming_list;
mod streaming_subresources;
mod streams;
mod tables;
mod update;
mod validation;
mod verbs;
mod watch;
mod watch_shard;

pub use bugs::bugs;

use crate::fault::{Edit, Edit::*, Fault, When, When::*};

/// Requests for a specific version.
const AT_A_VERSION: When = Matches(|request| !matches!(request.parameter("resourceVersion"), "" | "0"));
/// No server reaches this version during a scenario.
const AT_FUTURE_VERSION: When = Matches(|request| {
    request.parameter("resourceVersion").parse().is_ok_and(|version: u64| version > 1_000_000)
});
/// Watches start at the newest version and ignore the requested one.
const FROM_NOW: &[Edit] = &[
    DropParameter("resourceVersion"),
    SetParameter("resourceVersionMatch", "NotOlderThan"),
    SetParameter("sendInitialEvents", "false"),
];

/// The faults by area.
const TABLES: &[&[Fault]] = &[
    resource_version::FAULTS,
    resource_version_watch::FAULTS,
    gone::FAULTS,
    pagination::FAULTS,
    watch::FAULTS,
    watch_shard::FAULTS,
    bookmarks::FAULTS,
    streaming_list::FAULTS,
    streams::FAULTS,
    history::FAULTS,
    replicas::FAULTS,
    collections::FAULTS,
    single_resource::FAULTS,
    resource_uris::FAULTS,
    update::FAULTS,
    patch::FAULTS,
    patch_apply::FAULTS,
    dry_run::FAULTS,
    field_validation::FAULTS,
    deletion::FAULTS,
    idempotency::FAULTS,
    concurrency::FAULTS,
    sequences::FAULTS,
    apply_merge::FAULTS,
    managed_fields::FAULTS,
    managed_fields_requests::FAULTS,
    apply_requests::FAULTS,
    apply_ownership::FAULTS,
    apply_conflicts::FAULTS,
    apply_sequences::FAULTS,
    kinds::FAULTS,
    metadata::FAULTS,
    selectors::FAULTS,
    spec_status::FAULTS,
    verbs::FAULTS,
    validation::FAULTS,
    tables::FAULTS,
    representations::FAULTS,
    serialization::FAULTS,
    compression::FAULTS,
    status_codes::FAULTS,
    status_object::FAULTS,
    health::FAULTS,
    discovery::FAULTS,
    openapi_documents::FAULTS,
    deprecation::FAULTS,
    removed_apis::FAULTS,
    migrated_fields::FAULTS,
    schema_conventions::FAULTS,
    streaming_subresources::FAULTS,
    client_libraries::FAULTS,
    admission_policies::FAULTS,
];

/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    TABLES.iter().chain(cel::TABLES).copied().flatten()
}

/// Features that a server needs to expose a fault. A server without them can pass, although exchanges change.
const NEEDS: &[(&str, &str)] = &[
    ("deletion-orphan-releases-dependents", "a garbage collector"),
    ("deletion-unsafe-option-defaults-off", "deletion by force"),
];

/// The feature that a server needs to expose a fault.
pub fn needs(fault: &Fault) -> Option<&'static str> {
    NEEDS.iter().find(|(name, _)| *name == fault.name).map(|(_, what)| *what)
}
