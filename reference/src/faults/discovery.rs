//! Faults of discovery: groups, versions, resources, and the aggregated documents.

use serde_json::{Value, json};

use crate::fault::{Edit::*, Fault, When, When::*, on};

const GETS: When = Method("GET");
const GROUPS: When = Path("/apis");
/// Requests for an aggregated document.
const AGGREGATED: When = HeaderHas("accept", "as=APIGroupDiscoveryList");
const PLAIN: When = Not(&AGGREGATED);
/// The group of a custom type is in the path.
const OF_CUSTOM_GROUP: When = Matches(|request| request.path.contains(OWN));
/// The suffix of the groups of runs.
const OWN: &str = ".kube-assay.dev";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The names of versions.
    on("discovery-stability-by-version-name", "the server lists a built-in version v1-rc1", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "policy", "v1-rc1"))]),
    on("discovery-alpha-name", "the server lists an alpha version v1-alpha", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "policy", "v1-alpha"))]),
    on("discovery-beta-name", "the server lists a beta version 1beta1", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "policy", "1beta1"))]),
    on("discovery-stable-name", "the server lists a stable version v1.0", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "policy", "v1.0"))]),
    on("discovery-alpha-off-by-default", "a default server lists an alpha version", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "policy", "v1alpha1"))]),
    on("discovery-beta-off-by-default", "a default server lists a new beta version", &[GROUPS, PLAIN], &[EditJson(|list| add_version(list, "coordination.k8s.io", "v1beta1"))]),
    on("discovery-defaults-enabled", "a default server serves only the core group", &[GROUPS, PLAIN], &[Set("/groups", "[]")]),
    // Objects.
    on("discovery-group-in-path-and-apiversion", "objects of named groups have the apiVersion v1", &[GETS, Resource, PathPrefix("/apis/")], &[Set("/apiVersion", "\"v1\"")]),
    on("discovery-core-path", "the server serves core resources under /apis/core only", &[GETS, Plural("namespaces"), Collection], &[Fail(404, "NotFound", "not found")]),
    on("discovery-core-apiversion", "core objects have the apiVersion core/v1", &[GETS, Plural("namespaces"), Object], &[Set("/apiVersion", "\"core/v1\"")]),
    on("discovery-named-group-apiversion", "objects have the apiVersion of another version", &[GETS, Object], &[EditJson(rename_version)]),
    on("discovery-versions-share-data", "each version has its own objects", &[GETS, Object, Matches(|request| request.path.contains("/v2/"))], &[Fail(404, "NotFound", "not found")]),
    // The documents of groups.
    on("discovery-named-group-path", "a listed group has no document", &[Path("/apis/batch/v1")], &[Fail(404, "NotFound", "not found")]),
    on("discovery-disabled-version-404", "a version that is not served still responds", &[PathPrefix("/apis/"), Matches(|request| request.path.contains("/v3alpha1"))], &[ReplaceInPath("/v3alpha1", "/v1")]),
    on("discovery-apis-lists-groups", "/apis omits the groups of custom resources", &[PathPrefix("/apis"), Matches(|request| matches!(request.path.as_str(), "/apis" | "/apis/")), PLAIN], &[EditJson(|list| keep_groups(list, "groups"))]),
    on("discovery-preferred-version-valid", "the preferred version of a group is not served", &[GROUPS, PLAIN], &[ReplaceText("\"preferredVersion\":{\"groupVersion\":\"apps/v1\"", "\"preferredVersion\":{\"groupVersion\":\"apps/v2\"")]),
    on("discovery-group-document", "the document of a group omits its version", &[Path("/apis/apps")], &[Set("/versions", "[]")]),
    on("discovery-api-root", "/api has the kind of /apis", &[Path("/api"), PLAIN], &[Set("/kind", "\"APIGroupList\"")]),
    on("discovery-default-unaggregated", "the server sends aggregated documents by default", &[Any(&[GROUPS, Path("/api")]), Any(&[NoHeader("accept"), HeaderHas("accept", "*/*")])],
        &[SetRequestHeader("accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")]),
    // Resources.
    on("discovery-resource-list-groupversion", "the documents of custom groups have no groupVersion", &[Discovery, OF_CUSTOM_GROUP], &[Set("/groupVersion", "\"\"")]),
    on("discovery-resource-entry-fields", "custom resources have no verbs", &[Discovery, OF_CUSTOM_GROUP], &[EditJson(|list| each_resource(list, |resource| drop(resource.as_object_mut().map(|fields| fields.shift_remove("verbs")))))]),
    on("discovery-singular-name", "custom resources have no singular name", &[Discovery, OF_CUSTOM_GROUP], &[EditJson(|list| each_resource(list, |resource| resource["singularName"] = "".into()))]),
    on("discovery-short-names", "custom resources have no short names", &[Discovery, OF_CUSTOM_GROUP], &[EditJson(|list| each_resource(list, |resource| resource["shortNames"] = Value::Null))]),
    on("discovery-categories", "custom resources have no categories", &[Discovery, OF_CUSTOM_GROUP], &[EditJson(|list| each_resource(list, |resource| resource["categories"] = Value::Null))]),
    on("discovery-verbs-truthful", "a watch of a resource with the verb watch is not allowed", &[Watch, Plural("leases")], &[Reject(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")]),
    on("discovery-namespaced-truthful", "a resource without namespaces is listed as namespaced", &[Path("/apis/admissionregistration.k8s.io/v1")], &[EditJson(|list| each_resource(list, |resource| resource["namespaced"] = true.into()))]),
    on("discovery-subresource-entries", "discovery omits subresources that work", &[Discovery], &[EditJson(remove_subresources)]),
    // The aggregated documents.
    on("discovery-aggregated-apis", "the aggregated document omits the groups of custom resources", &[GROUPS, AGGREGATED], &[EditJson(|list| keep_groups(list, "items"))]),
    on("discovery-aggregated-names", "the aggregated document omits short names", &[GROUPS, AGGREGATED], &[EditJson(|list| each_version(list, |version| each_resource(version, |resource| drop(resource.as_object_mut().map(|fields| fields.shift_remove("shortNames"))))))]),
    on("discovery-aggregated-response-kind", "the kinds in the aggregated document are of another group", &[GROUPS, AGGREGATED], &[EditJson(|list| each_version(list, |version| each_resource(version, |resource| resource["responseKind"]["group"] = "example.com".into())))]),
    on("discovery-aggregated-api", "/api ignores Accept", &[Path("/api")], &[SetRequestHeader("accept", "application/json")]),
    on("discovery-aggregated-content-type", "aggregated documents have Content-Type application/json", &[AGGREGATED, StatusIs(200)], &[Header("content-type", "application/json")]),
    on("discovery-aggregated-etag", "the ETag never changes", &[AGGREGATED], &[Header("etag", "\"0\"")]),
    on("discovery-aggregated-vary", "aggregated documents have no Vary", &[AGGREGATED], &[WithoutHeader("vary")]),
    on("discovery-aggregated-fallback", "the server reads only the first form in Accept", &[HeaderHas("accept", "v=v99"), HeaderHas("accept", ",")], &[Reject(406, "NotAcceptable", "not acceptable")]),
    on("discovery-aggregated-only-unsupported-406", "the server ignores the version of an aggregated form", &[HeaderHas("accept", "v=v99")], &[SetRequestHeader("accept", "application/json")]),
    on("discovery-aggregated-version-order", "the versions of an aggregated group are in alphabetical order", &[AGGREGATED], &[EditJson(sort_versions)]),
    on("discovery-aggregated-subresources-nested", "the aggregated document lists subresources as resources", &[AGGREGATED], &[EditJson(unnest_subresources)]),
    on("discovery-aggregated-crd-appears", "the aggregated document omits new custom resources", &[GROUPS, AGGREGATED], &[EditJson(omit_new_groups)]),
    on("discovery-aggregated-freshness", "the aggregated versions have no freshness", &[AGGREGATED], &[EditJson(|list| each_version(list, |version| drop(version.as_object_mut().map(|fields| fields.shift_remove("freshness")))))]),
    on("discovery-aggregated-nopeer-profile", "the server rejects the parameter profile", &[HeaderHas("accept", "profile=")], &[Reject(406, "NotAcceptable", "not acceptable")]),
];

/// The elements of a list field.
fn each<'a>(value: &'a mut Value, field: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Adds a version to a group of `/apis`.
fn add_version(list: &mut Value, group: &str, version: &str) {
    for found in each(list, "groups").filter(|found| found["name"] == group) {
        let added = json!({"groupVersion": format!("{group}/{version}"), "version": version});
        if let Some(versions) = found["versions"].as_array_mut() {
            versions.push(added);
        }
    }
}

/// Gives an object of a named group another version.
fn rename_version(object: &mut Value) {
    let named = object["apiVersion"].as_str().and_then(|version| version.split_once('/'));
    if let Some(renamed) = named.map(|(group, _)| format!("{group}/v1beta1")) {
        object["apiVersion"] = renamed.into();
    }
}

/// The name of a group in either form of document.
fn name(group: &Value) -> &str {
    group["name"].as_str().or(group["metadata"]["name"].as_str()).unwrap_or_default()
}

/// Removes the groups of custom resources from a field.
fn keep_groups(list: &mut Value, field: &str) {
    if let Some(groups) = list[field].as_array_mut() {
        groups.retain(|group| !name(group).ends_with(OWN));
    }
}

/// Removes the groups of the custom resources of single scenarios.
fn omit_new_groups(list: &mut Value) {
    if let Some(groups) = list["items"].as_array_mut() {
        groups.retain(|group| !name(group).starts_with("assay-"));
    }
}

fn each_resource(list: &mut Value, edit: fn(&mut Value)) {
    each(list, "resources").for_each(edit);
}

fn remove_subresources(list: &mut Value) {
    if let Some(resources) = list.get_mut("resources").and_then(Value::as_array_mut) {
        resources.retain(|resource| resource["name"].as_str().is_some_and(|name| !name.contains('/')));
    }
}

/// Edits each version of an aggregated document.
fn each_version(list: &mut Value, edit: fn(&mut Value)) {
    each(list, "items").flat_map(|group| each(group, "versions")).for_each(edit);
}

fn sort_versions(list: &mut Value) {
    for group in each(list, "items") {
        if let Some(versions) = group["versions"].as_array_mut() {
            versions.sort_by_key(|version| version["version"].to_string());
        }
    }
}

/// Lists the status subresources as resources.
fn unnest_subresources(list: &mut Value) {
    each_version(list, |version| {
        let Some(resources) = version["resources"].as_array_mut() else { return };
        for resource in resources {
            if resource.as_object_mut().is_some_and(|fields| fields.shift_remove("subresources").is_some()) {
                resource["resource"] =
                    format!("{}/status", resource["resource"].as_str().unwrap_or_default()).into();
            }
        }
    });
}
