//! A CBOR (RFC 8949) decoder for objects of strings.

use crate::prelude::*;

/// An apply by a manager of this name, of an object that holds nothing but texts.
pub(crate) fn apply(collection: &Collection, name: &str, manager: &str, body: &Value) -> Request {
    let mut bytes = Vec::new();
    encode(body, &mut bytes);
    let mut request = Request::new(Method::PATCH, collection.path_of(name))
        .header("content-type", "application/apply-patch+cbor")
        .query("fieldManager", manager);
    request.body = Some(bytes.into());
    request
}

/// Texts and maps, each with its length before it.
fn encode(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Object(fields) => {
            head(0xa0, fields.len(), bytes);
            for (name, value) in fields {
                encode_text(name, bytes);
                encode(value, bytes);
            }
        }
        Value::String(text) => encode_text(text, bytes),
        _ => bytes.push(0xf6),
    }
}

fn encode_text(text: &str, bytes: &mut Vec<u8>) {
    head(0x60, text.len(), bytes);
    bytes.extend_from_slice(text.as_bytes());
}

/// The kind of value and its length: small ones in the same byte, others in two that follow.
fn head(kind: u8, length: usize, bytes: &mut Vec<u8>) {
    match u8::try_from(length) {
        Ok(length) if length < 24 => bytes.push(kind | length),
        _ => {
            bytes.push(kind | 0x19);
            bytes.extend_from_slice(&u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_and_maps_are_encoded_as_the_rfc_shows() {
        let mut bytes = Vec::new();
        encode(&json!({ "a": "A", "b": {} }), &mut bytes);
        assert_eq!(bytes, [0xa2, 0x61, 0x61, 0x61, 0x41, 0x61, 0x62, 0xa0]);
    }

    #[test]
    fn a_long_text_has_its_length_in_two_bytes() {
        let mut bytes = Vec::new();
        encode(&json!("x".repeat(300)), &mut bytes);
        assert_eq!(bytes[..3], [0x79, 0x01, 0x2c]);
        assert_eq!(bytes.len(), 303);
    }
}
