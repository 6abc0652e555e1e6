//! Area `deletion`: DELETE, its options, finalizers, and garbage collection.
//!
//! A DELETE with a body ignores its query: options go either here or there. Collections are never deleted as a whole,
//! except where a selector selects nothing.

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

/// Finalizers of ours, in this order. They are never removed by anybody but us.
const FIRST: &str = "kube-assay.dev/first";
const SECOND: &str = "kube-assay.dev/second";
const BOTH: &[&str] = &[FIRST, SECOND];

/// The finalizers of the garbage collector.
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

/// A uid that no object has.
const NO_UID: &str = "00000000-0000-4000-8000-000000000000";

/// Both phases of a deletion may be answered like this, and a deletion at once as well.
const ACCEPTED: &[u16] = &[200, 202];

/// Creates an object with finalizers.
async fn held(collection: &Collection, name: &str, finalizers: &[&str]) -> Result<Object, Halt> {
    let mut body = collection.body(name, "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    collection.create_body(&body).await
}

/// An object that is being deleted, and stays for its finalizers; else a test error.
async fn marked(
    cx: &Context,
    collection: &Collection,
    name: &str,
    finalizers: &[&str],
) -> Result<Object, Halt> {
    held(collection, name, finalizers).await?;
    collection.delete(name).await?;
    let marked = collection.get(name).await?.written()?;
    if is_marked(&marked) {
        return Ok(marked);
    }
    Err(cx
        .test_error(format!("delete {}", collection.path_of(name)), "it is not marked as being deleted")
        .into())
}

fn is_marked(object: &Object) -> bool {
    !object.metadata("deletionTimestamp").is_empty()
}

/// A merge patch of the finalizers.
fn with_finalizers(names: &[&str]) -> Value {
    json!({ "metadata": { "finalizers": names } })
}

/// The finalizers that an object has.
fn finalizers_of(object: &Object) -> Vec<&str> {
    let listed = object.json()["metadata"]["finalizers"].as_array();
    listed.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A deletion with these options in its body.
fn with_options(path: String, fields: &Value) -> Request {
    let mut options = json!({ "kind": "DeleteOptions", "apiVersion": "v1" });
    for (name, value) in fields.as_object().into_iter().flatten() {
        options[name.as_str()] = value.clone();
    }
    Request::delete(path).json("application/json", &options)
}

/// How often a write is tried that others may overtake: controllers look after some types.
const TRIES: usize = 5;

/// Puts the object as it is now, with a change. Who is overtaken by another writer begins anew.
async fn put(
    cx: &Context,
    collection: &Collection,
    name: &str,
    change: impl Fn(&mut Value),
) -> Result<Arc<Exchange>, Halt> {
    let mut tries = 0;
    loop {
        let mut body = collection.get(name).await?.written()?.json().clone();
        change(&mut body);
        let put = cx.send(Request::put(collection.path_of(name), &body)).await?;
        tries += 1;
        if put.status() != 409 || tries == TRIES {
            return Ok(put);
        }
    }
}

/// The object is there and being deleted.
fn expect_marked(got: &Exchange, before: &Object) -> Result<Object, Halt> {
    let object = expect_there(got, before)?;
    got.expect(is_marked(&object), "metadata.deletionTimestamp", "none")?;
    Ok(object)
}

/// There is no such object.
fn expect_gone(got: &Exchange) -> Checked {
    got.expect_error(&[404], &["NotFound"]).map(drop)
}

/// A refusal to take an object, for a field. Causes are optional, and may stand there twice: they are never counted.
pub(crate) fn expect_invalid(refused: &Exchange, field: &str) -> Checked {
    let status = refused.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].as_array();
    let named = causes.is_none_or(|causes| causes.iter().any(|cause| is_of(&cause["field"], field)));
    refused.expect(named, format!("a cause with field {field}"), refused.brief())
}

/// Whether a cause names a field, or a part of it.
fn is_of(given: &Value, field: &str) -> bool {
    let rest = given.as_str().and_then(|given| given.strip_prefix(field));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}
