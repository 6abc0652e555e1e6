//! The operations of `OpenAPI` documents: what discovery lists, as methods on paths.

use serde_json::{Map, Value, json};

use super::path_of;
use crate::discovery::{kind_of, verbs_of};
use crate::kubelet;
use crate::patch;
use crate::resource_type::ResourceType;

/// The parameters of writes.
const PARAMETERS: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];

/// The media types of patches; the last one only for built-in types.
const PATCHES: &[&str] = &[patch::APPLY, "application/json-patch+json", "application/merge-patch+json"];
const STRATEGIC: &str = "application/strategic-merge-patch+json";

/// The methods on the path of a collection, with their actions and verbs.
const OF_COLLECTIONS: &[(&str, &str, &str)] = &[
    ("get", "list", "list"),
    ("post", "post", "create"),
    ("delete", "deletecollection", "deletecollection"),
];

/// The methods on the path of an object.
const OF_OBJECTS: &[(&str, &str, &str)] = &[
    ("get", "get", "get"),
    ("put", "put", "update"),
    ("patch", "patch", "patch"),
    ("delete", "delete", "delete"),
];

/// The paths of a type, with their operations.
pub(super) fn operations(ty: &ResourceType, response: &Value) -> Vec<(String, Value)> {
    let root = path_of(ty);
    let everywhere = format!("/{root}/{}", ty.plural);
    let collection = if ty.namespaced {
        format!("/{root}/namespaces/{{namespace}}/{}", ty.plural)
    } else {
        everywhere.clone()
    };
    let object = format!("{collection}/{{name}}");
    let kind = json!({"group": ty.group, "version": ty.version, "kind": ty.kind});
    let of = |methods, verbs: &[&str]| {
        of_methods(methods, verbs, &|action| operation(ty, action, &kind, response))
    };
    let mut paths =
        vec![(collection, of(OF_COLLECTIONS, ty.verbs)), (object.clone(), of(OF_OBJECTS, ty.verbs))];
    if ty.namespaced && ty.verbs.contains(&"list") {
        paths.push((everywhere, of(OF_COLLECTIONS, &["list"])));
    }
    paths.extend(
        ty.subresources.iter().map(|name| (format!("{object}/{name}"), of_subresource(ty, name, response))),
    );
    paths.retain(|(_, operations)| operations.as_object().is_some_and(|operations| !operations.is_empty()));
    paths
}

/// The operations of a subresource: its verbs, each as the action `connect` if its responses are streams.
fn of_subresource(ty: &ResourceType, name: &str, response: &Value) -> Value {
    let (group, version, kind) = kind_of(name, ty);
    let (group, version) = if version.is_empty() { (&*ty.group, &*ty.version) } else { (group, version) };
    let kind = json!({"group": group, "version": version, "kind": kind});
    let connects = kubelet::is_upgraded(name) || name == "proxy";
    let methods = [("post", "post", "create")].into_iter().chain(OF_OBJECTS.iter().copied());
    of_methods(&methods.collect::<Vec<_>>(), &verbs_of(name), &|action| {
        if connects || name == "log" {
            let action = if connects { "connect" } else { action };
            return json!({
                "responses": {"200": {"description": "OK"}},
                "x-kubernetes-action": action,
                "x-kubernetes-group-version-kind": kind,
            });
        }
        operation(ty, action, &kind, response)
    })
}

/// The operations of those methods that the verbs include.
fn of_methods(methods: &[(&str, &str, &str)], verbs: &[&str], operation: &dyn Fn(&str) -> Value) -> Value {
    let supported = methods.iter().filter(|(_, _, verb)| verbs.contains(verb));
    supported.map(|(method, action, _)| ((*method).to_owned(), operation(action))).collect()
}

fn operation(ty: &ResourceType, action: &str, kind: &Value, response: &Value) -> Value {
    let mut operation = json!({
        "responses": {"200": response},
        "parameters": parameters(action),
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": kind,
    });
    if action == "patch" {
        let media: Vec<_> = PATCHES.iter().chain(ty.custom.is_none().then_some(&STRATEGIC)).collect();
        let content = media.iter().map(|media| ((**media).to_owned(), json!({"schema": {"type": "object"}})));
        operation["requestBody"] = json!({"content": content.collect::<Map<_, _>>()});
        operation["consumes"] = json!(media);
        operation["responses"]["201"] = response.clone();
    }
    operation
}

fn parameters(action: &str) -> Value {
    if !matches!(action, "post" | "put" | "patch") {
        return json!([]);
    }
    let parameter = |name: &str, ty: &str| json!({"name": name, "in": "query", "schema": {"type": ty}});
    let force = (action == "patch").then(|| parameter("force", "boolean"));
    PARAMETERS.iter().map(|name| parameter(name, "string")).chain(force).collect()
}
