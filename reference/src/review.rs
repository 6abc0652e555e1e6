//! Reviews of access, of the user, and of tokens.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::auth::User;
use crate::body;
use crate::content_negotiation;
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::metadata;
use crate::options::WriteOptions;
use crate::rbac::{self, Access};
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
    let mut check = FieldCheck::new(WriteOptions::of(&call.query, verb, false)?.fields);
    let object = body::decoded(&call.headers, &call.body, ty, &mut check)?;
    let spec = &object["spec"];
    let status = match ty.kind.as_str() {
        "SelfSubjectReview" => return Ok(json(StatusCode::CREATED, &user_review(call, ty))),
        "SelfSubjectRulesReview" => rules(&call.user),
        "TokenReview" => authentication(spec["token"].as_str().unwrap_or_default())?,
        "SelfSubjectAccessReview" => access(call, &call.user, call.user.groups(), spec),
        _ => access(call, &reviewed_user(spec), groups(spec).map(str::to_owned).collect(), spec),
    };
    let review = json!({
        "kind": ty.kind,
        "apiVersion": ty.api_version(),
        "metadata": Value::Object(serde_json::Map::new()),
        "spec": object["spec"],
        "status": status,
    });
    let mut response = json(StatusCode::CREATED, &review);
    check.add_warnings_to(&mut response);
    Ok(response)
}

/// Whether a user of these groups may do what the spec says.
fn access(call: &Call, user: &User, groups: Vec<String>, spec: &Value) -> Value {
    let path = &spec["nonResourceAttributes"]["path"];
    let method = spec["nonResourceAttributes"]["verb"].as_str().unwrap_or_default();
    let attribute = |field: &str| spec["resourceAttributes"][field].as_str().unwrap_or_default();
    let resource = match attribute("subresource") {
        "" => attribute("resource").to_owned(),
        subresource => format!("{}/{subresource}", attribute("resource")),
    };
    let access = Access {
        user: user.name(),
        groups,
        verb: attribute("verb"),
        namespace: attribute("namespace"),
        group: attribute("group"),
        resource,
        name: attribute("name"),
    };
    let may_path = |path| rbac::may_path(&call.cluster, user, access.groups.clone(), method, path).is_ok();
    let allowed =
        *user == User::Admin || path.as_str().is_some_and(may_path) || rbac::allows(&call.cluster, &access);
    json!({ "allowed": allowed })
}

/// The rules of a user. Those of roles are left out, so only the administrator's are complete.
fn rules(user: &User) -> Value {
    let is_admin = *user == User::Admin;
    let all = |field: &str| json!([{ "verbs": ["*"], "apiGroups": ["*"], field: ["*"] }]);
    let paths = json!([{ "verbs": ["*"], "nonResourceURLs": ["*"] }]);
    json!({
        "resourceRules": if is_admin { all("resources") } else { json!([]) },
        "nonResourceRules": if is_admin { paths } else { json!([]) },
        "incomplete": !is_admin,
    })
}

/// Whether a token is valid, and its user.
fn authentication(token: &str) -> Result<Value, Failure> {
    if token.is_empty() {
        return Err(Failure::bad_request("token is required for TokenReview in authentication".to_owned()));
    }
    Ok(match User::of_token(token) {
        Some(user) => {
            json!({ "authenticated": true, "user": { "username": user.name(), "groups": user.groups() } })
        }
        None => json!({ "user": {}, "error": "invalid bearer token" }),
    })
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
    User::named(spec["user"].as_str().unwrap_or_default(), groups(spec))
}

/// The groups in the spec of a `SubjectAccessReview`.
fn groups(spec: &Value) -> impl Iterator<Item = &str> {
    spec["groups"].as_array().into_iter().flatten().filter_map(Value::as_str)
}
