//! Discovery documents: groups, versions and resources.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, VARY};
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::content_negotiation;
use crate::failure::Failure;
use crate::non_resource_paths::not_found;
use crate::resource_type::ResourceType;

/// The media type of aggregated discovery.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Returns the document of a discovery path.
pub(crate) fn respond(call: &Call, parts: &[&str]) -> ApiResult {
    let types = call.cluster.registry.all();
    let parts = parts.strip_suffix(&[""]).unwrap_or(parts);
    let core = parts[0] == "api";
    if parts.len() == 1 && wants_aggregated(call) {
        return Ok(cached(call, &aggregated(&types, core)));
    }
    if !content_negotiation::accepts_object(&call.headers) {
        return Err(Failure::not_acceptable("application/json"));
    }
    let document = match parts {
        ["api"] => Some(api_versions(call)),
        ["apis"] => Some(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups(&types)})),
        ["api", version] => resources(&types, "", version),
        ["apis", group] => {
            groups(&types).into_iter().find(|found| found["name"] == **group).map(|group| as_document(&group))
        }
        ["apis", group, version] => resources(&types, group, version),
        _ => None,
    };
    if document.is_none() && core {
        return Err(Failure::no_such_resource());
    }
    Ok(document.map_or_else(not_found, |document| json(StatusCode::OK, &document)))
}

fn wants_aggregated(call: &Call) -> bool {
    let is_aggregated = |range: &content_negotiation::Range<'_>| {
        range.media == "application/json"
            && range.parameter("as") == "APIGroupDiscoveryList"
            && range.parameter("g") == "apidiscovery.k8s.io"
            && range.parameter("v") == "v2"
    };
    content_negotiation::ranges(&call.headers).iter().any(is_aggregated)
}

fn api_versions(call: &Call) -> Value {
    let host = call.headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    json!({
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": host}],
    })
}

fn as_document(group: &Value) -> Value {
    let mut document = json!({"kind": "APIGroup", "apiVersion": "v1"});
    for (field, value) in group.as_object().into_iter().flatten() {
        document[field] = value.clone();
    }
    document
}

/// The versions of each group, preferred first.
fn versions(types: &[Arc<ResourceType>], core: bool) -> BTreeMap<&str, Vec<&str>> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for ty in types.iter().filter(|ty| ty.group.is_empty() == core) {
        let group_versions = versions.entry(&ty.group).or_default();
        if !group_versions.contains(&ty.version.as_str()) {
            group_versions.push(&ty.version);
        }
    }
    for group_versions in versions.values_mut() {
        group_versions.sort_by_key(|version| Reverse(order(version)));
    }
    versions
}

/// The rank of a version: the preferred one is the greatest. Stable before beta before alpha, then by descending
/// number. Other names come last, in alphabetical order.
pub(crate) fn order(version: &str) -> ((u8, u64, u64), Reverse<&str>) {
    (numbered(version).unwrap_or_default(), Reverse(version))
}

/// The stage and numbers of a name such as `v1beta2`; `None` for other names.
fn numbered(version: &str) -> Option<(u8, u64, u64)> {
    let rest = version.strip_prefix('v')?;
    for (stage, word) in [(2, "beta"), (1, "alpha")] {
        if let Some((major, minor)) = rest.split_once(word) {
            return Some((stage, number(major)?, number(minor)?));
        }
    }
    Some((3, number(rest)?, 0))
}

/// A positive number without zeros before it.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| *number > 0 && number.to_string() == text)
}

fn groups(types: &[Arc<ResourceType>]) -> Vec<Value> {
    let group = |(group, versions): (&str, Vec<&str>)| {
        let version =
            |version: &&str| json!({"groupVersion": format!("{group}/{version}"), "version": version});
        let versions: Vec<Value> = versions.iter().map(version).collect();
        json!({"name": group, "preferredVersion": versions.first(), "versions": versions})
    };
    versions(types, false).into_iter().map(group).collect()
}

fn resources(types: &[Arc<ResourceType>], group: &str, version: &str) -> Option<Value> {
    let types: Vec<_> = types.iter().filter(|ty| ty.group == group && ty.version == version).collect();
    let first = types.first()?;
    let resources: Vec<Value> = types.iter().flat_map(|ty| entries(ty)).collect();
    Some(json!({
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": first.api_version(),
        "resources": resources,
    }))
}

