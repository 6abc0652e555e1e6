//! Finalizer edits, for the faults of deletion.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::{finalizers_in, is_terminating};
use crate::fault::json_body;

fn edit_finalizers(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Vec<Value>)) {
    json_body(parts, body, |json| finalizers_in(json).into_iter().for_each(edit));
}

/// A finalizer that every server rejects.
fn invalid_finalizer() -> Value {
    json!("not a name!")
}

pub(super) fn without_finalizers(object: &mut Value) {
    if let (true, Some(finalizers)) = (is_terminating(object), finalizers_in(object)) {
        finalizers.clear();
    }
}

/// Rejects a list that has only the first finalizer.
pub(super) fn reject_first_alone(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        let first = |name: &Value| name.as_str().is_some_and(|name| name.ends_with("/first"));
        if finalizers.len() == 1 && finalizers.iter().all(first) {
            finalizers.push(invalid_finalizer());
        }
    });
}

/// During a deletion, rejects the sorted order, which differs from the original one.
pub(super) fn reject_sorted(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        let marked = is_terminating(json);
        if let Some(finalizers) = finalizers_in(json)
            && marked
            && finalizers.is_sorted_by_key(|name| name.as_str().map(str::to_owned))
        {
            finalizers.push(invalid_finalizer());
        }
    });
}

pub(super) fn remove_all(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, Vec::clear);
}

pub(super) fn keep_last(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if finalizers_in(json).is_some_and(|finalizers| finalizers.is_empty()) {
            *json = json!({});
        }
    });
}

pub(super) fn without_orphan(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| finalizers.retain(|name| name != "orphan"));
}

pub(super) fn fix_names(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        finalizers.fill(json!("kube-assay.dev/any"));
    });
}

pub(super) fn add_domain(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        finalizers
            .iter_mut()
            .filter(|name| is_plain(name))
            .for_each(|name| *name = json!("kube-assay.dev/any"));
    });
}

pub(super) fn reject_without_domain(parts: &mut Parts, body: &mut Bytes) {
    edit_finalizers(parts, body, |finalizers| {
        finalizers.iter_mut().filter(|name| is_plain(name)).for_each(|name| *name = invalid_finalizer());
    });
}

fn is_plain(name: &Value) -> bool {
    name.as_str().is_some_and(|name| !name.contains('/'))
}

pub(super) fn add_finalizer(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| json["metadata"]["finalizers"] = json!(["kube-assay.dev/controller"]));
}
