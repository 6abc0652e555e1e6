//! The catalogue of clauses, and the scenarios that test them.
//!
//! An area is one file of clauses (`clauses/<area>.toml`), one file or folder of scenarios (`src/<area>`) and one line in
//! [`all`]. A clause holds all data about a rule; a scenario names its clause and tests it.

pub use harness::tested_clauses;
pub use removed_apis::{ApiLifecycle, ApiReplacement, NEWEST_RELEASE, api_lifecycles};
use std::io::Read;

use flate2::read::ZlibDecoder;
use harness::{Area, Catalogue, Suite};

#[macro_use]
mod scenario;

mod access_review;
mod api_resources;
mod apply_conflicts;
mod apply_fixture;
mod apply_merge;
mod apply_ownership;
mod apply_requests;
mod apply_sequences;
mod apply_table;
mod bookmarks;
mod cbor;
mod cel;
mod client_libraries;
mod clock;
mod closed_schema;
mod collections;
mod compression;
mod concurrency;
mod definitions;
mod deletion;
mod deployments;
mod deprecation;
mod discovery;
mod dry_run;
mod error_response;
mod field_validation;
mod fields;
mod finalizers;
mod flags;
mod generations;
mod gone;
mod health;
mod history;
mod idempotency;
mod invalid_requests;
mod kinds;
mod known_validation;
mod limit_support;
mod managed_fields;
mod metadata;
mod metrics;
mod migrated_fields;
mod missing_namespace;
mod names;
mod object_fixture;
mod object_responses;
mod openapi;
mod openapi_documents;
mod pagination;
mod patch;
mod patch_types;
mod pods;
mod prelude;
pub mod probes;
mod random;
mod rejections;
mod removed_apis;
mod replicas;
mod representations;
mod resource_uris;
mod resource_version;
mod response_objects;
mod restricted_user;
mod schema_conventions;
mod selectors;
mod sequences;
mod serialization;
mod shard;
mod single_resource;
mod spec_status;
mod status_codes;
mod status_object;
mod streaming_list;
mod streaming_subresources;
mod streams;
mod string_map;
mod tables;
mod unchanged_object;
mod unprivileged_user;
mod update;
mod validation;
mod verbs;
mod warning;
mod watch;

/// The suites, in the order of the catalogue.
pub fn all() -> Vec<Suite> {
    let suites = vec![
        resource_version::suite(),
        gone::suite(),
        pagination::suite(),
        watch::suite(),
        bookmarks::suite(),
        streaming_list::suite(),
        streams::suite(),
        history::suite(),
        replicas::suite(),
        collections::suite(),
        single_resource::suite(),
        resource_uris::suite(),
        update::suite(),
        patch::suite(),
        dry_run::suite(),
        field_validation::suite(),
        deletion::suite(),
        idempotency::suite(),
        concurrency::suite(),
        sequences::suite(),
        apply_requests::suite(),
        apply_ownership::suite(),
        apply_conflicts::suite(),
        apply_merge::suite(),
        managed_fields::suite(),
        apply_sequences::suite(),
        kinds::suite(),
        metadata::suite(),
        selectors::suite(),
        spec_status::suite(),
        verbs::suite(),
        validation::suite(),
        tables::suite(),
        representations::suite(),
        serialization::suite(),
        compression::suite(),
        status_codes::suite(),
        status_object::suite(),
        health::suite(),
        discovery::suite(),
        openapi_documents::suite(),
        deprecation::suite(),
        removed_apis::suite(),
        migrated_fields::suite(),
        schema_conventions::suite(),
        streaming_subresources::suite(),
        client_libraries::suite(),
    ];
    suites.into_iter().chain(cel::suites()).map(probes::mark).collect()
}

/// Embeds the clauses of each area, in the order of the specification. `build.rs` compresses them.
macro_rules! areas {
    ($($area:literal)*) => {
        &[$(($area, include_bytes!(concat!(env!("OUT_DIR"), "/clauses/", $area)))),*]
    };
}

#[rustfmt::skip]
const AREAS: &[(&str, &[u8])] = areas! {
    // Reading: versions, expiry, pages, watches, forms of responses.
    "resource-version" "gone" "pagination" "watch" "bookmarks" "streaming-list"
    "streams" "history" "replicas" "collections"
    "single-resource" "resource-uris" "selectors" "table" "representations" "serialization" "compression"
    // Writing.
    "update" "patch" "dry-run" "field-validation" "deletion" "idempotency" "concurrency" "sequences" "validation"
    "apply-requests" "apply-ownership" "apply-conflicts" "apply-merge" "managed-fields" "apply-sequences"
    // Shapes and errors.
    "kinds" "metadata" "spec-status" "schema-conventions" "verbs" "status-codes" "status-object" "streaming-subresources"
    // The platform.
    "health" "discovery" "openapi-documents" "deprecation" "removed-apis" "migrated-fields" "client-libraries"
    "cel-language" "cel-libraries" "cel-types" "cel-escaping" "cel-cost" "cel-differential"
    "admission-policies"
};

/// Every clause that we know.
///
/// # Panics
///
/// If the embedded catalogue is broken, which a test of this crate rules out.
pub fn catalogue() -> Catalogue {
    let area = |(name, compressed): &(&str, &[u8])| -> Area {
        toml::from_str(&unpack(compressed))
            .unwrap_or_else(|why| panic!("the clauses of {name} cannot be read: {why}"))
    };
    Catalogue::new(AREAS.iter().map(area).collect()).unwrap_or_else(|why| panic!("{why}"))
}

/// The text of every clause file, in the order of the catalogue: what identifies a version of the catalogue.
pub fn clause_files() -> impl Iterator<Item = String> {
    AREAS.iter().map(|(_, compressed)| unpack(compressed))
}

/// The text of every requirement set, the oldest first. `build.rs` joins and compresses them.
pub fn requirement_files() -> impl Iterator<Item = String> {
    let text = unpack(include_bytes!(concat!(env!("OUT_DIR"), "/requirements")));
    let files: Vec<String> = text.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect();
    files.into_iter()
}

/// The text of an embedded file.
fn unpack(compressed: &[u8]) -> String {
    let mut text = String::new();
    // What `build.rs` wrote can be read: a test reads all of it.
    let _ = ZlibDecoder::new(compressed).read_to_string(&mut text);
    text
}
