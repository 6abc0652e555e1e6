//! Updates: generation, and refusal of changes to immutable fields.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::failure::Cause;
use crate::metadata;
use crate::resource_type::ResourceType;

/// A change of what is wanted is a new generation: of anything but metadata and status of a custom type, of the spec
/// of others, and of a deployment's annotations.
pub(super) fn count_generation(ty: &ResourceType, current: &Value, object: &mut Value) {
    let annotations = |object: &Value| {
        let counted = ty.is_built_in("deployments");
        counted.then(|| object["metadata"]["annotations"].clone()).filter(|found| !found.is_null())
    };
    let wanted = |object: &Value| {
        let fields = object.as_object().into_iter().flatten();
        let not_wanted = |name: &str| name == "metadata" || (name == "status" && ty.has_status());
        let wanted = fields.filter(|(name, _)| !not_wanted(name));
        let fields: BTreeMap<_, _> = wanted.map(|(name, value)| (name.clone(), value.clone())).collect();
        (fields, annotations(object))
    };
    if metadata::counts_generations(ty) && wanted(current) != wanted(object) {
        let generation = current["metadata"]["generation"].as_u64().unwrap_or(0);
        object["metadata"]["generation"] = (generation + 1).into();
    }
}

/// What of the metadata that was asked for cannot be had.
pub(super) fn metadata(current: &Value, asked: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let deleted = metadata::is_deleted(current);
    let before = &current["metadata"];
    // Of an object that is being deleted, another time is put right without a word.
    for (field, put_right) in [("deletionTimestamp", deleted), ("deletionGracePeriodSeconds", false)] {
        let given = &asked[field];
        if !given.is_null() && !put_right && *given != before[field] {
            causes.push(Cause::immutable(&format!("metadata.{field}"), given));
        }
    }
    if deleted {
        causes.extend(new_finalizers(before, asked));
    }
    causes
}

fn new_finalizers(before: &Value, asked: &Value) -> Option<Cause> {
    let names = |metadata: &Value| -> Vec<String> {
        let names = metadata["finalizers"].as_array().into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let had = names(before);
    let new: Vec<String> = names(asked).into_iter().filter(|name| !had.contains(name)).collect();
    let why = "no new finalizers can be added if the object is being deleted, found new finalizers []string";
    let shown = format!("{new:?}").replace('[', "{").replace(']', "}");
    (!new.is_empty()).then(|| Cause::forbidden("metadata.finalizers", &format!("{why}{shown}")))
}

/// What a type does not let change.
pub(super) fn refused(ty: &ResourceType, current: &Value, object: &Value) -> Vec<Cause> {
    match ty.plural.as_str() {
        _ if ty.custom.is_some() => Vec::new(),
        "configmaps" | "secrets" => immutable_changes(current, object),
        "deployments" if current["spec"]["selector"] != object["spec"]["selector"] => {
            vec![Cause::immutable("spec.selector", &object["spec"]["selector"])]
        }
        _ => Vec::new(),
    }
}

fn immutable_changes(current: &Value, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    if current["immutable"] == true {
        let why = "field is immutable when `immutable` is set";
        for field in ["immutable", "data", "binaryData"] {
            if current.get(field) != object.get(field) {
                causes.push(Cause::forbidden(field, why));
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
    fn what_is_wanted_makes_a_generation() {
        assert_eq!(generation(&json!({})), 4);
        assert_eq!(generation(&json!({"spec": {"replicas": 2}})), 5);
        assert_eq!(generation(&json!({"metadata": {"annotations": {"a": "b"}}})), 5);
        assert_eq!(generation(&json!({"metadata": {"labels": {"a": "b"}}})), 4);
        assert_eq!(generation(&json!({"status": {"replicas": 2}})), 4);
    }

    #[test]
    fn deletion_is_not_asked_for_by_writing_it() {
        let asked = json!({"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 9});
        let fields = |current: Value| -> Vec<String> {
            metadata(&current, &asked).iter().map(ToString::to_string).collect()
        };
        let time = "FieldValueInvalid metadata.deletionTimestamp";
        let period = "FieldValueInvalid metadata.deletionGracePeriodSeconds";
        assert_eq!(fields(json!({"metadata": {}})), [time, period]);
        let marked = json!({"metadata": {"deletionTimestamp": "x", "deletionGracePeriodSeconds": 0}});
        assert_eq!(fields(marked.clone()), [period]);
        let causes = metadata(&marked, &json!({"finalizers": ["a/b"]}));
        assert_eq!(causes[0].to_string(), "FieldValueForbidden metadata.finalizers");
        assert!(metadata(&json!({"metadata": {}}), &json!({"finalizers": ["a/b"]})).is_empty());
    }
}
