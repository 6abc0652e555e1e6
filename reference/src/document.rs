//! JSON and YAML parser: duplicate fields are reported, and the last one wins.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::DuplicateKeyPolicy;

/// The maximum number of reported duplicate fields.
const MOST: usize = 100;

/// A parsed document. serde rejects too deep nesting.
pub(crate) struct Document {
    /// The content.
    pub(crate) value: Value,
    /// The paths of duplicate fields.
    pub(crate) duplicates: Vec<String>,
}

/// Parses JSON.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, serde_json::Error> {
    let mut duplicates = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Place { path: String::new(), duplicates: &mut duplicates }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Document { value, duplicates })
}

/// Parses the first document of YAML.
pub(crate) fn read_yaml(bytes: &[u8]) -> Result<Document, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let options = serde_saphyr::options! { duplicate_keys: DuplicateKeyPolicy::LastWins };
    let mut duplicates = Vec::new();
    let place = Place { path: String::new(), duplicates: &mut duplicates };
    let first = first_document(text);
    let value = serde_saphyr::with_deserializer_from_str_with_options(first, options, |deserializer| {
        place.deserialize(deserializer)
    });
    let value = value.map_err(|error| format!("yaml: {error}"))?;
    Ok(Document { value, duplicates })
}

/// The first line of a duplicate key in YAML.
pub(crate) fn repeated_line(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    let options = serde_saphyr::options! { duplicate_keys: DuplicateKeyPolicy::Error };
    let read: Result<Value, _> = serde_saphyr::from_str_with_options(first_document(text), options);
    Some(read.err()?.location()?.line())
}

/// The first document of a text.
fn first_document(text: &str) -> &str {
    let text = text.strip_prefix("---\n").unwrap_or(text);
    text.find("\n---\n").map_or(text, |end| &text[..end])
}

/// A visitor for the value at a path.
struct Place<'a> {
    path: String,
    duplicates: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let path = format!("{}[{}]", self.path, items.len());
            match access.next_element_seed(Place { path, duplicates: &mut *self.duplicates })? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            let path = if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) };
            let reported = || self.duplicates.len() >= MOST || self.duplicates.contains(&path);
            if fields.contains_key(&name) && !reported() {
                self.duplicates.push(path.clone());
            }
            let value = access.next_value_seed(Place { path, duplicates: &mut *self.duplicates })?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_duplicate_wins_and_is_reported() {
        let text = br#"{"a": 1, "b": [{"c": "x", "c": "y", "c": "z"}], "a": {"d": null, "d": 1.5}}"#;
        let document = read(text).unwrap();
        assert_eq!(document.value, json!({"a": {"d": 1.5}, "b": [{"c": "z"}]}));
        assert_eq!(document.duplicates, ["b[0].c", "a", "a.d"]);
    }

    #[test]
    fn yaml_is_parsed() {
        let text =
            "---\nmetadata: {name: a}\ndata:\n  k: \"1\"\n  k: \"2\"\nlist:\n- 1\n- null\n---\nother: 1\n";
        let document = read_yaml(text.as_bytes()).unwrap();
        assert_eq!(document.value, json!({"metadata": {"name": "a"}, "data": {"k": "2"}, "list": [1, null]}));
        assert_eq!(document.duplicates, ["data.k"]);
        assert_eq!(repeated_line(text.as_bytes()), Some(4));
        assert!(read_yaml(b"a: [").is_err());
    }

    #[test]
    fn invalid_json_is_rejected() {
        assert!(read(b"{").err().unwrap().is_eof());
        assert!(read(b"").err().unwrap().is_eof());
        assert!(read(b"{} x").is_err());
        assert!(read(b"nonsense").is_err());
    }
}
