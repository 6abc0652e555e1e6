//! Faults of server-side apply, from the areas patch, field validation and dry run.

use bytes::Bytes;
use http::Method as Verb;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::Value;

use super::field_validation::reread;
use super::rewrite;
use crate::fault::{Edit::*, Fault, When, When::*, on, parameters};

const APPLY: When = HeaderHas("content-type", "apply-patch+yaml");
const MANAGER: &str = "fieldManager";
const FORCE: &str = "force";
const UNKNOWN: &str = "/assayUnknown";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("patch-conditional-apply-rv", "the version in an apply is ignored", &[APPLY], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("patch-type-apply-accepted", "an apply is recorded as an update", &[APPLY], &[EditJson(as_updates)]),
    on("patch-type-apply-accepts-json", "an apply in JSON cannot be read", &[APPLY], &[EditRequest(no_braces)]),
    on("patch-apply-creates-absent", "an apply of nothing is not found", &[APPLY, Answered(201)], &[Fail(404, "NotFound", "not found")]),
    on("patch-apply-patches-existing", "what is there cannot be applied again", &[APPLY, Answered(200)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("patch-apply-create-needs-create", "who may patch may create by an apply", &[APPLY, HeaderHas("impersonate-user", "patcher")],
        &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
    on("patch-apply-tracks-managed-fields", "nobody manages a new object", &[Method("POST")], &[Remove("/metadata/managedFields")]),
    on("patch-apply-requires-fieldmanager", "a manager is made up", &[APPLY, Lacks(MANAGER)], &[SetParameter(MANAGER, "unknown")]),
    on("patch-apply-single-round-trip", "what is there is applied only at its version", &[APPLY, Answered(200)],
        &[Fail(422, "Invalid", "metadata.resourceVersion: must be specified for an update")]),
    on("patch-apply-detects-conflicts", "the last apply wins", &[APPLY], &[SetParameter(FORCE, "true")]),
    on("patch-apply-force-overrides", "force is ignored", &[APPLY], &[DropParameter(FORCE)]),
    on("patch-apply-atomic-upsert", "of applies at the same time some fail", &[APPLY, Every(2)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("patch-apply-objects-only", "an apply to what is no object breaks the server", &[APPLY, Answered(405)],
        &[Fail(500, "InternalError", "no kind")]),
    on("patch-apply-wrong-version-400", "the version of an applied object is not looked at", &[APPLY], &[EditRequest(super::rewrite::of_the_version)]),
    on("fieldval-strict-apply-unknown", "an apply drops unknown fields", &[APPLY], &[RemoveFromRequest(UNKNOWN)]),
    on("fieldval-apply-unknown-not-relaxed-by-ignore", "an apply records ownership of an unknown field", &[APPLY], &[RemoveFromRequest(UNKNOWN), EditJson(owned)]),
    on("fieldval-strict-apply-duplicate-400", "an apply accepts duplicate fields silently", &[APPLY], &[EditRequest(reread)]),
    on("dryrun-apply-create-not-persisted", "a dry-run apply creates the object", &[APPLY, Is("dryRun", "All")],
        &[EditRequest(create_applied)]),
];

fn as_updates(object: &mut Value) {
    for entry in entries(object) {
        entry["operation"] = "Update".into();
    }
}

fn owned(object: &mut Value) {
    for entry in entries(object) {
        entry["fieldsV1"]["f:assayUnknown"] = Value::Object(serde_json::Map::new());
    }
}

fn entries(object: &mut Value) -> impl Iterator<Item = &mut Value> {
    object.pointer_mut("/metadata/managedFields").and_then(Value::as_array_mut).into_iter().flatten()
}

/// A body in braces is preceded by what no YAML can begin with.
fn no_braces(parts: &mut Parts, body: &mut Bytes) {
    if body.starts_with(b"{") {
        parts.headers.remove(CONTENT_LENGTH);
        *body = [b"%".as_slice(), &body[..]].concat().into();
    }
}

/// The apply as a create.
fn create_applied(parts: &mut Parts, _: &mut Bytes) {
    parts.method = Verb::POST;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let path = rewrite::collection(parts).to_owned();
    rewrite::go_to(parts, &path);
    parameters(parts, Vec::clear);
}
