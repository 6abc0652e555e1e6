//! Generic control plane variant: namespaces, permissions and definitions, and nothing that runs containers.

use serde_json::Value;

use super::published;
use crate::fault::RequestFacts;

/// The served types of the core group.
const CORE: [&str; 6] =
    ["configmaps", "events", "namespaces", "resourcequotas", "secrets", "serviceaccounts"];

/// The groups that are about containers, their nodes, networks and volumes.
const ABOUT_CONTAINERS: [&str; 10] = [
    "apps",
    "autoscaling",
    "batch",
    "discovery.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
];

/// Whether a request is about a group that the server does not serve.
pub(super) fn is_of_an_unserved_group(request: &RequestFacts) -> bool {
    !is_served(&request.path) && !request.path.starts_with("/api/")
}

/// Whether a request is about a type of the core group that the server does not serve.
pub(super) fn is_of_an_unserved_core_type(request: &RequestFacts) -> bool {
    !is_served(&request.path) && request.path.starts_with("/api/")
}

/// Removes the groups that the server does not serve from a list of groups.
pub(super) fn list_groups(document: &mut Value) {
    published::retain_groups(document, |group| !ABOUT_CONTAINERS.contains(&group));
}

/// Removes the types that the server does not serve from the core group.
pub(super) fn list_core_types(document: &mut Value) {
    published::retain_core_types(document, |plural| CORE.contains(&plural));
}

/// Removes the paths that the server does not serve from an `OpenAPI` document, or from the list of them.
pub(super) fn describe(document: &mut Value) {
    published::retain_paths(document, is_served);
}

/// Whether a path belongs to a group and a type that the server serves.
fn is_served(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    let path = path.strip_prefix("openapi/v3/").unwrap_or(path);
    let segments: Vec<_> = path.split('/').collect();
    match segments[..] {
        ["apis", group, ..] => !ABOUT_CONTAINERS.contains(&group),
        ["api", "v1", "namespaces", _, "status" | "finalize"] => true,
        ["api", "v1", "watch", "namespaces", _, plural, ..]
        | ["api", "v1", "namespaces", _, plural, ..]
        | ["api", "v1", "watch", plural, ..]
        | ["api", "v1", plural, ..] => CORE.contains(&plural),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_served_by_group_and_type() {
        for path in [
            "/api/v1",
            "/api/v1/namespaces/a",
            "/api/v1/namespaces/a/status",
            "/api/v1/namespaces/a/configmaps/b",
            "/api/v1/watch/namespaces/{namespace}/secrets",
            "/apis/rbac.authorization.k8s.io/v1",
            "apis/example.com/v1/deployments",
            "/openapi/v3/api/v1",
            "/healthz",
        ] {
            assert!(is_served(path), "{path}");
        }
        for path in [
            "/api/v1/pods",
            "/api/v1/namespaces/a/services/b/status",
            "/api/v1/nodes/n/proxy/configmaps",
            "/apis/apps/v1/namespaces/a/deployments",
            "apis/apps",
            "/openapi/v3/apis/batch/v1",
        ] {
            assert!(!is_served(path), "{path}");
        }
    }
}
