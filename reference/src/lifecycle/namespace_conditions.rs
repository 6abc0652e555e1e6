//! Conditions of a terminating namespace: remaining content and finalizers.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{change, contents};
use crate::cluster::Cluster;
use crate::metadata::{now, text};
use crate::resource_type::ResourceType;

/// Sets the conditions of a terminating namespace: its remaining objects of these types, and their finalizers.
pub(super) fn update(cluster: &Cluster, namespace: &Value, types: &[Arc<ResourceType>]) {
    let name = text(namespace, "name");
    let (names, finalizers) = remaining_objects(cluster, name, types);
    if names.is_empty() {
        return;
    }
    let message = format!("Some resources are remaining: {}", names.join(", "));
    let remaining = condition("NamespaceContentRemaining", true, "SomeResourcesRemain", &message);
    let finalizers = if finalizers.is_empty() {
        let message = "All content-preserving finalizers finished";
        condition("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers", message)
    } else {
        let message =
            format!("Some content in the namespace has finalizers remaining: {}", finalizers.join(", "));
        condition("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain", &message)
    };
    let conditions = [remaining, finalizers];
    let current = namespace["status"]["conditions"].as_array();
    let same = |one: &Value| {
        current.is_some_and(|current| current.iter().any(|other| other["message"] == one["message"]))
    };
    if !conditions.iter().all(same) {
        change(cluster, "namespaces", name, |object| object["status"]["conditions"] = json!(conditions));
    }
}

/// The number of objects of each type, and their finalizers.
fn remaining_objects(
    cluster: &Cluster,
    namespace: &str,
    types: &[Arc<ResourceType>],
) -> (Vec<String>, Vec<String>) {
    let (mut remaining, mut finalizers) = (Vec::new(), Vec::new());
    for ty in types {
        let items = contents(cluster, ty, namespace);
        if !items.is_empty() {
            remaining.push(format!("{} has {} resource instances", ty.group_resource(), items.len()));
        }
        for object in &items {
            let names = object["metadata"]["finalizers"].as_array().into_iter().flatten();
            finalizers
                .extend(names.filter_map(|name| Some(format!("{} in 1 resource instances", name.as_str()?))));
        }
    }
    (remaining, finalizers)
}

fn condition(kind: &str, holds: bool, reason: &str, message: &str) -> Value {
    let status = if holds { "True" } else { "False" };
    json!({ "type": kind, "status": status, "lastTransitionTime": now(), "reason": reason, "message": message })
}
