//! Garbage collector: foreground, background and orphan propagation to dependents.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::{change, stored_types};
use crate::auth::User;
use crate::cluster::Cluster;
use crate::delete::{DeleteOptions, delete_all};
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Object};
use crate::warnings::Warnings;
use crate::write::{ITSELF, Target};

/// The finalizers of the garbage collector.
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

/// The maximum number of passes in one sweep.
const PASSES: usize = 20;

/// Collects garbage until a pass changes nothing.
pub(super) fn collect(cluster: &Cluster) {
    for _ in 0..PASSES {
        if !pass(cluster) {
            return;
        }
    }
}

/// Collects garbage once. Returns whether it changed anything.
fn pass(cluster: &Cluster) -> bool {
    // The others stay as they are, and most objects are others.
    let nodes = governed(cluster);
    let dependents = dependents(&nodes);
    let mut changed = false;
    for node in &nodes {
        let dependents = dependents.get(node.uid()).map(Vec::as_slice).unwrap_or_default();
        if waits_for(&node.object, ORPHAN) {
            for other in dependents {
                other.leave(cluster, node);
            }
            node.release(cluster, ORPHAN);
            changed = true;
        } else if waits_for(&node.object, FOREGROUND) {
            let blocking: Vec<_> = dependents.iter().filter(|other| other.blocks(node)).collect();
            if blocking.is_empty() {
                node.release(cluster, FOREGROUND);
                changed = true;
            }
            for other in blocking.into_iter().filter(|other| !metadata::is_deleted(&other.object)) {
                other.delete(cluster);
                changed = true;
            }
        } else if node.is_orphaned(cluster) {
            node.delete(cluster);
            changed = true;
        }
    }
    changed
}

/// An object with its type.
struct Node {
    ty: Arc<ResourceType>,
    object: Object,
}

/// The stored types, each in one version.
fn collected_types(cluster: &Cluster) -> Vec<Arc<ResourceType>> {
    let mut seen = HashSet::new();
    stored_types(cluster).into_iter().filter(|ty| seen.insert(ty.group_resource())).collect()
}

/// Whether this finalizer keeps the deleted object.
fn waits_for(object: &Value, finalizer: &str) -> bool {
    let finalizers = object["metadata"]["finalizers"].as_array();
    metadata::is_deleted(object)
        && finalizers.is_some_and(|finalizers| finalizers.iter().any(|name| name == finalizer))
}

/// The objects that are being deleted or have owners.
fn governed(cluster: &Cluster) -> Vec<Node> {
    let objects = collected_types(cluster).into_iter().flat_map(|ty| {
        let objects = cluster.store.governed(&ty.group_resource());
        objects.into_iter().map(move |object| Node { ty: ty.clone(), object })
    });
    objects.collect()
}

/// The nodes by the UIDs of their owners.
fn dependents(nodes: &[Node]) -> HashMap<&str, Vec<&Node>> {
    let mut dependents: HashMap<&str, Vec<&Node>> = HashMap::new();
    for node in nodes {
        let owners: HashSet<&str> = node.owners().filter_map(|reference| reference["uid"].as_str()).collect();
        for owner in owners {
            dependents.entry(owner).or_default().push(node);
        }
    }
    dependents
}

impl Node {
    fn uid(&self) -> &str {
        text(&self.object, "uid")
    }

    fn owners(&self) -> impl Iterator<Item = &Value> {
        self.object["metadata"]["ownerReferences"].as_array().into_iter().flatten()
    }

    /// Whether the deletion of its owner waits for it.
    fn blocks(&self, owner: &Self) -> bool {
        self.owners()
            .any(|reference| reference["uid"] == owner.uid() && reference["blockOwnerDeletion"] == true)
    }

    /// Whether it has owners, and all of them are deleted.
    fn is_orphaned(&self, cluster: &Cluster) -> bool {
        let is_deleted = |owner: &Value| !cluster.store.has_uid(owner["uid"].as_str().unwrap_or_default());
        !metadata::is_deleted(&self.object) && self.owners().next().is_some() && self.owners().all(is_deleted)
    }

    fn change(&self, cluster: &Cluster, edit: impl FnOnce(&mut Value)) {
        let key = self.ty.key(text(&self.object, "namespace"), text(&self.object, "name"));
        change(cluster, &self.ty.group_resource(), &key, edit);
    }

    fn release(&self, cluster: &Cluster, finalizer: &str) {
        self.change(cluster, |object| metadata::release(object, finalizer));
    }

    fn leave(&self, cluster: &Cluster, owner: &Self) {
        self.change(cluster, |object| {
            if let Some(owners) = object["metadata"]["ownerReferences"].as_array_mut() {
                owners.retain(|reference| reference["uid"] != owner.uid());
            }
            metadata::tidy(object);
        });
    }

    fn delete(&self, cluster: &Cluster) {
        let target = Target {
            cluster,
            ty: &self.ty,
            namespace: "",
            name: "",
            commit: Commit::Real,
            manager: ITSELF,
            user: &User::Admin,
            warnings: &Warnings::default(),
        };
        // The next change of an object triggers another attempt.
        let _ = delete_all(&target, &DeleteOptions::at_once(), std::slice::from_ref(&self.object));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dependents_are_found_by_their_owners() {
        let node = |uid: &str, owners: &[&str]| {
            let references: Vec<Value> = owners.iter().map(|owner| json!({ "uid": owner })).collect();
            let object = json!({ "metadata": { "uid": uid, "ownerReferences": references } });
            Node { ty: Arc::default(), object: Arc::new(object) }
        };
        let nodes = [node("a", &[]), node("b", &["a"]), node("c", &["b", "a", "a"]), node("d", &["other"])];
        let dependents = dependents(&nodes);
        let of = |uid: &str| -> Vec<&str> {
            dependents.get(uid).into_iter().flatten().map(|node| node.uid()).collect()
        };
        assert_eq!([of("a"), of("b"), of("c"), of("other")], [vec!["b", "c"], vec!["c"], vec![], vec!["d"]]);
    }
}
