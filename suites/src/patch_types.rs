//! The four patch types, and requests of each.

use crate::prelude::*;

/// RFC 7386.
pub(crate) const MERGE: &str = "application/merge-patch+json";
/// RFC 6902.
pub(crate) const JSON: &str = "application/json-patch+json";
/// Kubernetes' own, for built-in types.
pub(crate) const STRATEGIC: &str = "application/strategic-merge-patch+json";
/// Server-side apply.
pub(crate) const APPLY: &str = "application/apply-patch+yaml";

/// A patch of an object.
pub(crate) fn patch(collection: &Collection, name: &str, form: &str, body: &Value) -> Request {
    Request::new(Method::PATCH, collection.path_of(name)).json(form, body)
}

/// A patch of the object `a`, sent.
pub(crate) async fn patched(
    cx: &Context,
    collection: &Collection,
    form: &str,
    body: &Value,
) -> Result<Arc<Exchange>, Halt> {
    cx.send(patch(collection, "a", form, body)).await
}

/// A patch whose body is sent unchanged, well formed or not.
pub(crate) fn raw_patch(collection: &Collection, name: &str, form: &str, body: &str) -> Request {
    raw(Request::new(Method::PATCH, collection.path_of(name)), form, body)
}

/// A request with this body, unchanged.
pub(crate) fn raw(mut request: Request, media_type: &str, body: &str) -> Request {
    request.body = Some(body.to_owned().into());
    request.header("content-type", media_type)
}

/// An apply by a manager of this name.
pub(crate) fn apply(collection: &Collection, name: &str, manager: &str, body: &Value) -> Request {
    patch(collection, name, APPLY, body).query("fieldManager", manager)
}

/// Skips where the server returns 415 for an apply: it does not support server-side apply.
pub(crate) fn applies(cx: &Context, response: &Exchange) -> Checked {
    cx.require_feature("ServerSideApply", response.status() != 415, response.brief())
}

/// Whether a type is one of Kubernetes' own: others know no strategic merge patches.
pub(crate) fn is_built_in(collection: &Collection) -> bool {
    crate::openapi::is_of_the_project(&collection.resource().group)
}

/// An object in YAML: its fields in lines of their own, each value in the flow style, which is that of JSON.
pub(crate) fn yaml(object: &Value) -> String {
    let fields = object.as_object().into_iter().flatten();
    let lines: Vec<_> = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    lines.concat()
}

/// An object without a name, and the beginning of one.
pub(crate) fn nameless(collection: &Collection, prefix: &str, value: &str) -> Value {
    let mut body = collection.body("", value);
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.remove("name");
        metadata.insert("generateName".to_owned(), prefix.into());
    }
    body
}

/// A JSON patch with all fields of an object: as much as it takes to create it.
pub(crate) fn every_field(object: &Value) -> Value {
    let fields = object.as_object().into_iter().flatten();
    fields.map(|(name, value)| json!({ "op": "add", "path": format!("/{name}"), "value": value })).collect()
}

/// Adds the fields of one object to those of another.
pub(crate) fn merge_in(object: &mut Value, more: &Value) {
    for (name, value) in more.as_object().into_iter().flatten() {
        if value.is_object() {
            merge_in(&mut object[name.as_str()], value);
        } else {
            object[name.as_str()] = value.clone();
        }
    }
}
