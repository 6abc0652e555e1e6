//! The documents and texts of a server with these faults.

use serde_json::{Value, json};

use super::LIST;
use crate::fault::RequestFacts;

/// From this release on, every removal of the catalogue applies.
pub(super) fn pretend_a_later_release(request: &RequestFacts, text: &str) -> String {
    if request.path != "/version" {
        return LIST.to_owned();
    }
    edited(text, |version| {
        version["minor"] = "40".into();
        version["emulationMinor"] = "40".into();
    })
}

/// A JSON text after an edit.
fn edited(text: &str, edit: impl FnOnce(&mut Value)) -> String {
    let mut json = serde_json::from_str(text).unwrap_or_default();
    edit(&mut json);
    json.to_string()
}

/// What only servers up to 1.31 serve.
pub(super) fn serve_flow_schemas(request: &RequestFacts, text: &str) -> String {
    const VERSION: &str = "flowcontrol.apiserver.k8s.io/v1beta3";
    if request.path != "/apis" {
        let flow_schemas = json!({ "name": "flowschemas", "singularName": "flowschema", "namespaced": false, "kind": "FlowSchema", "verbs": ["list"] });
        return json!({ "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": VERSION, "resources": [flow_schemas] }).to_string();
    }
    edited(text, |list| {
        let groups = list["groups"].as_array_mut().into_iter().flatten();
        for group in groups.filter(|group| group["name"] == "flowcontrol.apiserver.k8s.io") {
            if let Some(versions) = group["versions"].as_array_mut() {
                versions.push(json!({ "groupVersion": VERSION, "version": "v1beta3" }));
            }
        }
    })
}

/// The resources of an `APIResourceList`.
fn resources(list: &mut Value) -> Option<&mut Vec<Value>> {
    list["resources"].as_array_mut()
}

pub(super) fn add_pod_security_policies(list: &mut Value) {
    if let Some(resources) = resources(list) {
        resources.push(json!({ "name": "podsecuritypolicies", "singularName": "podsecuritypolicy", "namespaced": false, "kind": "PodSecurityPolicy", "verbs": ["list"] }));
    }
}

pub(super) fn omit(list: &mut Value, plural: &str) {
    if let Some(resources) = resources(list) {
        resources.retain(|resource| resource["name"] != plural);
    }
}

pub(super) fn remove_verb(list: &mut Value, plural: &str, verb: &str) {
    for resource in resources(list).into_iter().flatten().filter(|resource| resource["name"] == plural) {
        if let Some(verbs) = resource["verbs"].as_array_mut() {
            verbs.retain(|known| known != verb);
        }
    }
}

/// Adds a resource to an aggregated document, in a version of an existing group.
pub(super) fn aggregate(list: &mut Value, group_version: &str, plural: &str) {
    let (group, version) = group_version.split_once('/').unwrap_or_default();
    let resource = json!({ "resource": plural, "scope": "Cluster", "verbs": ["list"] });
    let added = json!({ "version": version, "resources": [resource], "freshness": "Current" });
    let groups = list["items"].as_array_mut().into_iter().flatten();
    for item in groups.filter(|item| item["metadata"]["name"] == group) {
        if let Some(versions) = item["versions"].as_array_mut() {
            versions.push(added.clone());
        }
    }
}

/// Adds a version to the index of `OpenAPI`, and a document with one path.
pub(super) fn describe(request: &RequestFacts, text: &str, group_version: &str, plural: &str) -> String {
    if request.path != "/openapi/v3" {
        let path = format!("/apis/{group_version}/{plural}");
        return json!({ "openapi": "3.0.0", "paths": { path: {} } }).to_string();
    }
    edited(text, |index| {
        let url = format!("/openapi/v3/apis/{group_version}");
        index["paths"][format!("apis/{group_version}")]["serverRelativeURL"] = url.into();
    })
}

/// Metrics without the gauge of deprecated APIs.
pub(super) fn uncount(_: &RequestFacts, text: &str) -> String {
    text.replace("apiserver_requested_deprecated_apis", "apiserver_requested_apis")
}
