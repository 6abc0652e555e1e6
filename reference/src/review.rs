//! Reviews: questions that are posted, answered and not stored.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Answer, Call, json};
use crate::auth::User;
use crate::body;
use crate::failure::Failure;
use crate::resource::ResourceType;
use crate::route::Verb;

/// Answers "may I?".
pub(crate) fn review(call: &Call, verb: Verb, ty: &ResourceType) -> Answer {
    if verb != Verb::Create {
        return Err(Failure::method_not_allowed(ty, verb.name()));
    }
    let object = body::object(&call.headers, &call.body, ty)?;
    let path = &object["spec"]["nonResourceAttributes"]["path"];
    let method = object["spec"]["nonResourceAttributes"]["verb"].as_str().unwrap_or_default();
    let allowed = call.user == User::Admin
        || path.as_str().is_some_and(|path| call.user.may_path(method, path).is_ok());
    let review = json!({
        "kind": ty.kind,
        "apiVersion": ty.api_version(),
        "metadata": Value::Object(serde_json::Map::new()),
        "spec": object["spec"],
        "status": {"allowed": allowed},
    });
    Ok(json(StatusCode::CREATED, &review))
}
