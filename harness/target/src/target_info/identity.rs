//! What tells one server from another at the same address: its release, and the UID of its cluster.

use model::{Exchange, Request, TargetInfo};

use super::patiently;
use crate::client::Client;

/// The namespace of every cluster whose UID stays the same for the cluster's life.
const SYSTEM: &str = "/api/v1/namespaces/kube-system";

impl Client {
    /// How the release differs from that before the first scenario; `None` if it does not, or if it cannot be read.
    pub async fn release_change(&self, before: &TargetInfo) -> Option<String> {
        let version = patiently(self, Request::get("/version")).await.ok().filter(Exchange::succeeded)?;
        let (release, was) = (self.release(&version), &before.release);
        let change = || format!("/version has the gitVersion {release:?}, and had {was:?} before the run");
        (release != *was).then(change)
    }

    /// How the cluster differs from that before the first scenario, as a connection shows it; `None` if it does not, or if
    /// it cannot be read.
    pub async fn cluster_change(&self, before: &TargetInfo, connection: u8) -> Option<String> {
        let was = before.cluster.as_ref()?;
        let cluster = self.cluster(connection).await.filter(|cluster| cluster != was)?;
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
        if resources.iter().any(|one| one["name"] == "namespaces") { self.cluster(0).await } else { None }
    }

    /// The cluster's UID; `None` if it cannot be read.
    async fn cluster(&self, connection: u8) -> Option<String> {
        let read = Request::get(SYSTEM).connection(connection);
        let system = patiently(self, read).await.ok().filter(Exchange::succeeded)?;
        let uid = system.json()?["metadata"]["uid"].as_str()?;
        Some(self.redactor().redact(uid)).filter(|uid| !uid.is_empty())
    }
}
