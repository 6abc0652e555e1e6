//! Field manager edits: fieldManager and force of requests, managedFields of responses.

use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value, json};

use crate::fault::{Edit, Edit::*, RequestFacts, When, When::*, parameters};

/// Server-side apply.
pub(super) const APPLY: When = HeaderHas("content-type", "apply-patch+yaml");
/// The parameter that names who writes.
pub(super) const MANAGER: &str = "fieldManager";
/// The parameter that forces.
pub(super) const FORCE: &str = "force";
/// Whoever owns what.
pub(super) const FORCED: Edit = SetParameter(FORCE, "true");
/// All who apply are taken for one, so that what one of them leaves out goes.
pub(super) const AS_ONE: Edit = SetParameter(MANAGER, "one");
/// Who applies something else than before is taken for somebody else, so that nobody leaves anything out.
pub(super) const ESTRANGED: Edit = EditRequest(estrange);

fn estrange(parts: &mut Parts, body: &mut Bytes) {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let number = hasher.finish();
    parameters(parts, |all| {
        let managers = all.iter_mut().filter(|(name, _)| name == MANAGER);
        managers.for_each(|(_, manager)| *manager = format!("{manager}-{number}"));
    });
}

/// The entries of the managed fields of an object.
pub(super) fn entries(object: &mut Value) -> Option<&mut Vec<Value>> {
    object.pointer_mut("/metadata/managedFields").and_then(Value::as_array_mut)
}

/// Changes the fields of all appliers.
pub(super) fn of_appliers(object: &mut Value, edit: impl Fn(&mut Value)) {
    let entries = entries(object).into_iter().flatten();
    entries.filter(|entry| applies(entry)).for_each(|entry| edit(&mut entry["fieldsV1"]));
}

pub(super) fn applies(entry: &Value) -> bool {
    entry["operation"] == "Apply"
}

/// Says nothing of who has asked.
pub(super) fn without_who_asked(asked: &RequestFacts, object: &mut Value) {
    if let Some(entries) = entries(object) {
        entries.retain(|entry| entry["manager"] != asked.parameter(MANAGER));
    }
}

/// Says of all appliers that they own what anybody owns.
pub(super) fn shared_by_appliers(object: &mut Value) {
    let all = all_fields(object);
    of_appliers(object, |fields| *fields = all.clone());
}

/// Says of who has asked that it owns what anybody owns.
pub(super) fn all_of_who_asked(asked: &RequestFacts, object: &mut Value) {
    let all = all_fields(object);
    without_who_asked(asked, object);
    add_entry(object, asked.parameter(MANAGER), "Update", &all);
}

/// Says of one more manager that it owns something.
pub(super) fn add_entry(object: &mut Value, manager: &str, operation: &str, fields: &Value) {
    let version = object["apiVersion"].clone();
    if let Some(entries) = entries(object) {
        entries.push(json!({
            "manager": manager, "operation": operation, "apiVersion": version,
            "fieldsType": "FieldsV1", "fieldsV1": fields,
        }));
    }
}

/// What anybody owns.
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

/// Leaves out the data and annotations that no applier owns.
pub(super) fn without_what_no_applier_owns(object: &mut Value) {
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
