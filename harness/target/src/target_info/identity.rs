//! What tells one server from another at the same address: its release, its groups, and the UID of its cluster.

use std::collections::{BTreeSet, HashSet};

use model::{Exchange, Request, TargetInfo, TestError, is_of_the_project};

use super::{group_names, patiently};
use crate::client::Client;

/// The namespace of every cluster whose UID stays the same for the cluster's life.
const SYSTEM: &str = "/api/v1/namespaces/kube-system";

/// The number of connections that look for another cluster at the address: a load balancer may send each to one.
const CONNECTIONS: u8 = 6;

/// The number of reads that show the same change of the groups.
const READS: usize = 3;

impl Client {
    /// Refuses servers of several clusters, behind the address of the target or as its replicas: each clause would fail for
    /// the wrong reason. Only a UID that is read twice is that of a cluster: a wrong server may show another one each time.
    pub async fn expect_one_cluster(&self, target_info: &TargetInfo) -> Result<(), TestError> {
        let Some(own) = &target_info.cluster else { return Ok(()) };
        let read = |server, connection| async move {
            self.cluster(Request::get(SYSTEM).through(server).connection(connection)).await
        };
        for (server, replica) in (1..).zip(&target_info.replicas) {
            let seen = [read(server, 0).await, read(server, 1).await].into_iter().flatten();
            if let Some(other) = seen_twice(seen, own) {
                let cause = format!(
                    "it serves another cluster: its namespace kube-system has the UID {other}, and that of the target {own}"
                );
                return Err(TestError::new(format!("use the replica {replica}"), cause)
                    .hint("name servers of one control plane"));
            }
        }
        let mut seen = Vec::new();
        for connection in 0..CONNECTIONS {
            seen.extend(read(0, connection).await);
        }
        let Some(other) = seen_twice(seen, own) else { return Ok(()) };
        let cause = format!(
            "servers of several clusters respond there: the namespace kube-system has the UIDs {own} and {other}"
        );
        Err(TestError::new(format!("test {}", target_info.address), cause)
            .hint("name the address of one control plane"))
    }

    /// How the release differs from that before the first scenario, as a connection shows it; `None` if it does not, or if
    /// it cannot be read.
    pub async fn release_change(&self, before: &TargetInfo, connection: u8) -> Option<String> {
        let read = Request::get("/version").connection(connection);
        let version = patiently(self, read).await.ok().filter(Exchange::succeeded)?;
        let (release, was) = (self.release(&version), &before.release);
        let change = || format!("/version has the gitVersion {release:?}, and had {was:?} before the run");
        (release != *was).then(change)
    }

    /// How Kubernetes' own groups differ from those before the first scenario, without those whose names begin as the names of
    /// the run; `None` if they do not differ, or if they cannot be read. A server that starts adds its groups one by one. Only
    /// what each read shows is a change: a wrong server may list other groups each time.
    pub async fn groups_change(&self, before: &TargetInfo, names_of_run: &str) -> Option<String> {
        let was = before.groups.iter().filter(|group| is_own(group)).cloned().collect();
        let now = async || {
            let mut now = self.own_groups().await?;
            now.retain(|group| !group.starts_with(names_of_run));
            difference(&was, &now)
        };
        let change = now().await?;
        for _ in 1..READS {
            if now().await.as_ref() != Some(&change) {
                return None;
            }
        }
        Some(change)
    }

    async fn own_groups(&self) -> Option<BTreeSet<String>> {
        let read = patiently(self, Request::get("/apis")).await.ok().filter(Exchange::succeeded)?;
        Some(
            group_names(&read)
                .map(|name| self.redactor().redact(name))
                .filter(|group| is_own(group))
                .collect(),
        )
    }

    /// How the cluster differs from that before the first scenario, as a connection shows it; `None` if it does not, or if
    /// it cannot be read.
    pub async fn cluster_change(&self, before: &TargetInfo, connection: u8) -> Option<String> {
        let was = before.cluster.as_ref()?;
        let read = Request::get(SYSTEM).connection(connection);
        let cluster = self.cluster(read).await.filter(|cluster| cluster != was)?;
        Some(format!("the namespace kube-system has the UID {cluster}, and had {was} before the run"))
    }

    /// The release in `/version`, or empty.
    pub(super) fn release(&self, version: &Exchange) -> String {
        let release = version.json().and_then(|json| json["gitVersion"].as_str()).unwrap_or_default();
        self.redactor().redact(release)
    }

    /// The cluster's UID; `None` where the core group has no namespaces.
    pub(super) async fn cluster_with(&self, core: &Exchange) -> Option<String> {
        let resources = core.json()?["resources"].as_array()?;
        let has_namespaces = resources.iter().any(|one| one["name"] == "namespaces");
        if has_namespaces { self.cluster(Request::get(SYSTEM)).await } else { None }
    }

    /// The cluster's UID; `None` if it cannot be read.
    async fn cluster(&self, read: Request) -> Option<String> {
        let system = patiently(self, read).await.ok().filter(Exchange::succeeded)?;
        let uid = system.json()?["metadata"]["uid"].as_str()?;
        Some(self.redactor().redact(uid)).filter(|uid| !uid.is_empty())
    }
}

fn is_own(group: &str) -> bool {
    !group.is_empty() && is_of_the_project(group)
}

/// How the groups differ from earlier ones; `None` if they do not.
fn difference(was: &BTreeSet<String>, now: &BTreeSet<String>) -> Option<String> {
    let [added, removed] = [now.difference(was), was.difference(now)]
        .map(|groups| groups.map(String::as_str).collect::<Vec<_>>().join(", "));
    match (added.is_empty(), removed.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("/apis lists groups that it did not list before the run: {added}")),
        (_, false) => Some(format!("/apis does not list groups that it listed before the run: {removed}")),
    }
}

/// A UID besides the target's own that is there twice.
fn seen_twice(seen: impl IntoIterator<Item = String>, own: &str) -> Option<String> {
    let mut others = HashSet::new();
    seen.into_iter().filter(|uid| uid != own).find(|uid| !others.insert(uid.clone()))
}
