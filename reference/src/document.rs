//! JSON and YAML parser: duplicate fields are reported, and the last one wins.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{DuplicateKeyPolicy, Error as YamlError};

/// The maximum number of reported duplicate fields.
const MOST: usize = 100;

/// A parsed document. serde rejects too deep nesting.
pub(crate) struct Document {
    /// The content.
    pub(crate) value: Value,
    /// The paths of duplicate fields.
    pub(crate) duplicates: Vec<String>,
}

/// Parses JSON. As in Go, each byte that is not UTF-8 becomes U+FFFD.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, serde_json::Error> {
    let mut duplicates = Vec::new();
    let text: Cow<'_, str> =
        std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(replaced(bytes)), Cow::Borrowed);
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let value = Place { path: Path::Root, duplicates: &mut duplicates }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Document { value, duplicates })
}

fn replaced(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    let characters = chunks.flat_map(|chunk| {
        let invalid = chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER);
        chunk.valid().chars().chain(invalid)
    });
    characters.collect()
}

/// Parses the first document of YAML.
pub(crate) fn read_yaml(bytes: &[u8]) -> Result<Document, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let options = serde_saphyr::options! { duplicate_keys: DuplicateKeyPolicy::LastWins };
    let mut duplicates = Vec::new();
    let place = Place { path: Path::Root, duplicates: &mut duplicates };
    let first = first_document(text);
    let value = serde_saphyr::with_deserializer_from_str_with_options(first, options, |deserializer| {
        place.deserialize(deserializer)
    });
    let value = value.map_err(|error| format!("yaml: {}", yaml_error(&error)))?;
    Ok(Document { value, duplicates })
}

/// The cause of a parser's error, with its line, in the words of YAML.
fn yaml_error(error: &YamlError) -> String {
    let cause = match error.without_snippet() {
        YamlError::AliasError { error, .. } => return yaml_error(error),
        YamlError::ExternalMessage { msg, .. } => msg.lines().next().unwrap_or_default().to_owned(),
        YamlError::Unexpected { expected, .. } => format!("expected {expected}"),
        YamlError::Eof { .. } => "unexpected end of the document".to_owned(),
        YamlError::UnknownAnchor { .. } => "unknown anchor".to_owned(),
        YamlError::RecursiveReferencesRequireWeakTypes { .. } => "an anchor contains itself".to_owned(),
        YamlError::AliasReplayCounterOverflow { .. }
        | YamlError::AliasReplayLimitExceeded { .. }
        | YamlError::AliasExpansionLimitExceeded { .. }
        | YamlError::AliasReplayStackDepthExceeded { .. } => {
            "document contains excessive aliasing".to_owned()
        }
        YamlError::Budget { .. } => "document has too many values, levels or aliases".to_owned(),
        YamlError::InvalidBinaryBase64 { .. } => "!!binary value contains invalid base64 data".to_owned(),
        YamlError::NullIntoString { .. }
        | YamlError::SerdeInvalidType { .. }
        | YamlError::TaggedScalarCannotDeserializeIntoString { .. } => "invalid map key".to_owned(),
        _ => "the document cannot be parsed".to_owned(),
    };
    match error.location() {
        Some(place) => format!("line {}: {cause}", place.line()),
        None => cause,
    }
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

/// A path in a document, which is written only for a duplicate: each value below a long name would write that again.
enum Path<'a> {
    Root,
    Field(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(above, name) => write!(f, "{above}.{name}"),
            Self::Item(above, index) => write!(f, "{above}[{index}]"),
        }
    }
}

/// A visitor for the value at a path.
struct Place<'a> {
    path: Path<'a>,
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
            let path = Path::Item(&self.path, items.len());
            match access.next_element_seed(Place { path, duplicates: &mut *self.duplicates })? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            let path = Path::Field(&self.path, &name);
            if fields.contains_key(&name) && self.duplicates.len() < MOST {
                let path = path.to_string();
                if !self.duplicates.contains(&path) {
                    self.duplicates.push(path);
                }
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

    /// A million items take a second if none writes its path, and minutes if each does.
    #[test]
    fn items_below_a_long_name_take_no_quadratic_time() {
        let text = format!("{{\"{}\": [{}0]}}", "a".repeat(1 << 20), "0,".repeat(999_999));
        let document = read(text.as_bytes()).unwrap();
        assert_eq!(document.value["a".repeat(1 << 20)].as_array().unwrap().len(), 1_000_000);
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
    fn an_error_in_yaml_is_one_line_in_words_of_yaml() {
        let level = |level: usize| {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            format!("a{level}: &a{level} [{aliases}]")
        };
        let bomb = [vec!["a0: &a0 [x, x]".to_owned()], (1..9).map(level).collect()].concat().join("\n");
        let deep = format!("a: {}", "[".repeat(5_000));
        for text in [bomb.as_str(), deep.as_str(), "a: [", "a: *b", "~: 1", "[a]: 1", "a: !!binary '%'"] {
            let Err(why) = read_yaml(text.as_bytes()) else { continue };
            assert!(why.starts_with("yaml: ") && !why.contains('\n'), "{why}");
            for word in ["Option<", "breach", "total_", "::", "{"] {
                assert!(!why.contains(word), "{why}");
            }
        }
        let why = read_yaml(bomb.as_bytes()).err().unwrap();
        assert!(why.contains("alias"), "{why}");
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_replaced_in_texts() {
        let document = read(b"{\"a\xff\": \"\xe2\x82b\xc3\xa9\"}").unwrap();
        assert_eq!(document.value, json!({"a\u{fffd}": "\u{fffd}\u{fffd}b\u{e9}"}));
        assert!(read(b"{}\xff").is_err());
    }

    #[test]
    fn invalid_json_is_rejected() {
        assert!(read(b"{").err().unwrap().is_eof());
        assert!(read(b"").err().unwrap().is_eof());
        assert!(read(b"{} x").is_err());
        assert!(read(b"nonsense").is_err());
    }
}
