//! Area `deletion`: DELETE, its options, finalizers, and garbage collection.
//!
//! A DELETE with a body ignores its query, so that each request has its options in one of them. No scenario deletes a whole
//! collection, except with a selector that matches nothing.

mod finalizer_names;
mod finalizers;
mod garbage_collection;
mod garbage_collector;
mod namespace;
mod options;
pub(crate) mod pod;
mod precondition;
mod propagation_policy;
mod rejections;
mod removal;
mod response;
mod terminating_object;
mod timestamp;
mod unsafe_delete;

use crate::prelude::*;
use crate::unchanged_object::{expect_alive, expect_there};

suite![
    "deletion",
    finalizers,
    terminating_object,
    timestamp,
    removal,
    response,
    precondition,
    options,
    rejections,
    propagation_policy,
    finalizer_names,
    namespace,
    pod,
    garbage_collector,
    unsafe_delete
];

/// Finalizers that only the scenario removes.
const FIRST: &str = "kube-assay.dev/first";
const SECOND: &str = "kube-assay.dev/second";
const BOTH: &[&str] = &[FIRST, SECOND];

/// The finalizers of the garbage collector.
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

/// The legal codes of every deletion.
const ACCEPTED: &[u16] = &[200, 202];

/// Creates an object with finalizers.
async fn held(collection: &Collection, name: &str, finalizers: &[&str]) -> Result<Object, Halt> {
    let mut body = collection.body(name, "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    collection.create_body(&body).await
}

/// Creates and deletes an object with finalizers. That it is not terminating then is a test error.
async fn terminating(
    cx: &Context,
    collection: &Collection,
    name: &str,
    finalizers: &[&str],
) -> Result<Object, Halt> {
    held(collection, name, finalizers).await?;
    collection.delete(name).await?;
    let deleted = collection.get(name).await?.written()?;
    if is_terminating(&deleted) {
        return Ok(deleted);
    }
    let action = format!("delete {}", collection.path_of(name));
    Err(cx.test_error(action, "the object has no deletionTimestamp").into())
}

fn is_terminating(object: &Object) -> bool {
    !object.metadata("deletionTimestamp").is_empty()
}

/// A merge patch of the object's finalizers; not yet sent.
fn patch_finalizers(collection: &Collection, name: &str, finalizers: &[&str]) -> Request {
    Request::merge_patch(collection.path_of(name), &crate::finalizers::set(finalizers))
}

/// Deletes an object without options, and reads it then.
async fn delete(
    cx: &Context,
    collection: &Collection,
    name: &str,
) -> Result<(Arc<Exchange>, Arc<Exchange>), Halt> {
    let deleted = cx.send(Request::delete(collection.path_of(name))).await?;
    Ok((deleted, collection.get(name).await?))
}

/// A deletion with options in its body.
fn with_options(path: String, fields: &Value) -> Request {
    let mut options = json!({ "kind": "DeleteOptions", "apiVersion": "v1" });
    for (name, value) in fields.as_object().into_iter().flatten() {
        options[name.as_str()] = value.clone();
    }
    Request::delete(path).json("application/json", &options)
}

/// The maximum number of attempts of a write, because controllers may write objects of some types.
const ATTEMPTS: usize = 5;

/// Updates the object with a change of its metadata, and tries again after a conflict with another writer.
async fn put(
    cx: &Context,
    collection: &Collection,
    name: &str,
    change: impl Fn(&mut Value),
) -> Result<Arc<Exchange>, Halt> {
    let mut attempts = 0;
    loop {
        let mut body = collection.get(name).await?.written()?.with(&json!({ "metadata": {} }))?;
        change(&mut body);
        let put = cx.send(Request::put(collection.path_of(name), &body)).await?;
        attempts += 1;
        if put.status() != 409 || attempts == ATTEMPTS {
            return Ok(put);
        }
    }
}

/// The object of the same uid exists, with a deletionTimestamp.
fn expect_terminating(got: &Exchange, before: &Object) -> Result<Object, Halt> {
    let object = expect_there(got, before)?;
    got.expect(is_terminating(&object), "metadata.deletionTimestamp", "no deletionTimestamp")?;
    Ok(object)
}

/// 404 `NotFound`.
fn expect_gone(got: &Exchange) -> Checked {
    got.expect_error(&[404], &["NotFound"]).map(drop)
}

/// 422 Invalid, for this field. Causes are optional, and a server may list one twice.
pub(crate) fn expect_invalid(refused: &Exchange, field: &str) -> Checked {
    let status = refused.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].as_array();
    let named = causes.is_none_or(|causes| causes.iter().any(|cause| is_of(&cause["field"], field)));
    refused.expect(named, format!("a cause with field {field}"), refused.brief())
}

/// Whether the field of a cause is this field, or a part of it.
fn is_of(named: &Value, field: &str) -> bool {
    let rest = named.as_str().and_then(|named| named.strip_prefix(field));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}
