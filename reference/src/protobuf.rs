//! Protobuf decoder for a few built-in types, as kubectl sends them.
//!
//! It decodes only the types that kubectl creates: each message is a table of field numbers. Responses are JSON.

use serde_json::{Map, Value};

use crate::resource_type::ResourceType;

pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// The prefix of every body.
const MAGIC: &[u8] = b"k8s\0";

/// The maximum nesting of messages.
const DEPTH: usize = 8;

/// The type of a field.
enum Field {
    Text,
    Texts,
    TextMap,
    BytesMap,
    Bool,
    Message(&'static Message),
}

/// A message: its fields by number and name.
type Message = [(u64, &'static str, Field)];

#[rustfmt::skip]
const METADATA: &Message = &[
    (1, "name", Field::Text), (2, "generateName", Field::Text), (3, "namespace", Field::Text),
    (5, "uid", Field::Text), (6, "resourceVersion", Field::Text), (11, "labels", Field::TextMap),
    (12, "annotations", Field::TextMap), (14, "finalizers", Field::Texts),
];

#[rustfmt::skip]
const RESOURCE_ATTRIBUTES: &Message = &[
    (1, "namespace", Field::Text), (2, "verb", Field::Text), (3, "group", Field::Text), (4, "version", Field::Text),
    (5, "resource", Field::Text), (6, "subresource", Field::Text), (7, "name", Field::Text),
];

const PATH_ATTRIBUTES: &Message = &[(1, "path", Field::Text), (2, "verb", Field::Text)];

const REVIEW: &Message = &[
    (1, "resourceAttributes", Field::Message(RESOURCE_ATTRIBUTES)),
    (2, "nonResourceAttributes", Field::Message(PATH_ATTRIBUTES)),
];

#[rustfmt::skip]
const CONFIG_MAP: &Message = &[
    (1, "metadata", Field::Message(METADATA)), (2, "data", Field::TextMap), (3, "binaryData", Field::BytesMap),
    (4, "immutable", Field::Bool),
];

#[rustfmt::skip]
const SECRET: &Message = &[
    (1, "metadata", Field::Message(METADATA)), (2, "data", Field::BytesMap), (3, "type", Field::Text),
    (4, "stringData", Field::TextMap), (5, "immutable", Field::Bool),
];

const ONLY_METADATA: &Message = &[(1, "metadata", Field::Message(METADATA))];

const SELF_REVIEW: &Message =
    &[(1, "metadata", Field::Message(METADATA)), (2, "spec", Field::Message(REVIEW))];

/// Whether the decoder knows a type.
pub(crate) fn is_readable(ty: &ResourceType) -> bool {
    message(ty).is_some()
}

/// Decodes an object: `None` if it is malformed.
pub(crate) fn read(ty: &ResourceType, body: &[u8]) -> Option<Value> {
    // The envelope: the type in field 1 (apiVersion, kind), the object in field 2.
    let envelope = fields(body.strip_prefix(MAGIC)?)?;
    let find = |number: u64| {
        envelope.iter().find(|(found, _)| *found == number).and_then(|(_, value)| value.bytes())
    };
    let mut object = decode(message(ty)?, find(2)?, DEPTH)?;
    for (number, text) in fields(find(1)?)? {
        let name = if number == 1 { "apiVersion" } else { "kind" };
        object.insert(name.to_owned(), String::from_utf8(text.bytes()?.to_vec()).ok()?.into());
    }
    Some(Value::Object(object))
}

fn message(ty: &ResourceType) -> Option<&'static Message> {
    if ty.custom.is_some() {
        return None;
    }
    match ty.plural.as_str() {
        "configmaps" => Some(CONFIG_MAP),
        "secrets" => Some(SECRET),
        "namespaces" | "serviceaccounts" => Some(ONLY_METADATA),
        "selfsubjectaccessreviews" => Some(SELF_REVIEW),
        _ => None,
    }
}

/// A value on the wire.
enum Wire<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Wire<'a> {
    fn bytes(&self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Number(_) => None,
        }
    }
}

fn decode(message: &Message, bytes: &[u8], depth: usize) -> Option<Map<String, Value>> {
    let mut object = Map::new();
    for (number, value) in fields(bytes)? {
        if let Some((_, name, field)) = message.iter().find(|(known, ..)| *known == number) {
            add(&mut object, name, field, &value, depth)?;
        }
    }
    Some(object)
}

fn add(
    object: &mut Map<String, Value>,
    name: &str,
    field: &Field,
    wire: &Wire<'_>,
    depth: usize,
) -> Option<()> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    match field {
        Field::Bool => {
            object.insert(name.to_owned(), matches!(wire, Wire::Number(number) if *number != 0).into());
        }
        Field::Text => {
            // The client sends empty strings, which JSON omits.
            let text = text(wire.bytes()?)?;
            if !text.is_empty() {
                object.insert(name.to_owned(), text.into());
            }
        }
        Field::Texts => {
            let texts = object.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            texts.as_array_mut()?.push(text(wire.bytes()?)?.into());
        }
        Field::TextMap | Field::BytesMap => {
            let (key, value) = entry(field, wire)?;
            let map = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
            map.as_object_mut()?.insert(key, value);
        }
        Field::Message(message) => {
            let inner = decode(message, wire.bytes()?, depth.checked_sub(1)?)?;
            object.insert(name.to_owned(), Value::Object(inner));
        }
    }
    Some(())
}

/// An entry of a map.
fn entry(field: &Field, wire: &Wire<'_>) -> Option<(String, Value)> {
    let parts = fields(wire.bytes()?)?;
    let part = |number: u64| {
        let found = parts.iter().find(|(field, _)| *field == number);
        found.and_then(|(_, part)| part.bytes()).unwrap_or_default()
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let value = if matches!(field, Field::BytesMap) { base64(part(2)) } else { text(part(2))? };
    Some((text(part(1))?, value.into()))
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// The fields of a message in order: `None` if it is malformed.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Wire<'_>)>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        let value = match tag & 7 {
            0 => Wire::Number(varint(&mut bytes)?),
            1 => Wire::Bytes(take(&mut bytes, 8)?),
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                Wire::Bytes(take(&mut bytes, length)?)
            }
            5 => Wire::Bytes(take(&mut bytes, 4)?),
            _ => return None,
        };
        fields.push((tag >> 3, value));
    }
    Some(fields)
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    const BODY: &[u8] =
        b"k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x0f\n\x03\n\x01a\x12\x06\n\x01k\x12\x01v\x20\x01";

    fn config_maps() -> ResourceType {
        crate::built_in_types::stored().next().unwrap()
    }

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
            if let Some(object) = read(&config_maps(), &body) {
                prop_assert!(object.is_object() && body.starts_with(MAGIC));
            }
        }
    }

    #[test]
    fn a_config_map_is_decoded() {
        let ty = config_maps();
        let object = read(&ty, BODY).unwrap();
        assert_eq!(
            object,
            serde_json::json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}, "immutable": true})
        );
        for end in 0..BODY.len() {
            assert!(read(&ty, &BODY[..end]).is_none_or(|object| object.is_object()));
        }
    }
}
