//! CBOR (RFC 8949), as `application/cbor` has it: one data item with a value of JSON.

use ciborium::Value as Cbor;
use serde_json::{Map, Number};

use crate::prelude::*;

pub(crate) const CBOR: &str = "application/cbor";

/// The tag of self-described CBOR.
const SELF_DESCRIBED: u64 = 55799;

/// The maximum nesting of a body.
const DEPTH: usize = 128;

/// A request with this body in CBOR.
pub(crate) fn with_body(mut request: Request, media_type: &str, body: &Value) -> Request {
    let mut bytes = Vec::new();
    // A Vec takes every byte.
    let _ = ciborium::into_writer(body, &mut bytes);
    request.body = Some(bytes.into());
    request.header("content-type", media_type)
}

/// An apply by a manager of this name.
pub(crate) fn apply(collection: &Collection, name: &str, manager: &str, body: &Value) -> Request {
    let patch = Request::new(Method::PATCH, collection.path_of(name)).query("fieldManager", manager);
    with_body(patch, "application/apply-patch+cbor", body)
}

/// Reads a sequence of data items; `None` if these bytes are none, or have values that JSON lacks.
pub(crate) fn read(mut bytes: &[u8]) -> Option<Vec<Value>> {
    let mut items = Vec::new();
    while !bytes.is_empty() {
        let item: Cbor = ciborium::de::from_reader_with_recursion_limit(&mut bytes, DEPTH).ok()?;
        items.push(as_json(item)?);
    }
    Some(items)
}

/// kube-apiserver writes texts and names as byte strings.
fn as_json(item: Cbor) -> Option<Value> {
    Some(match item {
        Cbor::Tag(SELF_DESCRIBED, item) => as_json(*item)?,
        Cbor::Null => Value::Null,
        Cbor::Bool(bool) => bool.into(),
        Cbor::Integer(number) => i64::try_from(number).ok()?.into(),
        Cbor::Float(number) => Number::from_f64(number)?.into(),
        Cbor::Array(items) => items.into_iter().map(as_json).collect::<Option<_>>()?,
        Cbor::Map(entries) => {
            let entries = entries.into_iter().map(|(name, value)| Some((text(name)?, as_json(value)?)));
            Value::Object(entries.collect::<Option<Map<_, _>>>()?)
        }
        other => text(other)?.into(),
    })
}

fn text(item: Cbor) -> Option<String> {
    item.into_text().or_else(|item| item.into_bytes().map(String::from_utf8)?.ok().ok_or(Cbor::Null)).ok()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn byte_strings_are_texts() {
        let items = read(&[0xd9, 0xd9, 0xf7, 0xa1, 0x41, b'a', 0x61, b'b', 0xf9, 0x38, 0x00]);
        assert_eq!(items, Some(vec![json!({ "a": "b" }), json!(0.5)]));
        assert_eq!(read(&[0x41, 0xff]), None);
    }

    #[test]
    fn a_body_is_one_item() {
        let body = json!({ "a": ["x".repeat(300), 5, null, true] });
        let request = with_body(Request::get("/"), CBOR, &body);
        assert_eq!(read(&request.body.unwrap_or_default()), Some(vec![body]));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..64)) {
            let items = read(&bytes).map_or(0, |items| items.len());
            prop_assert!(items <= bytes.len());
        }
    }
}