fn entries(ty: &ResourceType) -> Vec<Value> {
    let mut main = json!({
        "name": ty.plural,
        "singularName": ty.singular,
        "namespaced": ty.namespaced,
        "kind": ty.kind,
        "verbs": ty.verbs,
    });
    add_names(&mut main, ty);
    let sub = |name: &String| {
        let mut entry = json!({
            "name": format!("{}/{name}", ty.plural),
            "singularName": "",
            "namespaced": ty.namespaced,
        });
        let (group, version, kind) = kind_of(name, ty);
        if !group.is_empty() {
            entry["group"] = group.into();
            entry["version"] = version.into();
        }
        entry["kind"] = kind.into();
        entry["verbs"] = verbs_of(name).into();
        entry
    };
    std::iter::once(main).chain(ty.subresources.iter().map(sub)).collect()
}

fn add_names(entry: &mut Value, ty: &ResourceType) {
    if !ty.short_names.is_empty() {
        entry["shortNames"] = ty.short_names.clone().into();
    }
    if !ty.categories.is_empty() {
        entry["categories"] = ty.categories.clone().into();
    }
}

/// The verbs of a subresource.
pub(crate) fn verbs_of(subresource: &str) -> Vec<&'static str> {
    match subresource {
        "attach" | "exec" | "portforward" => vec!["create", "get"],
        "binding" | "eviction" | "token" => vec!["create"],
        "finalize" => vec!["update"],
        "log" => vec!["get"],
        "proxy" => vec!["create", "delete", "get", "patch", "update"],
        _ => vec!["get", "patch", "update"],
    }
}

/// The kind of a subresource: its type's kind, unless it has its own.
pub(crate) fn kind_of<'a>(subresource: &str, ty: &'a ResourceType) -> (&'static str, &'static str, &'a str) {
    match subresource {
        "attach" => ("", "", "PodAttachOptions"),
        "binding" => ("", "", "Binding"),
        "eviction" => ("policy", "v1", "Eviction"),
        "exec" => ("", "", "PodExecOptions"),
        "portforward" => ("", "", "PodPortForwardOptions"),
        "proxy" if ty.plural == "nodes" => ("", "", "NodeProxyOptions"),
        "proxy" if ty.plural == "pods" => ("", "", "PodProxyOptions"),
        "proxy" => ("", "", "ServiceProxyOptions"),
        "scale" => ("autoscaling", "v1", "Scale"),
        "token" => ("authentication.k8s.io", "v1", "TokenRequest"),
        _ => ("", "", &ty.kind),
    }
}

fn aggregated(types: &[Arc<ResourceType>], core: bool) -> Value {
    let items: Vec<Value> = versions(types, core)
        .into_iter()
        .map(|(group, versions)| {
            let version = |version: &&str| {
                let version_types = types.iter().filter(|ty| ty.group == group && ty.version == **version);
                let resources: Vec<Value> = version_types.map(|ty| aggregated_entry(ty)).collect();
                json!({"version": version, "resources": resources, "freshness": "Current"})
            };
            let versions: Vec<Value> = versions.iter().map(version).collect();
            let metadata = if core { json!({}) } else { json!({"name": group}) };
            json!({"metadata": metadata, "versions": versions})
        })
        .collect();
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items,
    })
}

/// An aggregated document with its `ETag`, or 304 if the client has it.
fn cached(call: &Call, document: &Value) -> Response {
    let mut hasher = DefaultHasher::new();
    document.to_string().hash(&mut hasher);
    let etag = format!("\"{:016X}\"", hasher.finish());
    let known = call.headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == etag.as_bytes());
    let mut response = if known { Response::default() } else { json(StatusCode::OK, document) };
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(AGGREGATED));
    }
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public"));
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    headers.extend(HeaderValue::from_str(&etag).ok().map(|etag| (ETAG, etag)));
    response
}

fn aggregated_entry(ty: &ResourceType) -> Value {
    let kind =
        |group: &str, version: &str, kind: &str| json!({"group": group, "version": version, "kind": kind});
    let sub = |name: &String| {
        let (group, version, kind_name) = kind_of(name, ty);
        let response = kind(group, version, kind_name);
        json!({"subresource": name, "responseKind": response, "verbs": verbs_of(name)})
    };
    let mut entry = json!({
        "resource": ty.plural,
        "responseKind": kind(&ty.group, &ty.version, &ty.kind),
        "scope": if ty.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": ty.singular,
        "verbs": ty.verbs,
    });
    add_names(&mut entry, ty);
    if !ty.subresources.is_empty() {
        entry["subresources"] = ty.subresources.iter().map(sub).collect();
    }
    entry
}
