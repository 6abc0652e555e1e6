//! Faults of creates: existing names and generateName.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const POST: When = Method("POST");
const EXISTS: When = StatusIs(409);
const DRY: When = Is("dryRun", "All");
const PERSISTED: Edit = DropParameter("dryRun");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Existing objects.
    on("idempotency-post-existing-name-409", "the server returns 200 for a create of an existing name", &[POST, Collection, EXISTS], &[Status(200)]),
    on("idempotency-post-identical-body-409", "the server returns 201 for a create of an identical object", &[POST, Collection, EXISTS], &[Status(201)]),
    on("idempotency-post-conflict-leaves-object", "a create overwrites the existing object", &[POST, Collection], &[Several(patch_first)]),
    on("idempotency-name-free-after-delete", "a create replaces a terminating object", &[POST, Collection], &[Several(release_first)]),
    on("idempotency-concurrent-posts-one-wins", "the server returns 201 for every create of one name", &[POST, Collection, EXISTS], &[Status(201)]),
    // Generated names.
    on("idempotency-generatename-makes-name", "the server ignores generateName", &[POST, Collection], &[RemoveFromRequest("/metadata/generateName")]),
    on("idempotency-generatename-unique", "a generated name consists of prefix and time", &[POST, Collection], &[EditRequest(|parts, body| json_body(parts, body, name_by_time))]),
    on("idempotency-generatename-only-without-name", "generateName overrides the name", &[POST, Collection], &[EditRequest(|parts, body| json_body(parts, body, forget_name))]),
    on("idempotency-generatename-field-kept", "the name equals generateName", &[POST, Collection], &[EditJson(return_name_as_prefix)]),
    on("idempotency-generatename-prefix-validated", "the server corrects an invalid generateName", &[POST, Collection], &[EditRequest(|parts, body| json_body(parts, body, fix_prefix))]),
    on("idempotency-generatename-truncated", "the server does not truncate generated names", &[POST, Collection], &[EditJson(lengthen_name)]),
    on("idempotency-generatename-conflict-answer", "the server sometimes returns 201 with an existing object", &[POST, Collection, Every(10)], &[EditJson(return_another_object)]),
    on("idempotency-generatename-dry-run", "a dry-run create with generateName stores the object", &[POST, Collection, DRY], &[PERSISTED]),
];

/// A patch of the existing object, then the create.
fn patch_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let object = rewrite::read(body);
    let patch = rewrite::json_request(parts, Verb::PATCH, &rewrite::item(parts, &object), &object);
    vec![patch, rewrite::unchanged(parts, body)]
}

/// The removal of finalizers, then the create.
fn release_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let release = json!({ "metadata": { "finalizers": null } });
    let patch =
        rewrite::json_request(parts, Verb::PATCH, &rewrite::item(parts, &rewrite::read(body)), &release);
    vec![patch, rewrite::unchanged(parts, body)]
}

fn prefix(object: &Value) -> Option<String> {
    object["metadata"]["generateName"].as_str().map(str::to_owned)
}

fn name_by_time(object: &mut Value) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    if let Some(prefix) = prefix(object) {
        object["metadata"]["name"] = format!("{prefix}{seconds}").into();
    }
}

fn forget_name(object: &mut Value) {
    if prefix(object).is_some() {
        rewrite::remove_metadata_field(object, "name");
    }
}

fn return_name_as_prefix(created: &mut Value) {
    if prefix(created).is_some() {
        created["metadata"]["generateName"] = created["metadata"]["name"].clone();
    }
}

fn fix_prefix(object: &mut Value) {
    if let Some(prefix) = prefix(object) {
        object["metadata"]["generateName"] = prefix.to_lowercase().replace('_', "-").into();
    }
}

fn lengthen_name(created: &mut Value) {
    if let Some(prefix) = prefix(created) {
        created["metadata"]["name"] = format!("{prefix}{}", "a".repeat(253)).into();
    }
}

/// Changes the returned object.
fn return_another_object(created: &mut Value) {
    for field in ["data", "spec"] {
        if let Some(value) = created.pointer_mut(&format!("/{field}/value")) {
            *value = "another's".into();
        }
    }
}
