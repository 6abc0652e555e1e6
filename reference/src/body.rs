//! Request bodies: strict decoding of objects and options.

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use crate::document;
use crate::failure::{Cause, Failure};
use crate::field_validation::{FieldCheck, duplicate};
use crate::resource_type::ResourceType;
use crate::{cbor, decoder, kind, protobuf};

const UNKNOWN_FORMAT: &str = "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor";

const JSON: &str = "application/json";
const YAML: &str = "application/yaml";

/// The maximum size of a body, in bytes.
pub(crate) const LIMIT: usize = 3 * 1024 * 1024;

/// The media type of a body, without parameters; the default is JSON.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match text.split(';').next().unwrap_or_default().trim() {
        "" => "application/json".to_owned(),
        media => media.to_ascii_lowercase(),
    }
}

/// The object in the body of a create or update, decoded as its type.
pub(crate) fn decoded(
    headers: &HeaderMap,
    body: &Bytes,
    ty: &ResourceType,
    check: &mut FieldCheck,
) -> Result<Value, Failure> {
    let (mut object, duplicates) = read(headers, body, ty)?;
    check_type(ty, &object)?;
    ty.rename_fields(&mut object);
    check.decode_body(ty, &mut object, &duplicates)?;
    object["kind"] = ty.kind.as_str().into();
    object["apiVersion"] = ty.api_version().into();
    Ok(object)
}

/// The object, and its duplicate fields.
fn read(headers: &HeaderMap, body: &Bytes, ty: &ResourceType) -> Result<(Value, Vec<String>), Failure> {
    let read = match media_type(headers).as_str() {
        media @ (JSON | YAML) => parse(media, body),
        cbor::MEDIA_TYPE => cbor::read(body).map(without_duplicates),
        protobuf::MEDIA_TYPE if protobuf::offers(ty) => {
            protobuf::read(kind::of_type(ty), body).map(without_duplicates)
        }
        _ => return Err(Failure::unsupported_media_type(UNKNOWN_FORMAT)),
    };
    read.map_err(|detail| unrecognized(ty, &detail))
}

/// Of binary formats, only the last value of a field is read.
fn without_duplicates(object: Value) -> (Value, Vec<String>) {
    (object, Vec::new())
}

/// The options in the body of a deletion: `None` without a body.
pub(crate) fn options(headers: &HeaderMap, body: &Bytes) -> Result<Option<Value>, Failure> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let read = match media_type(headers).as_str() {
        media @ (JSON | YAML) => parse(media, body).map(|(options, _)| options),
        cbor::MEDIA_TYPE => cbor::read(body),
        protobuf::MEDIA_TYPE => protobuf::read(kind::of("DeleteOptions"), body),
        _ => return Err(Failure::unsupported_media_type(UNKNOWN_FORMAT)),
    };
    let mut options = read.map_err(Failure::bad_request)?;
    let text = |field: &str| options[field].as_str().unwrap_or_default();
    if !matches!(text("kind"), "" | "DeleteOptions") {
        let (kind, version) = (text("kind"), text("apiVersion"));
        return Err(Failure::bad_request(format!("no kind {kind:?} is registered for version {version:?}")));
    }
    if let Some(kind) = kind::of("DeleteOptions") {
        decoder::object(kind, &mut options, &mut Vec::new()).map_err(Failure::bad_request)?;
    }
    Ok(Some(options))
}

/// An object, and messages for its duplicate fields.
fn parse(media: &str, body: &Bytes) -> Result<(Value, Vec<String>), String> {
    let json_error = |detail: &str| {
        let text = String::from_utf8_lossy(body);
        let excerpt = if text.is_empty() { "<empty>" } else { &text };
        let excerpt: String = excerpt.chars().take(80).collect();
        format!("couldn't get version/kind; json parse error: {detail} ({excerpt})")
    };
    let (document, duplicate_message): (_, fn(&str) -> String) = if media == YAML {
        (document::read_yaml(body)?, already_set)
    } else {
        let malformed = |error: serde_json::Error| {
            if error.is_eof() {
                json_error("unexpected end of JSON input")
            } else {
                json_error(&error.to_string())
            }
        };
        (document::read(body).map_err(malformed)?, duplicate)
    };
    let object = match document.value {
        Value::Object(fields) => fields,
        // Go leaves an empty object as it is.
        Value::Null => Map::new(),
        _ => return Err(json_error("json: cannot unmarshal into an object")),
    };
    let duplicates = document.duplicates.iter().map(|path| duplicate_message(path)).collect();
    Ok((object.into(), duplicates))
}

/// The message for a duplicate key in YAML.
pub(crate) fn already_set(path: &str) -> String {
    let key = path.rsplit_once('.').map_or(path, |(_, key)| key);
    format!("key {key:?} already set in map")
}

fn unrecognized(ty: &ResourceType, detail: &str) -> Failure {
    Failure::bad_request(format!(
        "the object provided is unrecognized (must be of type {}): {detail}",
        ty.kind
    ))
}

/// Built-in types may omit kind and apiVersion; custom types require them.
fn check_type(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    if ty.custom.is_some() {
        return check_custom_type(ty, object, kind, version);
    }
    let mismatch =
        (!kind.is_empty() && kind != ty.kind) || (!version.is_empty() && version != ty.api_version());
    if mismatch {
        let message = format!(
            "{kind} in version {:?} cannot be handled as a {}: no kind {kind:?} is registered for version {version:?}",
            ty.version, ty.kind
        );
        return Err(Failure::bad_request(message));
    }
    Ok(())
}

fn check_custom_type(ty: &ResourceType, object: &Value, kind: &str, version: &str) -> Result<(), Failure> {
    let expected = ty.api_version();
    if version != expected {
        let message = format!(
            "the API version in the data ({version}) does not match the expected API version ({expected})"
        );
        return Err(Failure::bad_request(message));
    }
    if kind.is_empty() {
        return Err(Failure::bad_request("Object 'Kind' is missing in the body"));
    }
    if kind != ty.kind {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let cause = Cause::invalid("kind", &kind.into(), &format!("must be {}", ty.kind));
        return Err(Failure::invalid(&ty.group, kind, name, &[cause]));
    }
    Ok(())
}
