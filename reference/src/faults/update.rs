//! Faults of PUT.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::Value;

use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on, parameters, store};
use crate::store::StoreFault;

const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const VERSION: &str = "/metadata/resourceVersion";
/// No object was written at this version since the store was opened.
const OUTDATED: Edit = SetInRequest(VERSION, "\"1\"");
/// A merge patch instead of a PUT.
const AS_PATCH: Edit = EditRequest(|parts, _| rewrite::make_merge_patch(parts));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The resulting object.
    on("update-put-overwrites", "the server does not store a PUT", &[PUT, Object], &[SetParameter("dryRun", "All")]),
    on("update-put-removes-omitted-fields", "the server treats a PUT as a merge patch", &[PUT, Object], &[AS_PATCH]),
    on("update-put-returns-new-state", "the response to a PUT has the previous resourceVersion", &[PUT, Object], &[EditJson(decrement_version)]),
    on("update-put-absent-404-or-create", "a PUT of a missing object returns 200", &[PUT, Object, Any(&[StatusIs(404), StatusIs(201)])], &[Status(200)]),
    store("update-put-noop-keeps-rv", "a PUT without changes increases the resourceVersion", StoreFault::BumpsWithoutChange),
    on("update-put-invalid-422-no-effect", "the server stores an invalid PUT before it rejects it", &[PUT, Object], &[Several(store_first)]),
    on("update-several-mechanisms", "the server returns 405 for patches", &[PATCH, Object], &[Reject(405, "MethodNotAllowed", "no patches here")]),
    // Preconditions.
    on("update-put-with-current-rv-accepted", "the server returns 409 for every PUT with a resourceVersion", &[PUT, Object], &[OUTDATED]),
    store("update-put-stale-rv-409", "the server ignores resourceVersion preconditions, so the last write wins", StoreFault::IgnoresPreconditions),
    on("update-put-stale-rv-no-effect", "the server stores a stale PUT before it rejects it", &[PUT, Object], &[Several(write_first)]),
    on("update-put-conflict-any-field", "the server merges a stale PUT with the stored object", &[PUT, Object], &[RemoveFromRequest(VERSION), AS_PATCH]),
    store("update-put-conflict-always-detected", "all concurrent PUTs succeed", StoreFault::IgnoresPreconditions),
    on("update-put-nonexistent-rv-409", "the server ignores unknown resource versions in a PUT", &[PUT, Object], &[EditRequest(|parts, body| json_body(parts, body, rewrite::drop_impossible_version))]),
    on("update-put-missing-rv-custom-422", "the server accepts a PUT of a custom resource without a resourceVersion", &[Custom, PUT, Object], &[EditRequest(patch_without_version)]),
    on("update-put-missing-rv-builtin-unconditional", "the server does not store a PUT without a resourceVersion", &[PUT, Object], &[EditRequest(dry_run_without_version)]),
    on("update-put-malformed-rv-rejected", "the server ignores a malformed resourceVersion in a PUT", &[PUT, Object], &[EditRequest(patch_at_no_version)]),
    // Type, name and namespace.
    on("update-put-name-mismatch-400", "a PUT writes the object named in its body", &[PUT, Object], &[EditRequest(redirect_to_body_name)]),
    on("update-put-name-missing-400", "the server fills in a missing name from the path", &[PUT, Object], &[EditRequest(fill_in_path_name)]),
    on("update-put-namespace-mismatch-400", "a PUT writes to the namespace in its body", &[PUT, Object, Namespaced], &[EditRequest(redirect_to_body_namespace)]),
    on("update-put-namespace-missing-filled", "the response to a PUT has no namespace", &[PUT, Object], &[Remove("/metadata/namespace")]),
    on("update-put-kind-mismatch-400", "the server ignores the kind in a PUT", &[PUT, Object], &[EditRequest(rewrite::set_path_kind)]),
    on("update-put-apiversion-mismatch-400", "the server ignores the apiVersion in a PUT", &[PUT, Object], &[EditRequest(rewrite::set_path_version)]),
    // Unchanged fields.
    on("update-put-uid-mismatch-409", "the server ignores the uid in a PUT", &[PUT, Object], &[RemoveFromRequest("/metadata/uid")]),
    on("update-put-uid-missing-kept", "a PUT changes the uid", &[PUT, Object], &[Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000f\"")]),
    on("update-put-creationtimestamp-kept", "a PUT changes creationTimestamp", &[PUT, Object], &[Set("/metadata/creationTimestamp", "\"2001-01-01T00:00:00Z\"")]),
    on("update-put-generation-not-settable", "a PUT keeps the client's generation", &[PUT, Object], &[Set("/metadata/generation", "999")]),
];

