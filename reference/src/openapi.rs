//! `OpenAPI` documents: fields, patch strategies and the fieldValidation parameter.

mod schema;
mod shared;

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::api::{Call, json};
use crate::component_status::VERSION;
use crate::kubelet;
use crate::non_resource_paths::not_found;
use crate::patch;
use crate::resource_type::ResourceType;
use schema::Schemas;
use shared::Place;

/// The parameters of writes.
const PARAMETERS: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];

/// The media types of patches; the last one only for built-in types.
const PATCHES: &[&str] = &[patch::APPLY, "application/json-patch+json", "application/merge-patch+json"];
const STRATEGIC: &str = "application/strategic-merge-patch+json";

/// Returns the document of a path below /openapi.
pub(crate) fn respond(call: &Call, rest: &[&str]) -> Response {
    let types = call.cluster.registry.all();
    let document = match rest {
        ["v2"] => Some(version_2(&types)),
        ["v3"] => Some(json!({"paths": root_paths(&types)})),
        ["v3", "api", version] => version_3(&types, "", version),
        ["v3", "apis", group, version] => version_3(&types, group, version),
        _ => None,
    };
    document.map_or_else(not_found, |document| json(StatusCode::OK, &document))
}

fn path_of(ty: &ResourceType) -> String {
    if ty.group.is_empty() {
        format!("api/{}", ty.version)
    } else {
        format!("apis/{}/{}", ty.group, ty.version)
    }
}

fn root_paths(types: &[Arc<ResourceType>]) -> Value {
    let entry = |ty: &Arc<ResourceType>| {
        let path_of = path_of(ty);
        let url = json!({"serverRelativeURL": format!("/openapi/v3/{path_of}")});
        (path_of, url)
    };
    Value::Object(types.iter().map(entry).collect())
}

fn version_3(types: &[Arc<ResourceType>], group: &str, version: &str) -> Option<Value> {
    let served: Vec<_> = types.iter().filter(|ty| ty.group == group && ty.version == version).collect();
    if served.is_empty() {
        return None;
    }
    let mut paths = Map::new();
    let mut schemas = Schemas::at(Place::Components, types);
    for ty in served {
        let reference = Place::Components.reference(&schema::name(ty));
        paths.extend(operations(ty, &json!({"content": {"application/json": {"schema": reference}}})));
        schemas.add(ty);
    }
    Some(json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": VERSION},
        "paths": paths,
        "components": {"schemas": schemas.into_all()},
    }))
}

fn version_2(types: &[Arc<ResourceType>]) -> Value {
    let mut paths = Map::new();
    let mut definitions = Schemas::at(Place::Definitions, types);
    for ty in types {
        let reference = Place::Definitions.reference(&schema::name(ty));
        paths.extend(operations(ty, &json!({"schema": reference})));
        definitions.add(ty);
    }
    json!({
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": VERSION},
        "paths": paths,
        "definitions": definitions.into_all(),
    })
}

/// The paths of a type, with their operations.
fn operations(ty: &ResourceType, response: &Value) -> Vec<(String, Value)> {
    let scope = if ty.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("/{}{scope}/{}", path_of(ty), ty.plural);
    let kind = json!({"group": ty.group, "version": ty.version, "kind": ty.kind});
    let operation = |action: &str| {
        let mut operation = json!({
            "responses": {"200": response},
            "parameters": parameters(action),
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": kind,
        });
        if action == "patch" {
            let media: Vec<_> = PATCHES.iter().chain(ty.custom.is_none().then_some(&STRATEGIC)).collect();
            let content =
                media.iter().map(|media| ((**media).to_owned(), json!({"schema": {"type": "object"}})));
            operation["requestBody"] = json!({"content": content.collect::<Map<_, _>>()});
            operation["consumes"] = json!(media);
            operation["responses"]["201"] = response.clone();
        }
        operation
    };
    let operations = |actions: &[(&str, &str, &str)]| {
        let supported = actions.iter().filter(|(_, _, verb)| ty.verbs.contains(verb));
        supported.map(|(method, action, _)| ((*method).to_owned(), operation(action))).collect()
    };
    let many = [
        ("get", "list", "list"),
        ("post", "post", "create"),
        ("delete", "deletecollection", "deletecollection"),
    ];
    let one = [
        ("get", "get", "get"),
        ("put", "put", "update"),
        ("patch", "patch", "patch"),
        ("delete", "delete", "delete"),
    ];
    let object = format!("{collection}/{{name}}");
    let mut paths = vec![
        (collection, Value::Object(operations(&many))),
        (object.clone(), Value::Object(operations(&one))),
    ];
    paths.extend(
        ty.subresources.iter().filter_map(|name| Some((format!("{object}/{name}"), connections(name)?))),
    );
    paths
}

/// The operations of a subresource whose responses are streams; `None` for another one.
fn connections(subresource: &str) -> Option<Value> {
    let operation = |action: &str| json!({ "responses": { "200": { "description": "OK" } }, "x-kubernetes-action": action });
    match subresource {
        "log" => Some(json!({ "get": operation("get") })),
        name if kubelet::is_upgraded(name) => {
            Some(json!({ "get": operation("connect"), "post": operation("connect") }))
        }
        _ => None,
    }
}

fn parameters(action: &str) -> Value {
    if !matches!(action, "post" | "put" | "patch") {
        return json!([]);
    }
    let parameter = |name: &str, ty: &str| json!({"name": name, "in": "query", "schema": {"type": ty}});
    let force = (action == "patch").then(|| parameter("force", "boolean"));
    PARAMETERS.iter().map(|name| parameter(name, "string")).chain(force).collect()
}
