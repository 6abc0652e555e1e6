//! Strategy of `ConfigMaps` and `Secrets`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::failure::Cause;

/// The maximum total size of the values, in bytes.
const LARGEST: usize = 1024 * 1024;

/// Moves `stringData` into `data`.
pub(super) fn complete_secret(object: &mut Value) {
    if let Some(Value::Object(texts)) = object.get_mut("stringData").map(Value::take) {
        for (key, text) in texts {
            object["data"][key] = STANDARD.encode(text.as_str().unwrap_or_default()).into();
        }
    }
    super::remove(object, "stringData");
    if object.get("type").is_none() {
        object["type"] = "Opaque".into();
    }
}

/// The errors in keys and size.
pub(super) fn key_errors(object: &Value) -> Vec<Cause> {
    let map = |field: &str| object[field].as_object().into_iter().flat_map(Map::iter);
    let mut causes = Vec::new();
    for field in ["data", "binaryData"] {
        for (key, _) in map(field) {
            let path = || format!("{field}[{key}]");
            if let Some(detail) = key_error(key) {
                causes.push(Cause::invalid(path(), &key.as_str().into(), detail));
            }
            if field == "data" && object["binaryData"].get(key).is_some() {
                let detail = "duplicate of key present in binaryData";
                causes.push(Cause::invalid(path(), &key.as_str().into(), detail));
            }
        }
    }
    let size = |(_, value): (&String, &Value)| value.as_str().map_or(0, str::len);
    if map("data").chain(map("binaryData")).map(size).sum::<usize>() > LARGEST {
        causes.push(Cause::too_long("[]", LARGEST as u64));
    }
    causes
}

fn key_error(key: &str) -> Option<&'static str> {
    const WORD: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  \
         or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    let valid_characters =
        key.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character));
    match key {
        key if key.len() > 253 => Some("must be no more than 253 bytes"),
        key if !valid_characters || key.is_empty() => Some(WORD),
        "." => Some("must not be '.'"),
        ".." => Some("must not be '..'"),
        key if key.starts_with("..") => Some("must not start with '..'"),
        _ => None,
    }
}
