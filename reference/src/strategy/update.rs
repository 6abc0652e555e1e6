//! Updates: generation, and rejection of changes to immutable fields.

use std::collections::BTreeMap;

use serde_json::Value;

use super::apps;
use crate::failure::Cause;
use crate::metadata;
use crate::resource_type::ResourceType;

/// Counts changes of the spec: for custom types of everything but metadata and status, for deployments also of
/// annotations.
pub(super) fn count_generation(ty: &ResourceType, current: &Value, object: &mut Value) {
    let annotations = |object: &Value| {
        let counted = ty.is_built_in("deployments");
        counted.then(|| object["metadata"]["annotations"].clone()).filter(|value| !value.is_null())
    };
    let counted_fields = |object: &Value| {
        let fields = object.as_object().into_iter().flatten();
        let is_excluded = |name: &str| name == "metadata" || (name == "status" && ty.has_status());
        let counted_fields = fields.filter(|(name, _)| !is_excluded(name));
        let fields: BTreeMap<_, _> =
            counted_fields.map(|(name, value)| (name.clone(), value.clone())).collect();
        (fields, annotations(object))
    };
    if metadata::has_generations(ty) && counted_fields(current) != counted_fields(object) {
        let generation = current["metadata"]["generation"].as_u64().unwrap_or(0);
        object["metadata"]["generation"] = (generation + 1).into();
    }
}

/// The errors in the requested metadata.
pub(super) fn metadata(current: &Value, requested: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let deleted = metadata::is_deleted(current);
    let before = &current["metadata"];
    // In an object that is being deleted, the server restores a changed deletionTimestamp without an error.
    for (field, restored) in [("deletionTimestamp", deleted), ("deletionGracePeriodSeconds", false)] {
        let value = &requested[field];
        if !value.is_null() && !restored && *value != before[field] {
            causes.push(Cause::immutable(&format!("metadata.{field}"), value));
        }
    }
    if deleted {
        causes.extend(new_finalizers(before, requested));
    }
    causes
}

fn new_finalizers(before: &Value, requested: &Value) -> Option<Cause> {
    let names = |metadata: &Value| -> Vec<String> {
        let names = metadata["finalizers"].as_array().into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let old = names(before);
    let new: Vec<String> = names(requested).into_iter().filter(|name| !old.contains(name)).collect();
    let detail =
        "no new finalizers can be added if the object is being deleted, found new finalizers []string";
    let names = format!("{new:?}").replace('[', "{").replace(']', "}");
    (!new.is_empty()).then(|| Cause::forbidden("metadata.finalizers", &format!("{detail}{names}")))
}

/// The changes of immutable fields.
pub(super) fn immutable_errors(ty: &ResourceType, current: &Value, object: &Value) -> Vec<Cause> {
    match ty.plural.as_str() {
        _ if ty.custom.is_some() => Vec::new(),
        "configmaps" | "secrets" => immutable_changes(current, object),
        "daemonsets" | "deployments" | "replicasets" | "statefulsets" => {
            apps::immutable_errors(ty, current, object)
        }
        _ => Vec::new(),
    }
}

fn immutable_changes(current: &Value, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    if current["immutable"] == true {
        let detail = "field is immutable when `immutable` is set";
        for field in ["immutable", "data", "binaryData"] {
            if current.get(field) != object.get(field) {
                causes.push(Cause::forbidden(field, detail));
            }
        }
    }
    if current.get("type") != object.get("type") {
        causes.push(Cause::immutable("type", &object["type"]));
    }
    causes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deployments() -> ResourceType {
        let subresources = vec!["scale".to_owned(), "status".to_owned()];
        ResourceType { plural: "deployments".to_owned(), subresources, ..ResourceType::default() }
    }

    fn generation(change: &Value) -> u64 {
        let current = json!({"metadata": {"generation": 4}, "spec": {"replicas": 1}, "status": {}});
        let mut object = current.clone();
        json_patch::merge(&mut object, change);
        count_generation(&deployments(), &current, &mut object);
        object["metadata"]["generation"].as_u64().unwrap()
    }

    #[test]
    fn spec_changes_increase_the_generation() {
        assert_eq!(generation(&json!({})), 4);
        assert_eq!(generation(&json!({"spec": {"replicas": 2}})), 5);
        assert_eq!(generation(&json!({"metadata": {"annotations": {"a": "b"}}})), 5);
        assert_eq!(generation(&json!({"metadata": {"labels": {"a": "b"}}})), 4);
        assert_eq!(generation(&json!({"status": {"replicas": 2}})), 4);
    }

    #[test]
    fn updates_cannot_set_deletion_fields() {
        let requested = json!({"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 9});
        let fields = |current: Value| -> Vec<String> {
            metadata(&current, &requested).iter().map(ToString::to_string).collect()
        };
        let time = "FieldValueInvalid metadata.deletionTimestamp";
        let period = "FieldValueInvalid metadata.deletionGracePeriodSeconds";
        assert_eq!(fields(json!({"metadata": {}})), [time, period]);
        let deleted = json!({"metadata": {"deletionTimestamp": "x", "deletionGracePeriodSeconds": 0}});
        assert_eq!(fields(deleted.clone()), [period]);
        let causes = metadata(&deleted, &json!({"finalizers": ["a/b"]}));
        assert_eq!(causes[0].to_string(), "FieldValueForbidden metadata.finalizers");
        assert!(metadata(&json!({"metadata": {}}), &json!({"finalizers": ["a/b"]})).is_empty());
    }
}
