//! Field manager edits: fieldManager and force of requests, managedFields of responses.

use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value, json};

use crate::fault::{Edit, Edit::*, RequestFacts, When, When::*, parameters};

/// Server-side apply.
pub(super) const APPLY: When = HeaderHas("content-type", "apply-patch+yaml");
/// The parameter with the field manager.
pub(super) const MANAGER: &str = "fieldManager";
/// The parameter that resolves conflicts.
pub(super) const FORCE: &str = "force";
/// Every apply resolves its conflicts.
pub(super) const FORCED: Edit = SetParameter(FORCE, "true");
/// All applies have one manager, so that each removes the fields that it omits.
pub(super) const ONE_MANAGER: Edit = SetParameter(MANAGER, "one");
/// Each different configuration has a manager of its own, so that no applier gives up fields.
pub(super) const MANAGER_PER_CONFIGURATION: Edit = EditRequest(rename_manager_by_body);

fn rename_manager_by_body(parts: &mut Parts, body: &mut Bytes) {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let number = hasher.finish();
    parameters(parts, |all| {
        let managers = all.iter_mut().filter(|(name, _)| name == MANAGER);
        managers.for_each(|(_, manager)| *manager = format!("{manager}-{number}"));
    });
}

pub(super) fn entries(object: &mut Value) -> Option<&mut Vec<Value>> {
    object.pointer_mut("/metadata/managedFields").and_then(Value::as_array_mut)
}

/// Edits the fields of all appliers.
pub(super) fn edit_appliers(object: &mut Value, edit: impl Fn(&mut Value)) {
    let entries = entries(object).into_iter().flatten();
    entries.filter(|entry| applies(entry)).for_each(|entry| edit(&mut entry["fieldsV1"]));
}

pub(super) fn applies(entry: &Value) -> bool {
    entry["operation"] == "Apply"
}

/// Removes the entries of the requesting manager.
pub(super) fn remove_requesting_manager(request: &RequestFacts, object: &mut Value) {
    if let Some(entries) = entries(object) {
        entries.retain(|entry| entry["manager"] != request.parameter(MANAGER));
    }
}

/// Makes all appliers owners of all owned fields.
pub(super) fn share_with_appliers(object: &mut Value) {
    let all = all_fields(object);
    edit_appliers(object, |fields| *fields = all.clone());
}

/// Makes the requesting manager the owner of all owned fields.
pub(super) fn own_all_fields(request: &RequestFacts, object: &mut Value) {
    let all = all_fields(object);
    remove_requesting_manager(request, object);
    add_entry(object, request.parameter(MANAGER), "Update", &all);
}

/// Adds an entry.
pub(super) fn add_entry(object: &mut Value, manager: &str, operation: &str, fields: &Value) {
    let version = object["apiVersion"].clone();
    if let Some(entries) = entries(object) {
        entries.push(json!({
            "manager": manager, "operation": operation, "apiVersion": version,
            "fieldsType": "FieldsV1", "fieldsV1": fields,
        }));
    }
}

/// The union of all owned fields.
fn all_fields(object: &mut Value) -> Value {
    let mut all = Value::Object(Map::new());
    for entry in entries(object).into_iter().flatten() {
        join(&mut all, &entry["fieldsV1"]);
    }
    all
}

fn join(fields: &mut Value, more: &Value) {
    for (step, below) in more.as_object().into_iter().flatten() {
        if fields.get(step).is_none() {
            fields[step] = Value::Object(Map::new());
        }
        join(&mut fields[step], below);
    }
}

/// Removes data and annotations without an applier.
pub(super) fn remove_unapplied_fields(object: &mut Value) {
    let mut applied = Value::Object(Map::new());
    for entry in entries(object).into_iter().flatten().filter(|entry| applies(entry)) {
        join(&mut applied, &entry["fieldsV1"]);
    }
    for (texts, fields) in [("/data", "/f:data"), ("/metadata/annotations", "/f:metadata/f:annotations")] {
        let applied = applied.pointer(fields).cloned().unwrap_or_default();
        if let Some(texts) = object.pointer_mut(texts).and_then(Value::as_object_mut) {
            texts.retain(|key, _| applied.get(format!("f:{key}")).is_some());
        }
    }
}
