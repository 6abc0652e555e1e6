//! Conditions of a terminating namespace: remaining content and finalizers.

use serde_json::{Value, json};

use super::{change, stored_types};
use crate::cluster::Cluster;
use crate::metadata::now;

/// Writes into its status what is left of a namespace that ends.
pub(super) fn tell(cluster: &Cluster, namespace: &str) {
    let (left, held) = left(cluster, namespace);
    if left.is_empty() {
        return;
    }
    let left = format!("Some resources are remaining: {}", left.join(", "));
    let remaining = condition("NamespaceContentRemaining", true, "SomeResourcesRemain", &left);
    let finalizers = if held.is_empty() {
        let message = "All content-preserving finalizers finished";
        condition("NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers", message)
    } else {
        let message = format!("Some content in the namespace has finalizers remaining: {}", held.join(", "));
        condition("NamespaceFinalizersRemaining", true, "SomeFinalizersRemain", &message)
    };
    let conditions = [remaining, finalizers];
    change(cluster, "namespaces", namespace, |object| {
        let known = object["status"]["conditions"].as_array();
        let same = |one: &Value| {
            known.is_some_and(|known| known.iter().any(|other| other["message"] == one["message"]))
        };
        if !conditions.iter().all(same) {
            object["status"]["conditions"] = json!(conditions);
        }
    });
}

/// How many objects are left of each type, and by which finalizers.
fn left(cluster: &Cluster, namespace: &str) -> (Vec<String>, Vec<String>) {
    let (mut left, mut held) = (Vec::new(), Vec::new());
    let prefix = format!("{namespace}/");
    for ty in stored_types(cluster).iter().filter(|ty| ty.namespaced) {
        let name = ty.group_resource();
        let items = cluster.store.all(&name, &prefix);
        if !items.is_empty() {
            left.push(format!("{name} has {} resource instances", items.len()));
        }
        for object in &items {
            let names = object["metadata"]["finalizers"].as_array().into_iter().flatten();
            held.extend(names.filter_map(|name| Some(format!("{} in 1 resource instances", name.as_str()?))));
        }
    }
    (left, held)
}

fn condition(kind: &str, holds: bool, reason: &str, message: &str) -> Value {
    let status = if holds { "True" } else { "False" };
    json!({ "type": kind, "status": status, "lastTransitionTime": now(), "reason": reason, "message": message })
}
