//! The bodies of requests: objects and options, read strictly.

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::protobuf;
use crate::resource::ResourceType;

/// The largest body that is taken.
pub(crate) const LIMIT: usize = 3 * 1024 * 1024;

/// The media type of a body, without parameters; JSON unless said otherwise.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match text.split(';').next().unwrap_or_default().trim() {
        "" => "application/json".to_owned(),
        media => media.to_ascii_lowercase(),
    }
}

/// The object that a create or update sends, of the right kind and version.
pub(crate) fn object(headers: &HeaderMap, body: &Bytes, ty: &ResourceType) -> Result<Value, Failure> {
    let mut object = match media_type(headers).as_str() {
        "application/json" => parse(body).map_err(|why| unrecognized(ty, &why))?,
        protobuf::MEDIA_TYPE if protobuf::is_readable(ty) => {
            protobuf::read(ty, body).ok_or_else(|| unrecognized(ty, "malformed protobuf"))?
        }
        _ => {
            let message = "the body of the request was in an unknown format - accepted media types include: application/json";
            return Err(Failure::unsupported_media_type(message));
        }
    };
    check_type(ty, &object)?;
    object["kind"] = ty.kind.as_str().into();
    object["apiVersion"] = ty.api_version().into();
    Ok(object)
}

/// The options in the body of a deletion; none if it is empty.
pub(crate) fn options(body: &Bytes) -> Result<Value, Failure> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    parse(body).map_err(|why| {
        let message = format!("the object provided is unrecognized (must be of type DeleteOptions): {why}");
        Failure::bad_request(message)
    })
}

/// A JSON object, with `metadata` if it has one being an object too.
fn parse(body: &Bytes) -> Result<Value, String> {
    let unknown = |why: &str| {
        let text = String::from_utf8_lossy(body);
        let shown = if text.is_empty() { "<empty>" } else { &text };
        let shown: String = shown.chars().take(80).collect();
        format!("couldn't get version/kind; json parse error: {why} ({shown})")
    };
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        if error.is_eof() { unknown("unexpected end of JSON input") } else { unknown(&error.to_string()) }
    })?;
    if !value.is_object() {
        return Err(unknown("json: cannot unmarshal into an object"));
    }
    Ok(value)
}

fn unrecognized(ty: &ResourceType, why: &str) -> Failure {
    Failure::bad_request(format!("the object provided is unrecognized (must be of type {}): {why}", ty.kind))
}

/// Built-in types may leave kind and version out; custom types must name them.
fn check_type(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    let said = |field: &str| object[field].as_str().unwrap_or_default();
    let (kind, version) = (said("kind"), said("apiVersion"));
    check_metadata(ty, object)?;
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

/// Metadata of the wrong shape cannot be decoded, whatever the type.
pub(crate) fn check_metadata(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    let wrong = |path: &str| {
        let message = format!(
            "{kind} in version {version:?} cannot be handled as a {kind}: json: cannot unmarshal {path}",
            kind = ty.kind,
            version = ty.version
        );
        Err(Failure::bad_request(message))
    };
    let metadata = match &object["metadata"] {
        Value::Null => return Ok(()),
        Value::Object(metadata) => metadata,
        _ => return wrong("metadata into an object"),
    };
    for (field, value) in metadata {
        let fine = match field.as_str() {
            "name" | "generateName" | "namespace" | "uid" | "resourceVersion" => {
                value.is_string() || value.is_null()
            }
            "labels" | "annotations" => is_text_map(value),
            "finalizers" => is_text_list(value),
            "ownerReferences" => value.is_array() || value.is_null(),
            _ => true,
        };
        if !fine {
            return wrong(&format!("metadata.{field}"));
        }
    }
    Ok(())
}

/// Whether a value is a map of strings, or nothing.
pub(crate) fn is_text_map(value: &Value) -> bool {
    value.is_null() || value.as_object().is_some_and(|map| map.values().all(Value::is_string))
}

fn is_text_list(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(|list| list.iter().all(Value::is_string))
}
