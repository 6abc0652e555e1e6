//! Custom resource definitions of a single scenario.

use crate::prelude::*;

/// Where they are.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The plural of the type that they define.
pub(crate) const PLURAL: &str = "triers";

/// A group of the scenario's own.
pub(crate) fn group(cx: &Context, what: &str) -> String {
    format!("{}.kube-assay.dev", cx.own_name(what))
}

/// The definition of a type in a group; not yet sent.
pub(crate) fn body(cx: &Context, group: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{PLURAL}.{group}"), "labels": cx.own_labels() },
        "spec": {
            "group": group, "scope": "Namespaced", "names": { "plural": PLURAL, "kind": "Trier" },
            "versions": [version("v1")],
        },
    })
}

/// A version that is served; the first one is stored.
pub(crate) fn version(name: &str) -> Value {
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } })
}

/// The path of a definition.
pub(crate) fn path(definition: &Value) -> String {
    format!("{DEFINITIONS}/{}", definition["metadata"]["name"].as_str().unwrap_or_default())
}

/// The path of the definition of a custom type.
pub(crate) fn path_of(custom_type: &Resource) -> String {
    format!("{DEFINITIONS}/{}.{}", custom_type.plural, custom_type.group)
}

/// Creates a definition, or tries to. Skips where the server has no custom types.
pub(crate) async fn create(cx: &Context, definition: &Value) -> Result<Arc<Exchange>, Halt> {
    cx.send(request(cx, definition)?).await
}

/// The create of a definition; not yet sent. Skips where the server has no custom types.
pub(crate) fn request(cx: &Context, definition: &Value) -> Result<Request, Halt> {
    if !cx.target_info().serves("apiextensions.k8s.io") {
        return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
    }
    cx.remove_in_the_end(&path(definition));
    Ok(Request::post(DEFINITIONS, definition))
}

/// Creates a definition and waits until a path of its type is served.
pub(crate) async fn serve(cx: &Context, definition: &Value, path: &str) -> Checked {
    create(cx, definition).await?.written()?;
    cx.wait_until_served(&Request::get(path)).await
}
