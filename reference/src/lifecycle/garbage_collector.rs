//! Garbage collector: foreground, background and orphan propagation to dependents.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::{all, change, stored_types};
use crate::cluster::Cluster;
use crate::delete::{DeleteOptions, delete_all};
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Object};
use crate::write::{ITSELF, Target};

/// The finalizers that are removed here.
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

/// How often it looks again for what has become of its own work.
const PASSES: usize = 20;

/// Does all that there is to do.
pub(super) fn collect(cluster: &Cluster) {
    for _ in 0..PASSES {
        if !pass(cluster) {
            return;
        }
    }
}

/// Does what there is to do at the moment; whether that was anything.
fn pass(cluster: &Cluster) -> bool {
    let known = everything(cluster);
    let alive: HashSet<&str> = known.iter().map(Known::uid).collect();
    let mut busy = false;
    for one in &known {
        if one.waits_for(ORPHAN) {
            known.iter().filter(|other| other.belongs_to(one)).for_each(|other| other.leave(cluster, one));
            one.release(cluster, ORPHAN);
            busy = true;
        } else if one.waits_for(FOREGROUND) {
            let blocking: Vec<_> = known.iter().filter(|other| other.blocks(one)).collect();
            if blocking.is_empty() {
                one.release(cluster, FOREGROUND);
                busy = true;
            }
            for other in blocking.into_iter().filter(|other| !metadata::is_deleted(&other.object)) {
                other.delete(cluster);
                busy = true;
            }
        } else if one.is_left(&alive) {
            one.delete(cluster);
            busy = true;
        }
    }
    busy
}

/// An object, and its type.
struct Known {
    ty: Arc<ResourceType>,
    object: Object,
}

/// All objects of all types, each once.
fn everything(cluster: &Cluster) -> Vec<Known> {
    let mut seen = HashSet::new();
    let types = stored_types(cluster).into_iter().filter(|ty| seen.insert(ty.group_resource()));
    let objects = types.flat_map(|ty| {
        let of = |object| Known { ty: ty.clone(), object };
        all(cluster, &ty.group_resource()).into_iter().map(of).collect::<Vec<_>>()
    });
    objects.collect()
}

impl Known {
    fn uid(&self) -> &str {
        text(&self.object, "uid")
    }

    fn owners(&self) -> impl Iterator<Item = &Value> {
        self.object["metadata"]["ownerReferences"].as_array().into_iter().flatten()
    }

    /// Whether it is being deleted, and kept by this finalizer.
    fn waits_for(&self, finalizer: &str) -> bool {
        let finalizers = self.object["metadata"]["finalizers"].as_array();
        metadata::is_deleted(&self.object)
            && finalizers.is_some_and(|finalizers| finalizers.iter().any(|name| name == finalizer))
    }

    fn belongs_to(&self, owner: &Self) -> bool {
        self.owners().any(|known| known["uid"] == owner.uid())
    }

    /// Whether its owner must wait for it.
    fn blocks(&self, owner: &Self) -> bool {
        self.owners().any(|known| known["uid"] == owner.uid() && known["blockOwnerDeletion"] == true)
    }

    /// Whether it has had owners, and none of them is there any more.
    fn is_left(&self, alive: &HashSet<&str>) -> bool {
        let gone = |owner: &Value| !alive.contains(owner["uid"].as_str().unwrap_or_default());
        !metadata::is_deleted(&self.object) && self.owners().next().is_some() && self.owners().all(gone)
    }

    fn change(&self, cluster: &Cluster, edit: impl FnOnce(&mut Value)) {
        let key = self.ty.key(text(&self.object, "namespace"), text(&self.object, "name"));
        change(cluster, &self.ty.group_resource(), &key, edit);
    }

    /// Removes a finalizer.
    fn release(&self, cluster: &Cluster, finalizer: &str) {
        self.change(cluster, |object| metadata::release(object, finalizer));
    }

    /// Removes the reference to an owner.
    fn leave(&self, cluster: &Cluster, owner: &Self) {
        self.change(cluster, |object| {
            if let Some(owners) = object["metadata"]["ownerReferences"].as_array_mut() {
                owners.retain(|known| known["uid"] != owner.uid());
            }
            metadata::tidy(object);
        });
    }

    fn delete(&self, cluster: &Cluster) {
        let target =
            Target { cluster, ty: &self.ty, namespace: "", name: "", commit: Commit::Real, manager: ITSELF };
        // What cannot be deleted now is tried again when it changes.
        let _ = delete_all(&target, &DeleteOptions::at_once(), std::slice::from_ref(&self.object));
    }
}
