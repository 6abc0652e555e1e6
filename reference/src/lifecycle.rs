//! Controllers: namespace deletion, CRD establishment and deletion, garbage collection.

mod garbage_collector;
mod namespace_conditions;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::admission::PROTECTION;
use crate::cluster::Cluster;
use crate::definition::{self, CLEANUP, DEFINITIONS};
use crate::delete::{DeleteOptions, delete_all};
use crate::failure::Failure;
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object, StoreData};
use crate::variant::Behaviour;
use crate::write::{self, Target};

/// How long watchers are given to read the last deletions of a type that goes.
const FAREWELL: Duration = Duration::from_millis(50);

/// The namespaces that are there from the start.
const NAMESPACES: &[&str] = &["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates what is there from the start.
pub(crate) fn bootstrap(cluster: &Cluster) {
    let Some(ty) = cluster.registry.find("", "v1", "namespaces") else { return };
    let target =
        Target { cluster, ty: &ty, namespace: "", name: "", commit: Commit::Real, manager: write::ITSELF };
    for name in NAMESPACES {
        let object = json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": name}});
        // Nothing can be in the way in an empty store.
        let _ = write::create(&target, &object);
    }
}

/// Clears away what is to go, each time something may have changed, until the server stops.
pub(crate) async fn run(cluster: Arc<Cluster>) {
    loop {
        tokio::select! {
            () = cluster.sweep.notified() => sweep(&cluster).await,
            () = cluster.closed() => return,
        }
    }
}

async fn sweep(cluster: &Cluster) {
    for crd in all(cluster, DEFINITIONS) {
        if metadata::is_deleted(&crd) {
            retire(cluster, &crd).await;
        } else if !definition::is_established(&crd) {
            establish(cluster, &crd);
        } else {
            cluster.define(&crd);
        }
    }
    release_claims(cluster);
    if cluster.behaviours.has(Behaviour::LeavesNamespaces) {
        return;
    }
    for namespace in all(cluster, "namespaces").iter().filter(|namespace| metadata::is_deleted(namespace)) {
        empty(cluster, text(namespace, "name"));
        namespace_conditions::tell(cluster, text(namespace, "name"));
    }
    garbage_collector::collect(cluster);
}

/// All objects of a type, as they are now.
pub(crate) fn all(cluster: &Cluster, collection: &str) -> Vec<Object> {
    cluster.store.all(collection, "")
}

fn establish(cluster: &Cluster, crd: &Value) {
    let established = change(cluster, DEFINITIONS, text(crd, "name"), definition::establish);
    if let Some(crd) = established {
        cluster.define(&crd);
    }
}

/// Deletes the objects of a type, and then the type, as soon as nothing holds them back.
async fn retire(cluster: &Cluster, crd: &Value) {
    let (group, plural) = definition::place(crd);
    if let Some(ty) = definition::served(crd).first() {
        clear(cluster, ty, "");
        if !all(cluster, &ty.group_resource()).is_empty() {
            return;
        }
        tokio::time::sleep(FAREWELL).await;
        cluster.registry.replace(&group, &plural, Vec::new());
        cluster.store.close(&ty.group_resource());
    }
    change(cluster, DEFINITIONS, text(crd, "name"), |crd| metadata::release(crd, CLEANUP));
}

/// Deletes the contents of a namespace, and then the namespace, as soon as nothing holds them back.
fn empty(cluster: &Cluster, namespace: &str) {
    let types = stored_types(cluster);
    let (pods, others): (Vec<_>, Vec<_>) =
        types.iter().filter(|ty| ty.namespaced).partition(|ty| ty.is_built_in("pods"));
    // Pods go first: what they use must stay as long as they run.
    for types in [pods, others] {
        for ty in &types {
            clear(cluster, ty, namespace);
        }
        if types.iter().any(|ty| !contents(cluster, ty, namespace).is_empty()) {
            return;
        }
    }
    finish(cluster, namespace);
}

/// What is in a namespace of a type; without a namespace, all that there is.
fn contents(cluster: &Cluster, ty: &ResourceType, namespace: &str) -> Vec<Object> {
    cluster.store.all(&ty.group_resource(), &ty.prefix(namespace))
}

fn finish(cluster: &Cluster, namespace: &str) {
    change(cluster, "namespaces", namespace, |namespace| {
        if let Some(finalizers) = namespace["spec"]["finalizers"].as_array_mut() {
            finalizers.retain(|finalizer| finalizer != "kubernetes");
        }
    });
}

/// Nobody uses a claim of storage here: nothing holds back one that is deleted.
fn release_claims(cluster: &Cluster) {
    let claims = all(cluster, "persistentvolumeclaims");
    for claim in claims.iter().filter(|claim| metadata::is_deleted(claim)) {
        let key = format!("{}/{}", text(claim, "namespace"), text(claim, "name"));
        change(cluster, "persistentvolumeclaims", &key, |claim| metadata::release(claim, PROTECTION));
    }
}

fn stored_types(cluster: &Cluster) -> Vec<Arc<ResourceType>> {
    cluster.registry.all().into_iter().filter(|ty| ty.verbs.contains(&"list")).collect()
}

/// Deletes what can go, and marks the rest. What is marked already is left alone until it changes: each deletion is a
/// reason to sweep again, and so would never be the last.
fn clear(cluster: &Cluster, ty: &ResourceType, namespace: &str) {
    let mut objects = contents(cluster, ty, namespace);
    objects.retain(|object| !(metadata::is_deleted(object) && metadata::has_finalizers(object)));
    let target = Target { cluster, ty, namespace, name: "", commit: Commit::Real, manager: write::ITSELF };
    // What cannot be deleted now is tried again when it changes.
    let _ = delete_all(&target, &DeleteOptions::at_once(), &objects);
}

/// Changes an object, and removes it if it was only waiting for that.
fn change(cluster: &Cluster, collection: &str, key: &str, edit: impl FnOnce(&mut Value)) -> Option<Object> {
    let decide = |_: &StoreData, current: Option<&Object>| {
        let mut object = Value::clone(current.ok_or_else(Failure::no_such_resource)?);
        edit(&mut object);
        let goes = metadata::is_deleted(&object) && !metadata::is_held(&object);
        Ok(if goes { Decision::Remove(object) } else { Decision::Put(object) })
    };
    cluster.store.write(collection, key, Commit::Real, Box::new(decide)).ok()
}
