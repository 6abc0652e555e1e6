//! `OpenAPI`: just enough for clients to see which fields there are, how patches look, and that the server validates them.

mod schema;

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use serde_json::{Map, Value, json};

use self::schema::{Schemas, name};

use crate::api::{Call, json};
use crate::nonresource::not_found;
use crate::resource::ResourceType;

/// The parameters that writes take.
const PARAMETERS: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];

/// Answers a path below /openapi.
pub(crate) fn answer(call: &Call, rest: &[&str]) -> Response {
    let types = call.cluster.registry.all();
    let document = match rest {
        ["v2"] => Some(version_2(&types)),
        ["v3"] => Some(json!({"paths": places(&types)})),
        ["v3", "api", version] => version_3(&types, "", version),
        ["v3", "apis", group, version] => version_3(&types, group, version),
        _ => None,
    };
    document.map_or_else(not_found, |document| json(StatusCode::OK, &document))
}

fn place(ty: &ResourceType) -> String {
    if ty.group.is_empty() {
        format!("api/{}", ty.version)
    } else {
        format!("apis/{}/{}", ty.group, ty.version)
    }
}

fn places(types: &[Arc<ResourceType>]) -> Value {
    let entry = |ty: &Arc<ResourceType>| {
        let place = place(ty);
        let url = json!({"serverRelativeURL": format!("/openapi/v3/{place}")});
        (place, url)
    };
    Value::Object(types.iter().map(entry).collect())
}

fn version_3(types: &[Arc<ResourceType>], group: &str, version: &str) -> Option<Value> {
    let here: Vec<_> = types.iter().filter(|ty| ty.group == group && ty.version == version).collect();
    if here.is_empty() {
        return None;
    }
    let mut paths = Map::new();
    let mut schemas = Schemas::at("#/components/schemas/");
    for ty in here {
        let reference = schemas.reference(&name(ty));
        let answer = json!({"content": {"application/json": {"schema": reference}}});
        let patches = |media: &[&str]| {
            let content: Map<_, _> = media.iter().map(|media| ((*media).to_owned(), json!({}))).collect();
            ("requestBody", json!({"content": content}))
        };
        paths.extend(operations(ty, &answer, patches));
        schemas.add(ty);
    }
    Some(json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "v1.36.0+reference"},
        "paths": paths,
        "components": {"schemas": schemas.into_all()},
    }))
}

fn version_2(types: &[Arc<ResourceType>]) -> Value {
    let mut paths = Map::new();
    let mut definitions = Schemas::at("#/definitions/");
    for ty in types {
        let reference = definitions.reference(&name(ty));
        paths.extend(operations(ty, &json!({"schema": reference}), |media| ("consumes", json!(media))));
        definitions.add(ty);
    }
    json!({
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": "v1.36.0+reference"},
        "paths": paths,
        "definitions": definitions.into_all(),
    })
}

/// The paths of a type, with its operations. How the forms of patches are told differs from one version to the next.
fn operations(
    ty: &ResourceType,
    answer: &Value,
    patches: impl Fn(&[&str]) -> (&'static str, Value),
) -> Vec<(String, Value)> {
    let scope = if ty.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("/{}{scope}/{}", place(ty), ty.plural);
    let kind = json!({"group": ty.group, "version": ty.version, "kind": ty.kind});
    let operation = |action: &str| {
        let mut operation = json!({
            "responses": {"200": answer},
            "parameters": parameters(action),
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": kind,
        });
        if action == "patch" {
            let (field, told) = patches(forms_of_patches(ty));
            operation[field] = told;
        }
        operation
    };
    let of = |actions: &[(&str, &str, &str)]| {
        let served = actions.iter().filter(|(_, _, verb)| ty.verbs.contains(verb));
        served.map(|(method, action, _)| ((*method).to_owned(), operation(action))).collect()
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
    vec![(collection, Value::Object(of(&many))), (object, Value::Object(of(&one)))]
}

/// Custom types do not know how their lists are merged.
fn forms_of_patches(ty: &ResourceType) -> &'static [&'static str] {
    let forms = &[
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
    ];
    if ty.custom.is_some() { &forms[..2] } else { forms }
}

fn parameters(action: &str) -> Value {
    if !matches!(action, "post" | "put" | "patch") {
        return json!([]);
    }
    let parameter = |name: &&str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    PARAMETERS.iter().map(parameter).collect()
}
