//! CBOR (RFC 8949): any JSON value, with its texts as byte strings, as kube-apiserver writes them.

use ciborium::Value as Cbor;
use ciborium::tag::Required;
use ciborium::value::Integer;
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

pub(crate) const MEDIA_TYPE: &str = "application/cbor";

/// The tag of self-described CBOR.
const SELF_DESCRIBED: u64 = 55799;

/// The nesting that other decoders of this server accept as well.
const DEPTH: usize = 128;

/// A value, tagged as self-described.
pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A Vec takes every byte.
    let _ = ciborium::into_writer(&Required::<_, SELF_DESCRIBED>(Encoded(value)), &mut bytes);
    bytes
}

/// A value as it is written. No copy of it is made: a list may be long.
struct Encoded<'a>(&'a Value);

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(bool) => serializer.serialize_bool(*bool),
            Value::Number(number) => match number.as_i64() {
                Some(number) => serializer.serialize_i64(number),
                None => serializer.serialize_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => ByteString(text).serialize(serializer),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Encoded)),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (ByteString(name), Encoded(value)));
                serializer.collect_map(fields)
            }
        }
    }
}

struct ByteString<'a>(&'a str);

impl Serialize for ByteString<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_bytes())
    }
}

/// Decodes one data item, with texts or byte strings, tagged or not.
///
/// # Errors
///
/// The reason why the bytes are no value of JSON.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, String> {
    let mut rest = bytes;
    let item: Cbor = ciborium::de::from_reader_with_recursion_limit(&mut rest, DEPTH)
        .map_err(|_| "cbor: not a data item".to_owned())?;
    if !rest.is_empty() {
        return Err(format!("cbor: {} bytes follow the data item", rest.len()));
    }
    decoded(item)
}

fn decoded(item: Cbor) -> Result<Value, String> {
    Ok(match item {
        Cbor::Tag(SELF_DESCRIBED, item) => decoded(*item)?,
        Cbor::Null => Value::Null,
        Cbor::Bool(bool) => bool.into(),
        Cbor::Integer(number) => integer(number).ok_or("cbor: the integer is too large")?,
        Cbor::Float(number) => Number::from_f64(number).ok_or("cbor: not a finite number")?.into(),
        item @ (Cbor::Text(_) | Cbor::Bytes(_)) => text(item)?.into(),
        Cbor::Array(items) => items.into_iter().map(decoded).collect::<Result<_, _>>()?,
        Cbor::Map(entries) => {
            let entries = entries.into_iter().map(|(key, value)| Ok((text(key)?, decoded(value)?)));
            Value::Object(entries.collect::<Result<Map<_, _>, String>>()?)
        }
        other => return Err(format!("cbor: JSON has no such value: {other:?}")),
    })
}

fn integer(number: Integer) -> Option<Value> {
    i64::try_from(number).ok().map(Value::from)
}

fn text(item: Cbor) -> Result<String, String> {
    let bytes = match item {
        Cbor::Text(text) => return Ok(text),
        Cbor::Bytes(bytes) => bytes,
        other => return Err(format!("cbor: not a text: {other:?}")),
    };
    String::from_utf8(bytes).map_err(|_| "cbor: the text is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let value = json!({"a": [1, -2, 0.5, 4_294_967_296_i64, null, true], "b": {"c": "text"}});
        let bytes = write(&value);
        assert!(bytes.starts_with(&[0xd9, 0xd9, 0xf7]));
        assert_eq!(read(&bytes), Ok(value));
        assert!(read(&[bytes.as_slice(), &[0]].concat()).unwrap_err().contains("follow"));
    }

    #[test]
    fn lengths_come_first_and_numbers_are_short() {
        let value = json!({"a": [1, -2, 0.5, null, {}], "b": "c"});
        let bytes = [
            0xd9, 0xd9, 0xf7, 0xa2, 0x41, b'a', 0x85, 0x01, 0x21, 0xf9, 0x38, 0x00, 0xf6, 0xa0, 0x41, b'b',
            0x41, b'c',
        ];
        assert_eq!(write(&value), bytes);
    }

    #[test]
    fn texts_are_read_as_texts_and_as_bytes() {
        assert_eq!(read(&[0xa1, 0x61, b'a', 0x41, b'b']), Ok(json!({"a": "b"})));
        assert!(read(&[0x41, 0xff]).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..64)) {
            let refused = read(&bytes).is_err();
            prop_assert!(refused || !bytes.is_empty());
        }
    }
}
