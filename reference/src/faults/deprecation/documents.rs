//! Discovery documents with these faults.

use serde_json::{Value, json};

fn groups(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list["groups"].as_array_mut().into_iter().flatten()
}

fn version(group: &Value, name: &str) -> Value {
    json!({ "groupVersion": format!("{}/{name}", group["name"].as_str().unwrap_or_default()), "version": name })
}

/// v2 is there for autoscaling alone.
pub(super) fn share_versions(list: &mut Value) {
    for group in groups(list) {
        group["versions"] = json!([version(group, "v2"), version(group, "v1")]);
    }
}

pub(super) fn add_candidate(list: &mut Value) {
    for group in groups(list).filter(|group| group["name"] == "apps") {
        group["versions"] = json!([version(group, "v1"), version(group, "v1-rc1")]);
    }
}

pub(super) fn prefer_another(list: &mut Value) {
    groups(list).for_each(|group| group["preferredVersion"] = version(group, "v9"));
}

pub(super) fn sort_versions(group: &mut Value) {
    if let Some(versions) = group["versions"].as_array_mut() {
        versions.sort_by_key(|version| version["version"].to_string());
    }
    group["preferredVersion"] = group["versions"][0].clone();
}

pub(super) fn remove_older_autoscaling(list: &mut Value) {
    for group in groups(list).filter(|group| group["name"] == "autoscaling") {
        group["versions"] = json!([version(group, "v2")]);
    }
}

pub(super) fn hide_endpoints(list: &mut Value) {
    if let Some(resources) = list["resources"].as_array_mut() {
        resources.retain(|resource| resource["name"] != "endpoints");
    }
}
