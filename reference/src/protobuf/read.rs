//! Decoder of the objects in requests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::MAGIC;
use super::wire::{Wire, fields};
use crate::kind::{self, Kind, Shape};

/// The maximum nesting of messages.
const DEPTH: usize = 32;

/// Decodes an object of a built-in kind.
///
/// # Errors
///
/// The reason why the body is malformed.
pub(crate) fn read(kind: Option<&Kind>, body: &[u8]) -> Result<Value, String> {
    let envelope = body.strip_prefix(MAGIC).ok_or_else(|| {
        format!("provided data does not appear to be a protobuf message, expected prefix {MAGIC:?}")
    })?;
    enveloped(kind, envelope).ok_or_else(|| "malformed protobuf".to_owned())
}

/// The envelope has the type in field 1 (apiVersion, kind) and the object in field 2.
fn enveloped(kind: Option<&Kind>, envelope: &[u8]) -> Option<Value> {
    let envelope = fields(envelope)?;
    let mut object = message(kind?, part(&envelope, 2), DEPTH)?;
    for (number, name) in [(1, "apiVersion"), (2, "kind")] {
        let text = part(&fields(part(&envelope, 1))?, number).to_vec();
        object.insert(name.to_owned(), String::from_utf8(text).ok()?.into());
    }
    Some(Value::Object(object))
}

/// The bytes of a field; none if it is absent.
fn part<'a>(fields: &[(u32, Wire<'a>)], number: u32) -> &'a [u8] {
    let found = fields.iter().find(|(found, _)| *found == number);
    found.and_then(|(_, value)| value.bytes()).unwrap_or_default()
}

/// The type and the object in a body, still encoded.
pub(crate) fn parts(body: &[u8]) -> Option<[&[u8]; 2]> {
    let envelope = fields(body.strip_prefix(MAGIC)?)?;
    Some([part(&envelope, 1), part(&envelope, 2)])
}

/// The kind in a body.
pub(crate) fn kind(body: &[u8]) -> Option<String> {
    let [type_meta, _] = parts(body)?;
    text(part(&fields(type_meta)?, 2))
}

fn message(kind: &Kind, bytes: &[u8], depth: usize) -> Option<Map<String, Value>> {
    let mut object = Map::new();
    add_fields(&mut object, kind, None, bytes, depth)?;
    Some(object)
}

/// Adds the fields of a message, or those of a message in field `outer` that JSON leaves out.
fn add_fields(
    object: &mut Map<String, Value>,
    kind: &Kind,
    outer: Option<u32>,
    bytes: &[u8],
    depth: usize,
) -> Option<()> {
    for (number, wire) in fields(bytes)? {
        let path: Vec<u32> = outer.into_iter().chain([number]).collect();
        if let Some((name, field)) = kind.fields().find(|(_, field)| field.number == path) {
            add(object, name, &field.shape, &wire, depth)?;
        } else if kind.fields().any(|(_, field)| field.number.starts_with(&path)) {
            add_fields(object, kind, Some(number), wire.bytes()?, depth.checked_sub(1)?)?;
        }
    }
    Some(())
}

fn add(
    object: &mut Map<String, Value>,
    name: &str,
    shape: &Shape,
    wire: &Wire<'_>,
    depth: usize,
) -> Option<()> {
    match shape {
        Shape::List(item) => {
            let list = object.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            list.as_array_mut()?.push(value(item, wire, depth)?);
        }
        Shape::Map(item) => {
            let entry = fields(wire.bytes()?)?;
            let key = text(part(&entry, 1))?;
            let value = entry_value(item, part(&entry, 2), depth)?;
            let map = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
            map.as_object_mut()?.insert(key, value);
        }
        _ => {
            let value = value(shape, wire, depth)?;
            // Go sends empty texts and absent times as well: JSON leaves them out.
            if !(value == "" || value.is_null()) {
                object.insert(name.to_owned(), value);
            }
        }
    }
    Some(())
}

/// A list as the value of a map is a message of its own.
fn entry_value(shape: &Shape, bytes: &[u8], depth: usize) -> Option<Value> {
    let Shape::List(item) = shape else { return value(shape, &Wire::Bytes(bytes), depth) };
    fields(bytes)?.iter().map(|(_, wire)| value(item, wire, depth)).collect()
}

