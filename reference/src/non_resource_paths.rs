//! Non-resource paths: health, discovery, component and admin endpoints.

use axum::response::Response;
use http::{Method, StatusCode};
use serde_json::json;

use crate::api::{ApiResult, Call, json};
use crate::failure::Failure;
use crate::{admin_endpoints, component_status, discovery, health, metrics, openapi, rbac};

/// Handles a non-resource path.
pub(crate) fn respond(call: &Call) -> ApiResult {
    rbac::may_path(&call.cluster, &call.user, call.user.groups(), call.method.as_str(), &call.path)?;
    if let Some(response) = call.cluster.health.response(&call.path, &call.query) {
        call.cluster.semantics.health_checked(&*call.cluster.store);
        return Ok(response);
    }
    let parts: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        [""] => Ok(json(StatusCode::OK, &json!({"paths": paths(call)}))),
        ["version"] if call.method == Method::GET => Ok(component_status::version()),
        ["version"] => Err(Failure::unsupported_method()),
        ["metrics"] | ["metrics", "slis"] => Ok(metrics::respond(&call.cluster)),
        ["statusz"] => component_status::statusz(call),
        ["flagz"] => component_status::flagz(call),
        ["api" | "apis", ..] => discovery::respond(call, &parts),
        ["openapi", rest @ ..] => Ok(openapi::respond(call, rest)),
        ["reference", action] => admin_endpoints::perform(call, action),
        _ => Ok(not_found()),
    }
}

/// 404 for an unknown path.
pub(crate) fn not_found() -> Response {
    health::plain_text(StatusCode::NOT_FOUND, "404 page not found\n".to_owned(), true)
}

fn paths(call: &Call) -> Vec<String> {
    let mut paths: Vec<String> = ["/api", "/api/v1", "/apis", "/apis/"].map(str::to_owned).into();
    for ty in call.cluster.registry.all().iter().filter(|ty| !ty.group.is_empty()) {
        paths.push(format!("/apis/{}", ty.group));
        paths.push(format!("/apis/{}/{}", ty.group, ty.version));
    }
    paths.extend(health::paths());
    let others =
        ["/flagz", "/metrics", "/metrics/slis", "/openapi/v2", "/openapi/v3", "/statusz", "/version"];
    paths.extend(others.map(str::to_owned));
    paths.sort();
    paths.dedup();
    paths
}
