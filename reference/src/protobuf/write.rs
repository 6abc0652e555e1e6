//! Encoder of objects, lists, errors and watch events.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::MAGIC;
use super::wire::Message;
use crate::kind::{self, Kind, Shape};

/// A body: the prefix, and the envelope around the object.
pub(crate) fn body(object: &Value) -> Vec<u8> {
    let mut type_meta = Message::default();
    for (number, name) in [(1, "apiVersion"), (2, "kind")] {
        type_meta.bytes(number, object[name].as_str().unwrap_or_default());
    }
    // No content encoding, and no other content type.
    enveloped([&type_meta.finish(), &content(object), b"", b""])
}

/// The prefix and an envelope with these fields: the type, the object, its content encoding and its content type.
pub(crate) fn enveloped(fields: [&[u8]; 4]) -> Vec<u8> {
    let mut envelope = Message::default();
    for (number, bytes) in (1..).zip(fields) {
        envelope.bytes(number, bytes);
    }
    [MAGIC, &envelope.finish()].concat()
}

/// A watch event, with its length before it.
pub(crate) fn frame(event: &Value) -> Vec<u8> {
    let mut object = Message::default();
    object.bytes(1, body(&event["object"]));
    let mut message = Message::default();
    message.bytes(1, event["type"].as_str().unwrap_or_default());
    message.bytes(2, object.finish());
    let message = message.finish();
    [u32::try_from(message.len()).unwrap_or(u32::MAX).to_be_bytes().as_slice(), &message].concat()
}

/// The message of an object or list. Every list has its metadata in field 1 and its items in field 2.
fn content(object: &Value) -> Vec<u8> {
    let mut message = Message::default();
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (version, name) = (text("apiVersion"), text("kind"));
    match (kind::in_version(version, name), object["items"].as_array()) {
        (Some(kind), _) => fields(&mut message, kind, object.as_object()),
        (None, Some(items)) => {
            field(&mut message, &[1], &Shape::Kind("ListMeta"), &object["metadata"]);
            let item = name.trim_end_matches("List");
            for object in items {
                message.bytes(2, item_content(version, item, object));
            }
        }
        // PartialObjectMetadata.
        (None, None) => field(&mut message, &[1], &Shape::Kind("ObjectMeta"), &object["metadata"]),
    }
    message.finish()
}

fn item_content(version: &str, name: &str, object: &Value) -> Vec<u8> {
    match kind::in_version(version, name) {
        Some(kind) => nested(kind, object),
        None => content(object),
    }
}

fn nested(kind: &Kind, object: &Value) -> Vec<u8> {
    let mut message = Message::default();
    fields(&mut message, kind, object.as_object());
    message.finish()
}

fn fields(message: &mut Message, kind: &Kind, object: Option<&Map<String, Value>>) {
    for (name, value) in object.into_iter().flatten() {
        if let Some(known) = kind.field(name).filter(|_| !value.is_null()) {
            field(message, &known.number, &known.shape, value);
        }
    }
}

/// Adds a field. Fields of a message that JSON leaves out follow each other as parts of that message.
fn field(message: &mut Message, number: &[u32], shape: &Shape, value: &Value) {
    match number {
        [number] => single(message, *number, shape, value),
        [outer, inner @ ..] => {
            let mut around = Message::default();
            field(&mut around, inner, shape, value);
            message.bytes(*outer, around.finish());
        }
        [] => {}
    }
}

fn single(message: &mut Message, number: u32, shape: &Shape, value: &Value) {
    let text = || value.as_str().unwrap_or_default();
    match shape {
        Shape::Text => message.bytes(number, text()),
        Shape::Bytes => message.bytes(number, STANDARD.decode(text()).unwrap_or_default()),
        Shape::Bool => message.number(number, value.as_bool().unwrap_or_default().into()),
        Shape::Int32 | Shape::Int64 => {
            message.number(number, value.as_i64().unwrap_or_default().cast_unsigned());
        }
        Shape::Number => message.double(number, value.as_f64().unwrap_or_default()),
        Shape::Time | Shape::MicroTime => message.bytes(number, time(text())),
        Shape::Quantity => message.bytes(number, wrapped(text())),
        Shape::Any => message.bytes(number, wrapped(&value.to_string())),
        Shape::IntOrText => message.bytes(number, int_or_text(value)),
        Shape::Kind(name) => {
            message.bytes(number, kind::of(name).map(|kind| nested(kind, value)).unwrap_or_default());
        }
        Shape::List(item) => {
            let items = value.as_array().into_iter().flatten();
            items.for_each(|value| single(message, number, item, value));
        }
        Shape::Map(item) => {
            for (key, value) in value.as_object().into_iter().flatten() {
                let mut entry = Message::default();
                entry.bytes(1, key);
                entry_value(&mut entry, item, value);
                message.bytes(number, entry.finish());
            }
        }
    }
}

/// A list as the value of a map is a message of its own.
fn entry_value(entry: &mut Message, shape: &Shape, value: &Value) {
    if matches!(shape, Shape::List(_)) {
        let mut list = Message::default();
        single(&mut list, 1, shape, value);
        entry.bytes(2, list.finish());
    } else {
        single(entry, 2, shape, value);
    }
}

fn time(text: &str) -> Vec<u8> {
    let mut message = Message::default();
    if let Ok(time) = text.parse::<Timestamp>() {
        message.number(1, time.as_second().cast_unsigned());
        message.number(2, i64::from(time.subsec_nanosecond()).cast_unsigned());
    }
    message.finish()
}

/// A text as the only field of a message.
fn wrapped(text: &str) -> Vec<u8> {
    let mut message = Message::default();
    message.bytes(1, text);
    message.finish()
}

fn int_or_text(value: &Value) -> Vec<u8> {
    let mut message = Message::default();
    if let Some(text) = value.as_str() {
        message.number(1, 1);
        message.bytes(3, text);
    } else {
        message.number(1, 0);
        message.number(2, value.as_i64().unwrap_or_default().cast_unsigned());
    }
    message.finish()
}