fn value(shape: &Shape, wire: &Wire<'_>, depth: usize) -> Option<Value> {
    Some(match shape {
        Shape::Text => text(wire.bytes()?)?.into(),
        Shape::Bytes => STANDARD.encode(wire.bytes()?).into(),
        Shape::Bool => (wire.number()? != 0).into(),
        Shape::Int32 | Shape::Int64 => wire.number()?.cast_signed().into(),
        Shape::Number => f64::from_le_bytes(wire.bytes()?.try_into().ok()?).into(),
        Shape::Time | Shape::MicroTime => time(wire.bytes()?)?,
        Shape::Quantity => text(part(&fields(wire.bytes()?)?, 1))?.into(),
        Shape::Any => serde_json::from_slice(part(&fields(wire.bytes()?)?, 1)).ok()?,
        Shape::IntOrText => int_or_text(wire.bytes()?)?,
        Shape::Kind(name) => Value::Object(message(kind::of(name)?, wire.bytes()?, depth.checked_sub(1)?)?),
        // A list in a list has no form in protobuf.
        Shape::List(_) | Shape::Map(_) => return None,
    })
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

/// The number of a field; zero if it is absent.
fn number(fields: &[(u32, Wire<'_>)], number: u32) -> i64 {
    let found = fields.iter().find(|(found, _)| *found == number);
    found.and_then(|(_, value)| value.number()).unwrap_or_default().cast_signed()
}

/// An empty message is no time.
fn time(bytes: &[u8]) -> Option<Value> {
    if bytes.is_empty() {
        return Some(Value::Null);
    }
    let fields = fields(bytes)?;
    let nanoseconds = i32::try_from(number(&fields, 2)).ok()?;
    Some(Timestamp::new(number(&fields, 1), nanoseconds).ok()?.to_string().into())
}

fn int_or_text(bytes: &[u8]) -> Option<Value> {
    let fields = fields(bytes)?;
    Some(match number(&fields, 1) {
        0 => number(&fields, 2).into(),
        _ => text(part(&fields, 3))?.into(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use serde_json::json;

    use super::super::body;
    use super::*;

    const BODY: &[u8] =
        b"k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x0f\n\x03\n\x01a\x12\x06\n\x01k\x12\x01v\x20\x01";

    proptest! {
        #[test]
        fn any_body_is_an_object_or_refused(
            changes in vec((any::<Index>(), any::<u8>()), 0..6),
            more in vec(any::<u8>(), 0..40),
        ) {
            let mut body = [BODY, &more].concat();
            for (at, byte) in changes {
                let at = at.index(body.len());
                body[at] = byte;
            }
            if let Ok(object) = read(kind::of("ConfigMap"), &body) {
                prop_assert!(object.is_object() && body.starts_with(MAGIC));
            }
        }
    }

    #[test]
    fn a_config_map_is_decoded() {
        let object = read(kind::of("ConfigMap"), BODY).unwrap();
        assert_eq!(
            object,
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}, "immutable": true})
        );
        for end in 0..BODY.len() {
            assert!(read(kind::of("ConfigMap"), &BODY[..end]).map_or(true, |object| object.is_object()));
        }
    }

    /// Values of every shape, in lists, in maps, and in messages that JSON leaves out.
    #[test]
    fn what_is_encoded_is_decoded() {
        let objects = [
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {
                "name": "a", "creationTimestamp": "2026-11-23T20:00:00Z", "labels": {"b": "2", "a": "1"},
                "finalizers": ["x/y", "x/z"], "generation": 300,
                "managedFields": [{"manager": "m", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {".": {}}}}]},
                "spec": {"replicas": 0, "paused": false, "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},
                    "template": {"spec": {
                        "containers": [{"name": "c", "resources": {"limits": {"cpu": "100m"}},
                            "livenessProbe": {"httpGet": {"path": "/", "port": 80}, "periodSeconds": 5}}],
                        "volumes": [{"name": "v", "emptyDir": {}}, {"name": "w", "configMap": {"name": "m", "optional": true}}]}}}}),
            json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"k": "AP8="}, "type": "Opaque"}),
            json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "spec": {"renewTime": "2026-11-23T20:00:00.123456Z", "leaseDurationSeconds": -1}}),
        ];
        for object in objects {
            let kind = object["kind"].as_str().unwrap();
            assert_eq!(read(kind::of(kind), &body(&object)).as_ref(), Ok(&object));
        }
    }
}
