//! Conditions of a terminating namespace: remaining content and finalizers.

use serde_json::{Value, json};

use super::{change, stored_types};
use crate::cluster::Cluster;
use crate::metadata::now;

/// Sets the conditions of a terminating namespace: its remaining objects and finalizers.
pub(super) fn update(cluster: &Cluster, namespace: &str) {
    let (names, finalizers) = remaining_objects(cluster, namespace);
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
    change(cluster, "namespaces", namespace, |object| {
        let current = object["status"]["conditions"].as_array();
        let same = |one: &Value| {
            current.is_some_and(|current| current.iter().any(|other| other["message"] == one["message"]))
        };
        if !conditions.iter().all(same) {
            object["status"]["conditions"] = json!(conditions);
        }
    });
}

/// The number of objects of each type, and their finalizers.
fn remaining_objects(cluster: &Cluster, namespace: &str) -> (Vec<String>, Vec<String>) {
    let (mut remaining, mut finalizers) = (Vec::new(), Vec::new());
    let prefix = format!("{namespace}/");
    for ty in stored_types(cluster).iter().filter(|ty| ty.namespaced) {
        let name = ty.group_resource();
        let items = cluster.store.all(&name, &prefix);
        if !items.is_empty() {
            remaining.push(format!("{name} has {} resource instances", items.len()));
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
