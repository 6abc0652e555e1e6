//! Faults of HTTP status codes.

use http::header::CONTENT_LENGTH;

use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Edit, Edit::*, Fault, RequestFacts, When, When::*, on};

const GET: When = Method("GET");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const DELETE: When = Method("DELETE");
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]));
/// The probe for a controller that changes Deployments.
const CONTROLLER_PROBE: When = ResponseHas("\"name\":\"probe\"");
const CRASHED: Edit = Fail(500, "InternalError", "a handler has crashed");
const NOT_FOUND: Edit = Fail(404, "NotFound", "not found");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("status-codes-200-get-list", "a list returns 206", &[List, StatusIs(200)], &[Status(206)]),
    on("status-codes-200-update", "an update returns 204", &[PUT, Object, StatusIs(200)], &[Status(204), Text("")]),
    on("status-codes-200-delete", "a delete returns 204", &[DELETE, Object, StatusIs(200)], &[Status(204), Text("")]),
    on("status-codes-201-create", "a create returns 200", &[POST, Collection, SUBJECTS, Not(&CONTROLLER_PROBE), StatusIs(201)], &[Status(200)]),
    on("status-codes-204-no-body", "a 204 response has the body {}", &[StatusIs(204)], &[Text("{}")]),
    on("status-codes-204-options", "the server treats OPTIONS as GET", &[Method("OPTIONS")], &[SetMethod("GET")]),
    on("status-codes-within-documented-set", "the server returns 412 instead of 409", &[Resource, StatusIs(409)], &[Status(412)]),
    on("status-codes-400-bad-request", "the server returns 500 instead of 400 for a malformed body", &[POST, StatusIs(400)], &[CRASHED]),
    on("status-codes-401-unauthorized", "the server treats an unknown token as no token", &[HeaderHas("authorization", "token-of-nobody")], &[DropRequestHeader("authorization")]),
    on("status-codes-403-forbidden", "the server returns 404 instead of 403", &[Resource, StatusIs(403)], &[NOT_FOUND]),
    on("status-codes-403-before-existence", "the server returns 404 instead of 403 for a missing object", &[Object, StatusIs(403), Matches(is_missing)], &[NOT_FOUND]),
    on("status-codes-404-missing-object", "the server returns 200 and {} for a missing object", &[GET, Object, StatusIs(404)], &[Status(200), Text("{}")]),
    on("status-codes-404-missing-resource", "the server returns an empty list for an unknown resource", &[Plural("nosuchthings")],
        &[Respond(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("status-codes-405-method-not-allowed", "the server returns 404 instead of 405", &[Resource, StatusIs(405)], &[NOT_FOUND]),
    on("status-codes-409-create-exists", "the server returns 422 instead of 409 for an existing object", &[POST, StatusIs(409)], &[Fail(422, "Invalid", "exists")]),
    on("status-codes-409-update-conflict", "the server returns 412 instead of 409 for a conflict", &[Object, StatusIs(409)], &[Fail(412, "Conflict", "precondition failed")]),
    on("status-codes-410-gone", "a watch starts now and ignores its resourceVersion", &[Watch, AT_A_VERSION], FROM_NOW),
    on("status-codes-422-unprocessable", "the server returns 400 instead of 422", &[Resource, StatusIs(422)], &[Fail(400, "BadRequest", "invalid")]),
    on("status-codes-429-too-many-requests", "the server returns 500 instead of 429 for an eviction beyond a budget", &[Subresource("eviction"), StatusIs(429)], &[CRASHED]),
    on("status-codes-429-retry-after", "the 429 of an eviction has no Retry-After", &[Subresource("eviction"), StatusIs(429)],
        &[WithoutHeader("retry-after"), Remove("/details/retryAfterSeconds")]),
    on("status-codes-500-internal", "the server returns 500 instead of 400", &[Resource, StatusIs(400)], &[CRASHED]),
    on("status-codes-503-unavailable", "the server returns 404 instead of 503", &[StatusIs(503)], &[NOT_FOUND]),
    on("status-codes-504-timeout", "the server returns 500 instead of 504 on timeout", &[StatusIs(504)], &[CRASHED]),
    on("status-codes-504-only-with-timeout", "the server returns 504 to an update without timeout", &[PUT, Object, Lacks("timeout")], &[Fail(504, "Timeout", "too late")]),
    on("status-codes-timeout-parameter-malformed", "the server ignores the timeout parameter", &[Has("timeout")], &[DropParameter("timeout")]),
    on("status-codes-406-not-acceptable", "the server sends JSON for Accept: application/xml", &[HeaderHas("accept", "xml")], &[DropRequestHeader("accept")]),
    on("status-codes-413-too-large", "the server returns 500 instead of 413", &[Matches(is_large)], &[Reject(500, "InternalError", "out of memory")]),
    on("status-codes-415-unsupported-media-type", "the server reads text/plain as JSON", &[POST, HeaderHas("content-type", "text/plain")],
        &[SetRequestHeader("content-type", "application/json")]),
];

/// The scenarios' name of missing objects.
fn is_missing(request: &RequestFacts) -> bool {
    request.path.ends_with("missing")
}

/// Whether a body exceeds the server's limit.
fn is_large(request: &RequestFacts) -> bool {
    let length = request.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > crate::body::LIMIT)
}
