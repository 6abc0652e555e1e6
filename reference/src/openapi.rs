//! `OpenAPI` documents: fields, patch strategies, the fieldValidation parameter, and a URL for each description.

mod message;
mod operations;
mod schema;
mod shared;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, EXPIRES, LOCATION, VARY};
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value, json};

use crate::api::{Call, json};
use crate::component_status::VERSION;
use crate::content_negotiation::ranges;
use crate::non_resource_paths::not_found;
use crate::resource_type::ResourceType;
use message::Version;
use operations::operations;
use schema::Schemas;
use shared::Place;

/// Returns the document of a path below /openapi.
pub(crate) fn respond(call: &Call, rest: &[&str]) -> Response {
    let types = call.cluster.registry.all();
    match rest {
        ["v2"] => in_accepted_form(&call.headers, &version_2(&types), Version::V2),
        ["v3"] => json(StatusCode::OK, &json!({"paths": root_paths(&types)})),
        ["v3", "api", version] => description(call, &types, "", version),
        ["v3", "apis", group, version] => description(call, &types, group, version),
        _ => not_found(),
    }
}

/// The types of a group version.
fn served<'a>(types: &'a [Arc<ResourceType>], group: &str, version: &str) -> Vec<&'a ResourceType> {
    types.iter().map(|ty| &**ty).filter(|ty| ty.group == group && ty.version == version).collect()
}

/// The description of a group version. One at an earlier URL has moved.
fn description(call: &Call, types: &[Arc<ResourceType>], group: &str, version: &str) -> Response {
    let served = served(types, group, version);
    let Some(first) = served.first() else { return not_found() };
    let asked = call.query.first("hash");
    if asked.is_empty() {
        return in_accepted_form(&call.headers, &version_3(types, &served), Version::V3);
    }
    if asked != hash(&served) {
        return moved(&url(&path_of(first), &served));
    }
    let mut response = in_accepted_form(&call.headers, &version_3(types, &served), Version::V3);
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, immutable"));
    let expires = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).saturating_add(1.year());
    let expires = expires.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    headers.extend(HeaderValue::from_str(&expires).ok().map(|expires| (EXPIRES, expires)));
    response
}

fn moved(url: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    response.headers_mut().extend(HeaderValue::from_str(url).ok().map(|url| (LOCATION, url)));
    response
}

/// A document in JSON or Protobuf, as the client prefers.
fn in_accepted_form(headers: &HeaderMap, document: &Value, version: Version) -> Response {
    let ranges = ranges(headers);
    let form = |media: &str| match media {
        "application/json" | "application/*" | "*/*" => Some(false),
        _ => version.is_requested_by(media).then_some(true),
    };
    let in_protobuf =
        ranges.iter().find_map(|range| form(range.media)).or(ranges.is_empty().then_some(false));
    let mut response = match in_protobuf {
        None => Response::default(),
        Some(false) => json(StatusCode::OK, document),
        Some(true) => Response::new(Body::from(version.message(document))),
    };
    match in_protobuf {
        None => *response.status_mut() = StatusCode::NOT_ACCEPTABLE,
        Some(false) => {}
        Some(true) => drop(response.headers_mut().insert(CONTENT_TYPE, version.content_type())),
    }
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    response
}

fn path_of(ty: &ResourceType) -> String {
    if ty.group.is_empty() {
        format!("api/{}", ty.version)
    } else {
        format!("apis/{}/{}", ty.group, ty.version)
    }
}

/// The URL of the description of these types; it changes with them.
fn url(path: &str, served: &[&ResourceType]) -> String {
    format!("/openapi/v3/{path}?hash={}", hash(served))
}

fn hash(served: &[&ResourceType]) -> String {
    let mut hasher = DefaultHasher::new();
    for ty in served {
        let schema = ty.custom.as_ref().map(|custom| &custom.schema);
        (&ty.plural, &ty.kind, &ty.subresources, schema).hash(&mut hasher);
    }
    format!("{:016X}", hasher.finish())
}

fn root_paths(types: &[Arc<ResourceType>]) -> Value {
    let entry = |ty: &Arc<ResourceType>| {
        let path = path_of(ty);
        let url = url(&path, &served(types, &ty.group, &ty.version));
        (path, json!({"serverRelativeURL": url}))
    };
    Value::Object(types.iter().map(entry).collect())
}

fn version_3(types: &[Arc<ResourceType>], served: &[&ResourceType]) -> Value {
    let mut paths = Map::new();
    let mut schemas = Schemas::at(Place::Components, types);
    for ty in served {
        let reference = Place::Components.reference(&schema::name(ty));
        paths.extend(operations(ty, &json!({"content": {"application/json": {"schema": reference}}})));
        schemas.add(ty);
    }
    json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": VERSION},
        "paths": paths,
        "components": {"schemas": schemas.into_all()},
    })
}

fn version_2(types: &[Arc<ResourceType>]) -> Value {
    let mut paths = Map::new();
    let mut definitions = Schemas::at(Place::Definitions, types);
    for ty in types {
        let reference = Place::Definitions.reference(&schema::name(ty));
        paths.extend(operations(ty, &json!({"schema": reference})));
        definitions.add(ty);
    }
    json!({
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": VERSION},
        "paths": paths,
        "definitions": definitions.into_all(),
    })
}
