//! Background tasks: a `ConfigMap` in every namespace, and periodic compaction.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::cluster::Cluster;
use crate::lifecycle::all;
use crate::metadata::{self, text};
use crate::store::Commit;
use crate::variant::Behaviour;
use crate::write::{self, Target};

/// How long after a namespace what belongs into it appears.
const MOMENT: Duration = Duration::from_millis(30);

/// How often history is forgotten.
const PERIOD: Duration = Duration::from_secs(1);

/// How many periods are kept at least.
const KEPT: usize = 8;

/// Starts what this server's habits ask for.
pub(crate) fn start(cluster: &Arc<Cluster>) {
    if cluster.behaviours.has(Behaviour::PublishesRootCa) {
        publish_all(cluster);
        tokio::spawn(until_closed(cluster.clone(), publish));
    }
    if cluster.behaviours.has(Behaviour::ShortHistory) {
        tokio::spawn(until_closed(cluster.clone(), forget));
    }
}

async fn until_closed<F: Future<Output = ()>>(cluster: Arc<Cluster>, work: fn(Arc<Cluster>) -> F) {
    tokio::select! {
        () = work(cluster.clone()) => {}
        () = cluster.closed() => {}
    }
}

/// Puts into every namespace what belongs there, a moment after it was created.
async fn publish(cluster: Arc<Cluster>) {
    loop {
        sleep(MOMENT).await;
        publish_all(&cluster);
    }
}

fn publish_all(cluster: &Cluster) {
    let Some(ty) = cluster.registry.find("", "v1", "configmaps") else { return };
    for namespace in all(cluster, "namespaces").iter().filter(|namespace| !metadata::is_deleted(namespace)) {
        let namespace = text(namespace, "name");
        let name = "kube-root-ca.crt";
        if cluster.store.current("configmaps", &ty.key(namespace, name)).is_none() {
            let target = Target {
                cluster,
                ty: &ty,
                namespace,
                name: "",
                commit: Commit::Real,
                manager: "kube-controller-manager",
            };
            let object = json!({ "kind": "ConfigMap", "apiVersion": "v1",
                "metadata": { "name": name }, "data": { "ca.crt": "-----BEGIN CERTIFICATE-----\n" } });
            // The namespace may have gone meanwhile.
            let _ = write::create(&target, &object);
        }
    }
}

/// Forgets what is older than some periods.
async fn forget(cluster: Arc<Cluster>) {
    let mut revisions = VecDeque::new();
    loop {
        sleep(PERIOD).await;
        revisions.push_back(cluster.store.revision());
        if revisions.len() > KEPT
            && let Some(old) = revisions.pop_front()
        {
            cluster.store.compact(old);
        }
    }
}
