//! Reviews of access and of the user: `SelfSubjectAccessReview`, `SubjectAccessReview`, `SelfSubjectReview`.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::auth::User;
use crate::body;
use crate::content_negotiation;
use crate::failure::Failure;
use crate::field_validation::{FieldCheck, Level};
use crate::metadata;
use crate::resource_type::ResourceType;
use crate::route::Verb;

/// The groups of the reviews.
pub(crate) const GROUPS: [&str; 2] = ["authentication.k8s.io", "authorization.k8s.io"];

/// Handles a review.
pub(crate) fn review(call: &Call, verb: Verb, ty: &ResourceType) -> ApiResult {
    if verb != Verb::Create {
        return Err(Failure::method_not_allowed(ty, verb.name()));
    }
    content_negotiation::require_object(&call.headers)?;
    let mut check = FieldCheck::new(Level::Ignore);
    let object = body::decoded(&call.headers, &call.body, ty, &mut check)?;
    let spec = &object["spec"];
    let user = match ty.kind.as_str() {
        "SubjectAccessReview" => reviewed_user(spec),
        _ => call.user.clone(),
    };
    let path = &spec["nonResourceAttributes"]["path"];
    let method = spec["nonResourceAttributes"]["verb"].as_str().unwrap_or_default();
    let allowed =
        user == User::Admin || path.as_str().is_some_and(|path| user.may_path(method, path).is_ok());
    if ty.kind == "SelfSubjectReview" {
        return Ok(json(StatusCode::CREATED, &user_review(call, ty)));
    }
    let review = json!({
        "kind": ty.kind,
        "apiVersion": ty.api_version(),
        "metadata": Value::Object(serde_json::Map::new()),
        "spec": object["spec"],
        "status": {"allowed": allowed},
    });
    Ok(json(StatusCode::CREATED, &review))
}

/// A review of the user who sends it.
fn user_review(call: &Call, ty: &ResourceType) -> Value {
    json!({
        "kind": ty.kind,
        "apiVersion": ty.api_version(),
        "metadata": { "creationTimestamp": metadata::now() },
        "status": { "userInfo": { "username": call.user.name(), "groups": call.user.groups() } },
    })
}

/// The user in the spec of a `SubjectAccessReview`.
fn reviewed_user(spec: &Value) -> User {
    let groups = spec["groups"].as_array().into_iter().flatten().filter_map(Value::as_str);
    User::named(spec["user"].as_str().unwrap_or_default(), groups)
}
