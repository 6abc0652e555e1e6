//! Faults of server-side apply, from the areas patch, field validation and dry run.

use bytes::Bytes;
use http::Method as Verb;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::Value;

use super::field_validation::reserialize;
use super::rewrite;
use crate::fault::{Edit::*, Fault, When, When::*, on, parameters};

const APPLY: When = HeaderHas("content-type", "apply-patch+yaml");
const MANAGER: &str = "fieldManager";
const FORCE: &str = "force";
const UNKNOWN: &str = "/assayUnknown";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("patch-conditional-apply-rv", "the server ignores the resourceVersion in an apply", &[APPLY], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("patch-type-apply-accepted", "an apply is recorded with operation Update", &[APPLY], &[EditJson(mark_as_updates)]),
    on("patch-type-apply-accepts-json", "the server rejects JSON apply bodies", &[APPLY], &[EditRequest(reject_braces)]),
    on("patch-apply-creates-absent", "the server returns 404 for an apply of a missing object", &[APPLY, StatusIs(201)], &[Fail(404, "NotFound", "not found")]),
    on("patch-apply-patches-existing", "the server returns 409 AlreadyExists for an apply of an existing object", &[APPLY, StatusIs(200)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("patch-apply-create-needs-create", "the server lets a user without create permission create by apply", &[APPLY, HeaderHas("impersonate-user", "patcher")],
        &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
    on("patch-apply-tracks-managed-fields", "a created object has no managedFields", &[Method("POST")], &[Remove("/metadata/managedFields")]),
    on("patch-apply-requires-fieldmanager", "the server applies as manager \"unknown\" without fieldManager", &[APPLY, Lacks(MANAGER)], &[SetParameter(MANAGER, "unknown")]),
    on("patch-apply-single-round-trip", "the server requires a resourceVersion to apply an existing object", &[APPLY, StatusIs(200)],
        &[Fail(422, "Invalid", "metadata.resourceVersion: must be specified for an update")]),
    on("patch-apply-detects-conflicts", "the server forces every apply, so the last apply wins", &[APPLY], &[SetParameter(FORCE, "true")]),
    on("patch-apply-force-overrides", "the server ignores force", &[APPLY], &[DropParameter(FORCE)]),
    on("patch-apply-atomic-upsert", "the server returns 409 for every second apply", &[APPLY, Every(2)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("patch-apply-objects-only", "the server returns 500 instead of 405 for an apply", &[APPLY, StatusIs(405)],
        &[Fail(500, "InternalError", "no kind")]),
    on("patch-apply-wrong-version-400", "the server ignores the apiVersion in an apply body", &[APPLY], &[EditRequest(super::rewrite::set_path_version)]),
    on("fieldval-strict-apply-unknown", "an apply drops unknown fields", &[APPLY], &[RemoveFromRequest(UNKNOWN)]),
    on("fieldval-apply-unknown-not-relaxed-by-ignore", "an apply records ownership of an unknown field", &[APPLY], &[RemoveFromRequest(UNKNOWN), EditJson(own_unknown_field)]),
    on("fieldval-strict-apply-duplicate-400", "an apply accepts duplicate fields silently", &[APPLY], &[EditRequest(reserialize)]),
    on("dryrun-apply-create-not-persisted", "a dry-run apply creates the object", &[APPLY, Is("dryRun", "All")],
        &[EditRequest(create_applied)]),
];

fn mark_as_updates(object: &mut Value) {
    for entry in entries(object) {
        entry["operation"] = "Update".into();
    }
}

fn own_unknown_field(object: &mut Value) {
    for entry in entries(object) {
        entry["fieldsV1"]["f:assayUnknown"] = Value::Object(serde_json::Map::new());
    }
}

fn entries(object: &mut Value) -> impl Iterator<Item = &mut Value> {
    object.pointer_mut("/metadata/managedFields").and_then(Value::as_array_mut).into_iter().flatten()
}

/// Makes a body in braces invalid YAML.
fn reject_braces(parts: &mut Parts, body: &mut Bytes) {
    if body.starts_with(b"{") {
        parts.headers.remove(CONTENT_LENGTH);
        *body = [b"%".as_slice(), &body[..]].concat().into();
    }
}

/// Turns an apply into a create.
fn create_applied(parts: &mut Parts, _: &mut Bytes) {
    parts.method = Verb::POST;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let path = rewrite::collection(parts).to_owned();
    rewrite::set_path(parts, &path);
    parameters(parts, Vec::clear);
}
