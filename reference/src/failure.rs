//! Failures: error responses as `Status` objects.

mod cause;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{HeaderName, StatusCode};
use serde_json::{Map, Value, json};

use crate::resource_type::ResourceType;

pub(crate) use cause::Cause;

/// An error response.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    code: StatusCode,
    reason: &'static str,
    message: String,
    details: Option<Box<Value>>,
    token: Option<String>,
}

impl Failure {
    fn new(code: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into(), details: None, token: None }
    }

    fn detailed(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BadRequest", message)
    }

    /// 400 for a body that does not decode as the type.
    pub(crate) fn undecodable(ty: &ResourceType, detail: &str) -> Self {
        let kind = &ty.kind;
        let version = &ty.version;
        Self::bad_request(format!("{kind} in version {version:?} cannot be handled as a {kind}: {detail}"))
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Unauthorized", "Unauthorized")
    }

    /// 403 for a path that is not a resource.
    pub(crate) fn forbidden_path(user: &str, verb: &str, path: &str) -> Self {
        let message = format!("forbidden: User \"{user}\" cannot {verb} path \"{path}\"");
        Self::new(StatusCode::FORBIDDEN, "Forbidden", message).detailed(json!({}))
    }

    /// 403 for a resource.
    pub(crate) fn forbidden(ty: &ResourceType, name: &str, detail: &str) -> Self {
        let subject = match name {
            "" => ty.group_resource(),
            name => format!("{} \"{name}\"", ty.group_resource()),
        };
        Self::new(StatusCode::FORBIDDEN, "Forbidden", format!("{subject} is forbidden: {detail}"))
            .detailed(named(name, ty, &ty.plural))
    }

    /// 403 for a create in a namespace that is being deleted.
    pub(crate) fn terminating(ty: &ResourceType, name: &str, namespace: &str) -> Self {
        let detail =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut failure = Self::forbidden(ty, name, &detail);
        let message = format!("namespace {namespace} is being terminated");
        let cause =
            json!({"reason": "NamespaceTerminating", "message": message, "field": "metadata.namespace"});
        if let Some(details) = &mut failure.details {
            details["causes"] = json!([cause]);
        }
        failure
    }

    /// 404 for an object.
    pub(crate) fn not_found(ty: &ResourceType, name: &str) -> Self {
        let message = format!("{} \"{name}\" not found", ty.group_resource());
        Self::new(StatusCode::NOT_FOUND, "NotFound", message).detailed(named(name, ty, &ty.plural))
    }

    /// 404 for a resource type that a built-in group does not have.
    pub(crate) fn no_such_resource() -> Self {
        let message = "the server could not find the requested resource";
        Self::new(StatusCode::NOT_FOUND, "NotFound", message).detailed(json!({}))
    }

    /// 405 for a path that has other methods.
    pub(crate) fn unsupported_method() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message).detailed(json!({}))
    }

    pub(crate) fn method_not_allowed(ty: &ResourceType, verb: &str) -> Self {
        // A watch of a built-in type fails later, with the error of lists.
        if ty.custom.is_none() && verb != "watch" {
            return Self::unsupported_method();
        }
        let message = format!("{verb} is not supported on resources of kind \"{}\"", ty.group_resource());
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message)
            .detailed(named("", ty, &ty.plural))
    }

    pub(crate) fn not_acceptable(accepted: &str) -> Self {
        Self::unavailable_representation(format!("only the following media types are accepted: {accepted}"))
    }

    /// 406 for an accepted media type that the object has no form for.
    pub(crate) fn unavailable_representation(message: String) -> Self {
        Self::new(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", message)
    }

    /// 409 for a create of an existing object.
    pub(crate) fn already_exists(ty: &ResourceType, name: &str) -> Self {
        let message = format!("{} \"{name}\" already exists", ty.group_resource());
        Self::new(StatusCode::CONFLICT, "AlreadyExists", message).detailed(named(name, ty, &ty.plural))
    }

    /// 409 for a write with a failed precondition.
    pub(crate) fn conflict(ty: &ResourceType, name: &str, detail: &str) -> Self {
        let message =
            format!("Operation cannot be fulfilled on {} \"{name}\": {detail}", ty.group_resource());
        Self::new(StatusCode::CONFLICT, "Conflict", message).detailed(named(name, ty, &ty.plural))
    }

    /// 409 for an apply with conflicts: the message and field of each.
    pub(crate) fn managed_by_others(conflicts: &[(String, String)], message: String) -> Self {
        let cause = |(message, field): &(String, String)| json!({"reason": "FieldManagerConflict", "message": message, "field": field});
        let causes: Vec<_> = conflicts.iter().map(cause).collect();
        Self::new(StatusCode::CONFLICT, "Conflict", message).detailed(json!({"causes": causes}))
    }

    /// 409 for a deletion with a failed precondition. Unlike other conflicts it names the kind.
    pub(crate) fn broken_premise(ty: &ResourceType, name: &str, detail: &str) -> Self {
        let kind = if ty.group.is_empty() { ty.kind.clone() } else { format!("{}.{}", ty.kind, ty.group) };
        let message = format!("Operation cannot be fulfilled on {kind} \"{name}\": {detail}");
        Self::new(StatusCode::CONFLICT, "Conflict", message).detailed(named(name, ty, &ty.kind))
    }

    /// The same for an object in deletion.
    pub(crate) fn while_being_deleted(mut self) -> Self {
        self.message = format!("object is being deleted: {}", self.message);
        self
    }

    /// The same, with a retry after one second.
    pub(crate) fn worth_a_retry(mut self) -> Self {
        if let Some(details) = &mut self.details {
            details["retryAfterSeconds"] = 1.into();
        }
        self
    }

    /// 410, with a continue token if the request had one.
    pub(crate) fn expired(message: impl Into<String>, token: Option<String>) -> Self {
        Self { token, ..Self::new(StatusCode::GONE, "Expired", message) }
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("Request entity too large: limit is {limit}");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", message)
    }

    /// 413 for a patch with too many operations.
    pub(crate) fn request_too_large(message: &str) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", message)
    }

    pub(crate) fn unsupported_media_type(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", message)
    }

    /// 422 for an object or options of a kind.
    pub(crate) fn invalid(group: &str, kind: &str, name: &str, causes: &[Cause]) -> Self {
        let texts: Vec<_> =
            causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
        let text = match texts.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let qualified = if group.is_empty() { kind.to_owned() } else { format!("{kind}.{group}") };
        let mut details = Map::new();
        for (field, value) in [("name", name), ("group", group), ("kind", kind)] {
            if !value.is_empty() {
                details.insert(field.to_owned(), value.into());
            }
        }
        details.insert("causes".to_owned(), causes.iter().map(Cause::to_json).collect());
        let message = format!("{qualified} \"{name}\" is invalid: {text}");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message).detailed(Value::Object(details))
    }

    /// 422 without causes.
    pub(crate) fn rejected(message: &str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message).detailed(json!({}))
    }

    /// 422 for a write that admission denies, or the code of another reason.
    pub(crate) fn denied(
        ty: &ResourceType,
        name: &str,
        message: &str,
        cause: &str,
        reason: Option<&str>,
    ) -> Self {
        let mut details = named(name, ty, &ty.plural);
        details["causes"] = json!([{"message": cause}]);
        let (code, reason) = match reason {
            Some("Unauthorized") => (StatusCode::UNAUTHORIZED, "Unauthorized"),
            Some("Forbidden") => (StatusCode::FORBIDDEN, "Forbidden"),
            Some("RequestEntityTooLarge") => (StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge"),
            _ => (StatusCode::UNPROCESSABLE_ENTITY, "Invalid"),
        };
        Self::new(code, reason, message).detailed(details)
    }

    /// 422 for a patch with an invalid result.
    pub(crate) fn bad_patch(patched: &Value, detail: &str) -> Self {
        let cause = Cause::invalid("patch", &patched.to_string().into(), detail);
        let message = format!(" \"\" is invalid: {}: {}", cause.field, cause.message);
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message)
            .detailed(json!({"causes": [cause.to_json()]}))
    }

    /// 429 for a type whose storage is not ready.
    pub(crate) fn initializing() -> Self {
        let message = "storage is (re)initializing";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", message)
            .detailed(json!({"retryAfterSeconds": 1}))
    }

    /// 429 for an eviction beyond a disruption budget; `wait` is in seconds.
    pub(crate) fn beyond_budget(detail: &str, wait: Option<u64>) -> Self {
        let message = "Cannot evict pod as it would violate the pod's disruption budget.";
        let mut details = json!({"causes": [{"reason": "DisruptionBudget", "message": detail}]});
        if let Some(seconds) = wait {
            details["retryAfterSeconds"] = seconds.into();
        }
        Self::new(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", message).detailed(details)
    }

    /// 500 for an internal error.
    pub(crate) fn internal(detail: &str) -> Self {
        let message = format!("Internal error occurred: {detail}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", message)
            .detailed(json!({"causes": [{"message": detail}]}))
    }

    /// 500 without a reason: an error that kube-apiserver does not translate.
    pub(crate) fn untranslated(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "", message)
    }

    /// 504 for a version that the server has not reached.
    pub(crate) fn too_large_version(requested: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {requested}, current: {current}");
        let cause = json!({"reason": "ResourceVersionTooLarge", "message": "Too large resource version"});
        Self::new(StatusCode::GATEWAY_TIMEOUT, "Timeout", message)
            .detailed(json!({"causes": [cause], "retryAfterSeconds": 1}))
    }

    /// Whether the code is 404.
    pub(crate) fn is_not_found(&self) -> bool {
        self.code == StatusCode::NOT_FOUND
    }

    pub(crate) fn is_already_exists(&self) -> bool {
        self.reason == "AlreadyExists"
    }

    /// The Status object.
    pub(crate) fn status(&self) -> Value {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": self.message,
        });
        if let Some(token) = &self.token {
            status["metadata"]["continue"] = token.as_str().into();
        }
        if !self.reason.is_empty() {
            status["reason"] = self.reason.into();
        }
        if let Some(details) = &self.details {
            status["details"] = Value::clone(details);
        }
        status["code"] = self.code.as_u16().into();
        status
    }

    /// A failure with any code and reason, for faults.
    pub(crate) fn made_up(code: u16, reason: &'static str, message: &str) -> Self {
        let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(code, reason, message)
    }
}

/// The details of a `Status` for an object: name, group and kind (the plural of the resource).
pub(crate) fn named(name: &str, ty: &ResourceType, kind: &str) -> Value {
    let mut details = Map::new();
    for (field, value) in [("name", name), ("group", ty.group.as_str()), ("kind", kind)] {
        if !value.is_empty() {
            details.insert(field.to_owned(), value.into());
        }
    }
    Value::Object(details)
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(format!("{}\n", self.status())));
        *response.status_mut() = self.code;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers
            .insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
        let wait = self.details.as_ref().and_then(|details| details["retryAfterSeconds"].as_u64());
        if let Some(seconds) = wait {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
