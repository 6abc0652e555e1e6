//! Features of a server, with clauses that pass without them, although their scenarios once needed them.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use http::request::Parts;
use reference::fault::{Edit::*, Fault, Items, When, When::*, on};
use serde_json::Value;

/// A feature that the server lacks.
pub(crate) struct Feature {
    /// The fault that removes it.
    pub(crate) fault: Fault,
    /// The clauses that do not mention it.
    pub(crate) silent: &'static [&'static str],
}

const fn lacking(fault: Fault, silent: &'static [&'static str]) -> Feature {
    Feature { fault, silent }
}

const PATCH: When = Method("PATCH");
const APPLY: When = HeaderHas("content-type", "apply-patch");

#[rustfmt::skip]
pub(crate) const FEATURES: &[Feature] = &[
    lacking(on("apply", "every apply is an error", &[PATCH, APPLY], &[Reject(500, "InternalError", "no apply")]), &[
        "status-codes-201-create", "metadata-uid-stable", "dryrun-patch-not-persisted", "concurrency-resourceversion-changes-on-write",
        "managed-fields-stored-in-metadata", "managed-fields-entry-*", "managed-fields-fields-v1-*", "managed-fields-time-*",
        "managed-fields-unowned-metadata-paths", "managed-fields-no-empty-entry",
        "managed-fields-manager-param-beats-user-agent", "managed-fields-manager-param-verbatim", "replicas-get-*",
        "replicas-list-*", "replicas-watch-*", "replicas-*-once",
    ]),
    lacking(on("watch", "every watch is an error", &[Watch], &[Reject(500, "InternalError", "no watch")]), &[
        "rv-is-string", "rv-comparable-well-formed", "rv-comparable-range", "rv-sem-notolder-list-rv-guarantee",
        "verbs-put-updates", "verbs-post-creates", "kinds-json-identified-by-kind-and-apiversion", "kinds-apiversion-*",
        "kinds-objects-have-common-metadata", "kinds-kind-present", "kinds-simple-kinds-limited-metadata", "metadata-*-present",
        "metadata-uid-rfc4122", "concurrency-conflict-leaves-object", "concurrency-resourceversion-unchanged-on-noop",
        "deletion-last-finalizer-removes-object", "deletion-foreground-adds-finalizer", "deletion-options-*-query*",
        "replicas-get-*", "replicas-list-*", "replicas-identity", "replicas-no-lost-update", "replicas-*-once",
    ]),
    lacking(on("order", "the items of a list have no order", &[List], &[EditItems(Items::Edit(|items| shuffle(items)))]), &[
        "rv-list-*", "rv-match-decides-interpretation", "rv-match-unsupported-acts-as-unset", "rv-cache-warming-429",
        "gone-recent-version-still-served", "pagination-continue-*", "pagination-limit-may-vary", "pagination-full-set",
        "pagination-selector-short-pages", "pagination-token-opaque", "pagination-table-and-metadata",
        "collections-streamed-encoding-same-output", "collections-shard-no-remaining-count", "single-list-returns-many",
        "single-deletecollection-*", "kinds-namespaced-list-is-subset", "verbs-delete-collection",
        "replicas-*",
    ]),
    lacking(on("limit", "limit is not read", &[Collection], &[DropParameter("limit")]), &[
        "single-deletecollection-validates-list-options", "status-codes-400-bad-request", "status-codes-500-internal",
        "status-object-badrequest*", "replicas-*",
    ]),
    lacking(on("status", "there is no status subresource", &[Subresource("status")], &[Reject(404, "NotFound", "no status")]), &[
        "metadata-uid-stable", "status-codes-200-get-list", "dryrun-subresource-not-persisted", "managed-fields-entry-*",
        "managed-fields-subresource-distinguishes-manager", "managed-fields-not-changeable-via-subresource", "rv-is-string",
    ]),
    lacking(on("tables", "no type has Tables", &[HeaderHas("accept", "as=Table")], &[EditRequest(without_tables)]), &["table-*"]),
    lacking(on("compression", "no response is compressed", &[HeaderHas("accept-encoding", "gzip")], &[DropRequestHeader("accept-encoding")]), &[
        "compression-smaller", "compression-*-gzip", "compression-header-truthful", "compression-content-type-unchanged",
        "compression-not-without-request", "compression-threshold", "compression-vary", "compression-unknown-coding-identity",
        "compression-gzip-among-others", "compression-error-bodies", "compression-watch*", "compression-streamed-encoding-threshold",
    ]),
    lacking(on("yaml", "the server does not know YAML", &[Any(&[HeaderHas("accept", "yaml"), HeaderHas("content-type", "application/yaml")])],
        &[EditRequest(|parts, _| without_media_type(parts, "application/yaml"))]), &["representations-*", "serialization-*", "table-*"]),
    lacking(on("protobuf", "the server does not know Protobuf", &[Any(&[HeaderHas("accept", "protobuf"), HeaderHas("content-type", "protobuf")])],
        &[EditRequest(|parts, _| without_media_type(parts, "application/vnd.kubernetes.protobuf"))]), &["representations-*", "serialization-*"]),
    lacking(on("cbor", "the server does not know CBOR", &[Any(&[HeaderHas("accept", "cbor"), HeaderHas("content-type", "cbor")])],
        &[EditRequest(|parts, _| without_media_type(parts, "cbor"))]), &["representations-*", "patch-*"]),
    lacking(on("metadata", "no type is available as metadata alone", &[HeaderHas("accept", "as=PartialObjectMetadata")],
        &[EditRequest(without_metadata)]), &["representations-*"]),
    lacking(on("dry-run", "a dry run is none", &[Resource], &[DropParameter("dryRun")]), &[
        "managed-fields-tracked-on-post", "managed-fields-tracked-since-118", "managed-fields-post-with-entries",
    ]),
];

/// A server without Tables knows no media type with these parameters: a fallback still holds.
fn without_tables(parts: &mut Parts, _: &mut Bytes) {
    replace(parts, ACCEPT, "as=Table", "as=Unknown");
}

fn without_metadata(parts: &mut Parts, _: &mut Bytes) {
    replace(parts, ACCEPT, "as=PartialObjectMetadata", "as=Unknown");
}

/// The media type becomes one that no server knows.
fn without_media_type(parts: &mut Parts, media_type: &str) {
    for header in [ACCEPT, CONTENT_TYPE] {
        replace(parts, header, media_type, "application/x-unknown");
    }
}

fn replace(parts: &mut Parts, header: HeaderName, from: &str, to: &str) {
    let value = parts.headers.get(&header).and_then(|value| value.to_str().ok());
    if let Some(Ok(value)) = value.map(|value| value.replace(from, to).parse()) {
        parts.headers.insert(header, value);
    }
}

/// The number of shuffled lists.
static TURN: AtomicUsize = AtomicUsize::new(1);

/// Changes the order each time, independently of names and versions.
fn shuffle(items: &mut [Value]) {
    items.reverse();
    if !items.is_empty() {
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        items.rotate_left(turn % items.len());
    }
}
