//! Access reviews: `SelfSubjectAccessReview` and `SubjectAccessReview`.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::auth::User;
use crate::body;
use crate::content_negotiation;
use crate::failure::Failure;
use crate::field_validation::{FieldCheck, Level};
use crate::resource_type::ResourceType;
use crate::route::Verb;

/// The group of the reviews.
pub(crate) const GROUP: &str = "authorization.k8s.io";

/// Handles an access review.
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
    let review = json!({
        "kind": ty.kind,
        "apiVersion": ty.api_version(),
        "metadata": Value::Object(serde_json::Map::new()),
        "spec": object["spec"],
        "status": {"allowed": allowed},
    });
    Ok(json(StatusCode::CREATED, &review))
}

/// The user in the spec of a `SubjectAccessReview`.
fn reviewed_user(spec: &Value) -> User {
    let groups = spec["groups"].as_array().into_iter().flatten().filter_map(Value::as_str);
    User::named(spec["user"].as_str().unwrap_or_default(), groups)
}
