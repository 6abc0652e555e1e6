//! Request edits: query parameters, headers and bodies.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HeaderMap, HeaderValue};
use http::request::Parts;
use http::{HeaderName, Uri};
use serde_json::Value;

use crate::{body, cbor, document, protobuf};

pub(crate) fn parameters(parts: &mut Parts, edit: impl FnOnce(&mut Vec<(String, String)>)) {
    let query = parts.uri.query().unwrap_or_default();
    let mut all: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    edit(&mut all);
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish();
    let path = parts.uri.path().to_owned();
    set_uri(parts, &path, Some(query.as_str()).filter(|query| !query.is_empty()));
}

pub(super) fn set_uri(parts: &mut Parts, path: &str, query: Option<&str>) {
    let text = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut uri = parts.uri.clone().into_parts();
    uri.path_and_query = text.parse().ok();
    if let Ok(uri) = Uri::from_parts(uri) {
        parts.uri = uri;
    }
}

pub(super) fn set_header(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

/// Changes a request body in any encoding. An unchanged body keeps its bytes, with duplicate fields.
pub(crate) fn json_body(parts: &mut Parts, body: &mut Bytes, edit: impl FnOnce(&mut Value)) {
    let media_type = body::media_type(&parts.headers);
    let Some(before) = decoded(&media_type, body) else { return };
    let mut json = before.clone();
    edit(&mut json);
    if json != before {
        *body = match media_type.as_str() {
            protobuf::MEDIA_TYPE => protobuf::body(&json).into(),
            binary if is_cbor(binary) => cbor::write(&json).into(),
            // JSON is YAML as well.
            _ => json.to_string().into(),
        };
        parts.headers.remove(CONTENT_LENGTH);
    }
}

fn decoded(media_type: &str, body: &Bytes) -> Option<Value> {
    match media_type {
        protobuf::MEDIA_TYPE => protobuf::read(crate::kind::of(&protobuf::kind(body)?), body).ok(),
        "application/yaml" => document::read_yaml(body).ok().map(|document| document.value),
        binary if is_cbor(binary) => cbor::read(body).ok(),
        _ => serde_json::from_slice(body).ok(),
    }
}

fn is_cbor(media_type: &str) -> bool {
    media_type == cbor::MEDIA_TYPE || media_type.ends_with("+cbor")
}
