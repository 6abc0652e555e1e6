//! Whether a namespace of the run is gone, because another program deleted it or another server responds: objects and
//! responses that are then missing are no fault of the server.

use std::time::Duration;

use harness::load::{DurationKind, LoadRun, PartialCause, Series};
use harness::{Client, Request};
use serde_json::Value;

use crate::population::Place;

/// Timeout for all reads of namespaces of the run together, and for that of `kube-system`.
const WITHIN: Duration = Duration::from_secs(5);

/// Accuses the server of nothing if a namespace of the run is gone or being deleted before the run removes it.
///
/// It reads the namespaces only after a failure: a run without one has nothing to explain.
pub(crate) async fn excuse_deletion(load: &mut LoadRun, client: &Client, places: &[Place]) {
    let failed = load.of_kind(DurationKind::Latency).any(|series| Series::failed(series) > 0);
    if load.breaches.is_empty() && !failed {
        return;
    }
    let finding = tokio::time::timeout(WITHIN, deleted_namespace(client, places)).await;
    if let Ok(Some(namespace)) = finding {
        let cause = Box::pin(cause(load, client, namespace)).await;
        load.breaches.clear();
        load.partial = Some(format!("{cause}: the run accuses the server of nothing"));
        load.partial_cause = PartialCause::NamespaceDeleted;
    }
}

/// Why a namespace of the run is gone. An empty server lacks it as well.
async fn cause(load: &LoadRun, client: &Client, namespace: &str) -> String {
    let client = client.with_own_memory();
    let change = tokio::time::timeout(WITHIN, client.cluster_change(&load.target, 0)).await;
    change.ok().flatten().map_or_else(
        || format!("another program deleted the namespace {namespace} of this run"),
        |change| format!("another server responds there now, or the server has lost its data ({change})"),
    )
}

/// The first namespace that is gone or being deleted.
pub(crate) async fn deleted_namespace<'a>(client: &Client, places: &'a [Place]) -> Option<&'a str> {
    let client = client.with_own_memory();
    for Place { namespace, .. } in places {
        let request = Request::get(format!("/api/v1/namespaces/{namespace}"));
        let (response, _) = client.send(&request, "kube-assay read namespace").await.ok()?;
        if is_deleted(namespace, response.status, &response.body) {
            return Some(namespace);
        }
    }
    None
}

/// A 404 counts only if the server names the namespace: a proxy, or a server without namespaces, returns one for any path.
fn is_deleted(namespace: &str, status: u16, body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    match status {
        200 => body["kind"] == "Namespace" && !body["metadata"]["deletionTimestamp"].is_null(),
        404 => body["reason"] == "NotFound" && body["details"]["name"] == namespace,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_namespace_is_deleted_if_the_server_says_so() {
        let judge = |status, body: Value| is_deleted("n", status, body.to_string().as_bytes());
        let namespace = |metadata: Value| json!({ "kind": "Namespace", "metadata": metadata });
        let not_found =
            |details: Value| json!({ "kind": "Status", "reason": "NotFound", "details": details });
        assert!(judge(404, not_found(json!({ "name": "n", "kind": "namespaces" }))));
        assert!(!judge(404, not_found(json!({}))));
        assert!(judge(200, namespace(json!({ "deletionTimestamp": "2026-01-01T00:00:00Z" }))));
        assert!(!judge(200, namespace(json!({ "name": "a" }))));
        for status in [403, 404, 500] {
            assert!(!judge(status, json!({ "kind": "Status", "reason": "Forbidden" })), "{status}");
        }
        assert!(!is_deleted("n", 404, b"<html>"));
    }
}