fn decrement_version(object: &mut Value) {
    let version = object["metadata"]["resourceVersion"].as_str().and_then(super::watch::decrement);
    if let Some(version) = version {
        object["metadata"]["resourceVersion"] = version.into();
    }
}

/// An unconditional write, then the write.
fn write_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut unconditional = rewrite::read(body);
    rewrite::remove_metadata_field(&mut unconditional, "resourceVersion");
    vec![merge_patch(parts, &unconditional), rewrite::unchanged(parts, body)]
}

/// The write without possibly invalid fields, then the whole write; both unconditional.
fn store_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut object = rewrite::read(body);
    rewrite::remove_metadata_field(&mut object, "resourceVersion");
    let whole = rewrite::with_body(parts, &object);
    rewrite::remove_metadata_field(&mut object, "labels");
    rewrite::remove_metadata_field(&mut object, "annotations");
    vec![merge_patch(parts, &object), whole]
}

/// A PUT of a custom object requires a version, a patch does not.
fn merge_patch(parts: &Parts, object: &Value) -> Sent {
    rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), object)
}

pub(super) fn patch_at_no_version(parts: &mut Parts, body: &mut Bytes) {
    let mut object = rewrite::read(body);
    rewrite::drop_impossible_version(&mut object);
    if !rewrite::has_version(&object) {
        *body = Bytes::from(object.to_string());
        parts.headers.remove(http::header::CONTENT_LENGTH);
        rewrite::make_merge_patch(parts);
    }
}

pub(super) fn patch_without_version(parts: &mut Parts, body: &mut Bytes) {
    let mut object = rewrite::read(body);
    if !rewrite::has_version(&object) {
        rewrite::remove_metadata_field(&mut object, "resourceVersion");
        *body = Bytes::from(object.to_string());
        parts.headers.remove(http::header::CONTENT_LENGTH);
        rewrite::make_merge_patch(parts);
    }
}

fn dry_run_without_version(parts: &mut Parts, body: &mut Bytes) {
    if !rewrite::has_version(&rewrite::read(body)) {
        patch_without_version(parts, body);
        parameters(parts, |all| all.push(("dryRun".to_owned(), "All".to_owned())));
    }
}

pub(super) fn redirect_to_body_name(parts: &mut Parts, body: &mut Bytes) {
    let object = rewrite::read(body);
    let Some(name) = object["metadata"]["name"].as_str() else { return };
    let path = format!("{}/{name}", rewrite::collection(parts));
    rewrite::set_path(parts, &path);
}

fn fill_in_path_name(parts: &mut Parts, body: &mut Bytes) {
    let name = parts.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    json_body(parts, body, |object| {
        if object["metadata"]["name"].is_null() {
            object["metadata"]["name"] = name.into();
        }
    });
}

pub(super) fn redirect_to_body_namespace(parts: &mut Parts, body: &mut Bytes) {
    let object = rewrite::read(body);
    let Some(namespace) = object["metadata"]["namespace"].as_str() else { return };
    let path = parts.uri.path().to_owned();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return };
    let Some((_, rest)) = rest.split_once('/') else { return };
    rewrite::set_path(parts, &format!("{root}/namespaces/{namespace}/{rest}"));
}
