//! Opaque resource versions variant: versions encoded in responses, decoded in requests.
//!
//! Equal versions have equal encodings; encodings support no comparison but equality.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use crate::fault::{json_body, parameters};

/// An odd number and its inverse modulo 2^64.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
const UNMIX: u64 = inverse(MIX);

/// An upper bound of the store's versions, so that few invented strings decode to a version.
const BOUND: u64 = 1 << 40;

/// Encodes the versions of a response.
pub(super) fn write(body: &mut Value) {
    each_version(body, &mut |version| {
        if let Ok(number) = version.parse() {
            *version = encode(number);
        }
    });
}

/// Decodes the versions of a request.
pub(super) fn read(parts: &mut Parts, body: &mut Bytes) {
    parameters(parts, |all| {
        let versions = all.iter_mut().filter(|(name, _)| name == "resourceVersion");
        versions.for_each(|(_, version)| decode(version));
    });
    json_body(parts, body, |json| {
        if let Some(operations) = json.as_array_mut() {
            operations.iter_mut().for_each(read_operation);
        }
        each_version(json, &mut decode);
        if let Some(Value::String(version)) = json.pointer_mut("/preconditions/resourceVersion") {
            decode(version);
        }
    });
}

/// Decodes the version in the value of a JSON patch operation.
fn read_operation(operation: &mut Value) {
    let path = operation["path"].as_str().unwrap_or_default().to_owned();
    match (path.as_str(), operation.get_mut("value")) {
        ("/metadata/resourceVersion", Some(Value::String(version))) => decode(version),
        ("/metadata", Some(Value::Object(metadata))) => {
            if let Some(Value::String(version)) = metadata.get_mut("resourceVersion") {
                decode(version);
            }
        }
        ("", Some(object)) => each_version(object, &mut decode),
        _ => {}
    }
}

/// Visits the versions in the metadata of an object, list or table, and of its items.
fn each_version(json: &mut Value, visit: &mut impl FnMut(&mut String)) {
    if let Some(Value::String(version)) = json.pointer_mut("/metadata/resourceVersion") {
        visit(version);
    }
    for (list, within) in [("items", ""), ("rows", "/object")] {
        for item in json.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(Value::String(version)) =
                item.pointer_mut(&format!("{within}/metadata/resourceVersion"))
            {
                visit(version);
            }
        }
    }
}

/// Encodes a version.
fn encode(version: u64) -> String {
    STANDARD.encode(version.wrapping_mul(MIX).to_be_bytes())
}

/// Decodes a version of a client. Special versions stay; other strings become invalid versions.
fn decode(version: &mut String) {
    if matches!(version.as_str(), "" | "0") {
        return;
    }
    let bytes = STANDARD.decode(&*version).ok().and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
    let number =
        bytes.map(|bytes| u64::from_be_bytes(bytes).wrapping_mul(UNMIX)).filter(|number| *number < BOUND);
    *version = number.map_or_else(|| format!("not a version: {version}"), |number| number.to_string());
}

/// The inverse of an odd number modulo 2^64: each step doubles the number of correct bits.
const fn inverse(odd: u64) -> u64 {
    let mut result = odd;
    let mut step = 0;
    while step < 5 {
        result = result.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(result)));
        step += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_version_decodes() {
        for version in [1, 100, 101, 4_294_967_296, BOUND - 1] {
            let mut text = encode(version);
            assert!(text.parse::<u64>().is_err() && text == encode(version));
            decode(&mut text);
            assert_eq!(text, version.to_string());
        }
    }

    #[test]
    fn invalid_versions_stay_invalid() {
        for text in ["7", "a", "AAAAAAAAAAA=", "-1", "99999999999999999999"] {
            let mut decoded = text.to_owned();
            decode(&mut decoded);
            assert!(decoded.parse::<u64>().is_err() || decoded == "0", "{text} became {decoded}");
        }
    }
}
