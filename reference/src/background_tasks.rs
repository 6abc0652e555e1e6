//! Background tasks: a `ConfigMap` in every namespace, and periodic compaction.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::auth::User;
use crate::cluster::Cluster;
use crate::lifecycle::all;
use crate::metadata::{self, text};
use crate::store::Commit;
use crate::variant::Behaviour;
use crate::warnings::Warnings;
use crate::write::{self, Target};

/// The delay between a namespace and its `ConfigMap`.
const PUBLISH_DELAY: Duration = Duration::from_millis(30);

/// The interval between compactions.
const COMPACTION_INTERVAL: Duration = Duration::from_secs(1);

/// The number of intervals with readable history.
const READABLE_INTERVALS: usize = 8;

/// Starts the tasks that the server's behaviours require.
pub(crate) fn start(cluster: &Arc<Cluster>) {
    if cluster.behaviours.has(Behaviour::PublishesRootCa) {
        publish_all(cluster);
        tokio::spawn(until_closed(cluster.clone(), publish));
    }
    if cluster.behaviours.has(Behaviour::ShortHistory) {
        tokio::spawn(until_closed(cluster.clone(), compact_periodically));
    }
}

async fn until_closed<F: Future<Output = ()>>(cluster: Arc<Cluster>, work: fn(Arc<Cluster>) -> F) {
    tokio::select! {
        () = work(cluster.clone()) => {}
        () = cluster.closed() => {}
    }
}

/// Publishes the root certificate `ConfigMap` in every namespace, shortly after its creation.
async fn publish(cluster: Arc<Cluster>) {
    loop {
        sleep(PUBLISH_DELAY).await;
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
                user: &User::Admin,
                warnings: &Warnings::default(),
            };
            let object = json!({ "kind": "ConfigMap", "apiVersion": "v1",
                "metadata": { "name": name }, "data": { "ca.crt": "-----BEGIN CERTIFICATE-----\n" } });
            // A concurrent request may have deleted the namespace.
            let _ = write::create(&target, &object);
        }
    }
}

/// Compacts versions older than `READABLE_INTERVALS`.
async fn compact_periodically(cluster: Arc<Cluster>) {
    let mut revisions = VecDeque::new();
    loop {
        sleep(COMPACTION_INTERVAL).await;
        revisions.push_back(cluster.store.revision());
        if revisions.len() > READABLE_INTERVALS
            && let Some(old) = revisions.pop_front()
        {
            cluster.store.compact(old);
        }
    }
}
