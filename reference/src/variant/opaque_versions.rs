//! Opaque resource versions variant: versions encoded in responses, decoded in requests.
//!
//! Equal versions have equal encodings; encodings support no comparison but equality.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use crate::fault::{json_body, parameters};

/// An odd number and its inverse among 64-bit numbers: what the one mixes up, the other puts in order.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
const UNMIX: u64 = inverse(MIX);

/// What no version of ours reaches, so that few made-up texts are versions.
const BOUND: u64 = 1 << 40;

/// Hides the versions of a response.
pub(super) fn write(body: &mut Value) {
    each_version(body, &mut |version| {
        if let Ok(number) = version.parse() {
            *version = hidden(number);
        }
    });
}

/// Finds the versions that a request names.
pub(super) fn read(parts: &mut Parts, body: &mut Bytes) {
    parameters(parts, |all| {
        let versions = all.iter_mut().filter(|(name, _)| name == "resourceVersion");
        versions.for_each(|(_, version)| find(version));
    });
    json_body(parts, body, |json| {
        if let Some(operations) = json.as_array_mut() {
            operations.iter_mut().for_each(read_operation);
        }
        each_version(json, &mut find);
        if let Some(Value::String(version)) = json.pointer_mut("/preconditions/resourceVersion") {
            find(version);
        }
    });
}

/// An operation of a JSON patch that has a version, or metadata with one, for a value.
fn read_operation(operation: &mut Value) {
    let path = operation["path"].as_str().unwrap_or_default().to_owned();
    match (path.as_str(), operation.get_mut("value")) {
        ("/metadata/resourceVersion", Some(Value::String(version))) => find(version),
        ("/metadata", Some(Value::Object(metadata))) => {
            if let Some(Value::String(version)) = metadata.get_mut("resourceVersion") {
                find(version);
            }
        }
        ("", Some(object)) => each_version(object, &mut find),
        _ => {}
    }
}

/// Every version that stands in the metadata of an object, a list or a table, and of what is in them.
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

/// A version of ours, hidden.
fn hidden(version: u64) -> String {
    STANDARD.encode(version.wrapping_mul(MIX).to_be_bytes())
}

/// What a client means by a version: one of ours, a special one, or nothing that there could be.
fn find(version: &mut String) {
    if matches!(version.as_str(), "" | "0") {
        return;
    }
    let bytes = STANDARD.decode(&*version).ok().and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
    let number =
        bytes.map(|bytes| u64::from_be_bytes(bytes).wrapping_mul(UNMIX)).filter(|number| *number < BOUND);
    *version = number.map_or_else(|| format!("not a version: {version}"), |number| number.to_string());
}

/// The inverse of an odd number: each step doubles the number of right bits.
const fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    let mut step = 0;
    while step < 5 {
        found = found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)));
        step += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_version_is_found_again() {
        for version in [1, 100, 101, 4_294_967_296, BOUND - 1] {
            let mut text = hidden(version);
            assert!(text.parse::<u64>().is_err() && text == hidden(version));
            find(&mut text);
            assert_eq!(text, version.to_string());
        }
    }

    #[test]
    fn what_is_no_version_stays_none() {
        for text in ["7", "a", "AAAAAAAAAAA=", "-1", "99999999999999999999"] {
            let mut found = text.to_owned();
            find(&mut found);
            assert!(found.parse::<u64>().is_err() || found == "0", "{text} became {found}");
        }
    }
}
