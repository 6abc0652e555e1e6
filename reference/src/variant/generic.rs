//! Generic control plane variant: namespaces, permissions and definitions, and nothing that runs containers.

use serde_json::Value;

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

/// Removes the groups that the server does not serve from a list of groups, of either form.
pub(super) fn list_groups(document: &mut Value) {
    retain(document, ["/groups", "/items"], |group| {
        let name = group["name"].as_str().or(group["metadata"]["name"].as_str());
        name.is_none_or(|name| !ABOUT_CONTAINERS.contains(&name))
    });
}

/// Removes the types that the server does not serve from the core group, of either form.
pub(super) fn list_core_types(document: &mut Value) {
    retain(document, ["/resources", "/items/0/versions/0/resources"], |of_type| {
        let path = of_type["name"].as_str().or(of_type["resource"].as_str()).unwrap_or_default();
        CORE.contains(&path.split('/').next().unwrap_or_default())
    });
}

fn retain(document: &mut Value, places: [&str; 2], is_served: impl Fn(&Value) -> bool) {
    for place in places {
        if let Some(listed) = document.pointer_mut(place).and_then(Value::as_array_mut) {
            listed.retain(&is_served);
        }
    }
}

/// Removes the paths that the server does not serve from an `OpenAPI` document, or from the list of them.
pub(super) fn describe(document: &mut Value) {
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|path, _| is_served(path));
    }
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
    use serde_json::json;

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

    #[test]
    fn discovery_lists_what_is_served_in_both_forms() {
        let mut groups = json!({ "groups": [{ "name": "apps" }, { "name": "example.com" }] });
        list_groups(&mut groups);
        assert_eq!(groups, json!({ "groups": [{ "name": "example.com" }] }));

        let mut aggregated = json!({ "items": [{ "metadata": { "name": "apps" } }, { "metadata": { "name": "example.com" } }] });
        list_groups(&mut aggregated);
        assert_eq!(aggregated, json!({ "items": [{ "metadata": { "name": "example.com" } }] }));

        let mut types = json!({ "resources": [{ "name": "pods/log" }, { "name": "secrets" }, { "name": "namespaces/status" }] });
        list_core_types(&mut types);
        assert_eq!(types, json!({ "resources": [{ "name": "secrets" }, { "name": "namespaces/status" }] }));

        let core =
            |types: Value| json!({ "items": [{ "metadata": {}, "versions": [{ "resources": types }] }] });
        let mut aggregated = core(json!([{ "resource": "pods" }, { "resource": "configmaps" }]));
        list_core_types(&mut aggregated);
        assert_eq!(aggregated, core(json!([{ "resource": "configmaps" }])));
    }
}
