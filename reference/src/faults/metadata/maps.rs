//! Label and annotation edits, for the faults of metadata.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Map, Value};

use crate::fault::json_body;

type Entry = (String, Value);

/// Edits the entries of a map in an object's metadata, if present.
fn edit(object: &mut Value, map: &str, edit: impl FnMut(Entry) -> Option<Entry>) {
    let entries = object.pointer_mut(&format!("/metadata/{map}")).and_then(Value::as_object_mut);
    let Some(entries) = entries else { return };
    *entries = std::mem::take(entries).into_iter().filter_map(edit).collect::<Map<_, _>>();
}

/// Edits the values of a metadata map in a request.
fn edit_texts(parts: &mut Parts, body: &mut Bytes, map: &str, change: fn(&str) -> String) {
    json_body(parts, body, |object| {
        edit(object, map, |(key, value)| {
            let changed = value.as_str().map(change).map(Value::from);
            Some((key, changed.unwrap_or(value)))
        });
    });
}

pub(super) fn null_empty_labels(object: &mut Value) {
    edit(object, "labels", |(key, value)| Some((key, if value == "" { Value::Null } else { value })));
}

pub(super) fn prefix_labels(object: &mut Value) {
    edit(object, "labels", |(key, value)| {
        Some((if key.contains('/') { key } else { format!("example.com/{key}") }, value))
    });
}

pub(super) fn stringify_labels(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        edit(object, "labels", |(key, value)| {
            Some((key, if value.is_number() { value.to_string().into() } else { value }))
        });
    });
}

pub(super) fn fix_labels(parts: &mut Parts, body: &mut Bytes) {
    edit_texts(parts, body, "labels", |label| label.replace(' ', "-"));
}

pub(super) fn split_lines(object: &mut Value) {
    edit(object, "annotations", |(key, value)| {
        let lines = value.as_str().filter(|text| text.trim() != *text).map(|text| text.lines().collect());
        Some((key, lines.unwrap_or(value)))
    });
}

/// The maximum length of a value.
const MAX_LENGTH: usize = 250_000;

pub(super) fn truncate_annotations(parts: &mut Parts, body: &mut Bytes) {
    edit_texts(parts, body, "annotations", |text| text.chars().take(MAX_LENGTH).collect());
}

pub(super) fn reserialize_annotations(parts: &mut Parts, body: &mut Bytes) {
    edit_texts(parts, body, "annotations", |text| {
        serde_json::from_str::<Value>(text).map_or_else(|_| text.to_owned(), |json| json.to_string())
    });
}

pub(super) fn lowercase_keys(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |object| {
        edit(object, "annotations", |(key, value)| Some((key.to_lowercase(), value)));
    });
}
