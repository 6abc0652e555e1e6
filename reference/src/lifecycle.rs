//! Controllers: namespace deletion, CRD establishment and deletion, garbage collection.

mod garbage_collector;
mod namespace_conditions;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::admission::PROTECTION;
use crate::auth::User;
use crate::cluster::Cluster;
use crate::definition::{self, CLEANUP, DEFINITIONS};
use crate::delete::{DeleteOptions, delete_all};
use crate::failure::Failure;
use crate::kubelet;
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object, StoreData};
use crate::variant::Behaviour;
use crate::warnings::Warnings;
use crate::write::{self, Target};

/// The time for watchers to read the last deletions of a removed type.
const LAST_EVENTS_DELAY: Duration = Duration::from_millis(50);

/// The time in which further changes join a sweep: each sweep takes many reads.
const MORE_CHANGES: Duration = Duration::from_millis(10);

/// The namespaces of a new cluster.
const NAMESPACES: &[&str] = &["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates the first namespaces, and the Node.
pub(crate) fn bootstrap(cluster: &Cluster) {
    let Some(ty) = cluster.registry.find("", "v1", "namespaces") else { return };
    let target = Target {
        cluster,
        ty: &ty,
        namespace: "",
        name: "",
        commit: Commit::Real,
        manager: write::ITSELF,
        user: &User::Admin,
        warnings: &Warnings::default(),
    };
    for name in NAMESPACES {
        let object = json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": name}});
        // A create in an empty store cannot fail.
        let _ = write::create(&target, &object);
    }
    if let Some(nodes) = cluster.registry.find("", "v1", "nodes") {
        let _ = write::create(&Target { ty: &nodes, ..target }, &kubelet::node());
    }
}

/// Runs the controllers soon after changes until the server stops.
pub(crate) async fn run(cluster: Arc<Cluster>) {
    let changed = async || {
        cluster.sweep.notified().await;
        tokio::time::sleep(MORE_CHANGES).await;
    };
    loop {
        tokio::select! {
            () = changed() => sweep(&cluster).await,
            () = cluster.closed() => return,
        }
    }
}

async fn sweep(cluster: &Cluster) {
    for crd in all(cluster, DEFINITIONS) {
        if metadata::is_deleted(&crd) {
            remove_definition(cluster, &crd).await;
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
    let stored = stored_types(cluster);
    for namespace in &deleted(cluster, "namespaces") {
        let name = text(namespace, "name");
        // After the namespaces: a deleted one gets no new object.
        let types = types_in_namespace(cluster, name, &stored);
        finalize_namespace(cluster, name, &types);
        namespace_conditions::update(cluster, namespace, &types);
    }
    garbage_collector::collect(cluster);
}

/// The current objects of a type.
pub(crate) fn all(cluster: &Cluster, collection: &str) -> Vec<Object> {
    cluster.store.all(collection, "")
}

/// The objects of a type that are being deleted.
fn deleted(cluster: &Cluster, collection: &str) -> Vec<Object> {
    let mut objects = cluster.store.governed(collection);
    objects.retain(|object| metadata::is_deleted(object));
    objects
}

fn establish(cluster: &Cluster, crd: &Value) {
    let established = change(cluster, DEFINITIONS, text(crd, "name"), definition::establish);
    if let Some(crd) = established {
        cluster.define(&crd);
    }
}

/// Deletes the objects of a deleted definition. Stops serving the type once no object is left.
async fn remove_definition(cluster: &Cluster, crd: &Value) {
    if let Some(ty) = definition::served(crd).first() {
        delete_objects(cluster, ty, "");
        if !all(cluster, &ty.group_resource()).is_empty() {
            return;
        }
        tokio::time::sleep(LAST_EVENTS_DELAY).await;
        cluster.undefine(crd);
        cluster.store.close(&ty.group_resource());
    }
    change(cluster, DEFINITIONS, text(crd, "name"), |crd| metadata::release(crd, CLEANUP));
}

/// Deletes the contents of a deleted namespace, which are of these types. Removes its finalizer once no content is left.
fn finalize_namespace(cluster: &Cluster, namespace: &str, types: &[Arc<ResourceType>]) {
    let (pods, others): (Vec<_>, Vec<_>) = types.iter().partition(|ty| ty.is_built_in("pods"));
    // Pods first: the objects that they use must remain until they stop.
    for types in [pods, others] {
        for ty in &types {
            delete_objects(cluster, ty, namespace);
        }
        if types.iter().any(|ty| !contents(cluster, ty, namespace).is_empty()) {
            return;
        }
    }
    remove_finalizer(cluster, namespace);
}

/// The objects of a type in a namespace, or in all namespaces if it is empty.
fn contents(cluster: &Cluster, ty: &ResourceType, namespace: &str) -> Vec<Object> {
    cluster.store.all(&ty.group_resource(), &ty.prefix(namespace))
}

fn remove_finalizer(cluster: &Cluster, namespace: &str) {
    change(cluster, "namespaces", namespace, |namespace| {
        if let Some(finalizers) = namespace["spec"]["finalizers"].as_array_mut() {
            finalizers.retain(|finalizer| finalizer != "kubernetes");
        }
    });
}

/// No pod uses a claim in this server: deleted claims lose their finalizer.
fn release_claims(cluster: &Cluster) {
    for claim in deleted(cluster, "persistentvolumeclaims") {
        let key = format!("{}/{}", text(&claim, "namespace"), text(&claim, "name"));
        change(cluster, "persistentvolumeclaims", &key, |claim| metadata::release(claim, PROTECTION));
    }
}

fn stored_types(cluster: &Cluster) -> Vec<Arc<ResourceType>> {
    cluster.registry.all().into_iter().filter(|ty| ty.verbs.contains(&"list")).collect()
}

/// Those of the stored types that have objects in a namespace.
fn types_in_namespace(
    cluster: &Cluster,
    namespace: &str,
    stored: &[Arc<ResourceType>],
) -> Vec<Arc<ResourceType>> {
    let occupied = cluster.store.occupied(&format!("{namespace}/"));
    if occupied.is_empty() {
        return Vec::new();
    }
    let has_objects = |ty: &&Arc<ResourceType>| ty.namespaced && occupied.contains(&ty.group_resource());
    stored.iter().filter(has_objects).cloned().collect()
}

/// Deletes the objects of a type. Objects that are already terminating wait for their next change: a repeated deletion
/// would trigger the next sweep without end.
fn delete_objects(cluster: &Cluster, ty: &ResourceType, namespace: &str) {
    let mut objects = contents(cluster, ty, namespace);
    objects.retain(|object| !(metadata::is_deleted(object) && metadata::has_finalizers(object)));
    let target = Target {
        cluster,
        ty,
        namespace,
        name: "",
        commit: Commit::Real,
        manager: write::ITSELF,
        user: &User::Admin,
        warnings: &Warnings::default(),
    };
    // The next change of an object triggers another attempt.
    let _ = delete_all(&target, &DeleteOptions::at_once(), &objects);
}

/// Changes an object, or removes it if it is deleted and nothing keeps it any longer.
fn change(cluster: &Cluster, collection: &str, key: &str, edit: impl FnOnce(&mut Value)) -> Option<Object> {
    let decide = |_: &StoreData, current: Option<&Object>| {
        let mut object = Value::clone(current.ok_or_else(Failure::no_such_resource)?);
        edit(&mut object);
        let removable = metadata::is_deleted(&object) && !metadata::remains_after_deletion(&object);
        Ok(if removable { Decision::Remove(object) } else { Decision::Put(object) })
    };
    cluster.store.write(collection, key, Commit::Real, Box::new(decide)).ok()
}
