//! Faults of HTTP status codes.

use http::header::CONTENT_LENGTH;

use super::{AT_A_VERSION, FROM_NOW};
use crate::fault::{Asked, Edit, Edit::*, Fault, When, When::*, on};

const GET: When = Method("GET");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const DELETE: When = Method("DELETE");
/// Namespaces and definitions are created for a scenario, and not what it asks about.
const ASKED_ABOUT: When = Not(&Any(&[Of("namespaces"), Of("customresourcedefinitions")]));
/// By which it is found out whether somebody changes Deployments by himself.
const OF_A_PROBE: When = AnswerHas("\"name\":\"probe\"");
const CRASHED: Edit = Fail(500, "InternalError", "a handler has crashed");
const NOT_FOUND: Edit = Fail(404, "NotFound", "not found");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("status-codes-200-get-list", "a list is a part", &[Listing, Answered(200)], &[Status(206)]),
    on("status-codes-200-update", "an update has no content", &[PUT, Object, Answered(200)], &[Status(204), Text("")]),
    on("status-codes-200-delete", "a deletion has no content", &[DELETE, Object, Answered(200)], &[Status(204), Text("")]),
    on("status-codes-201-create", "a create is answered with 200", &[POST, Collection, ASKED_ABOUT, Not(&OF_A_PROBE), Answered(201)], &[Status(200)]),
    on("status-codes-204-no-body", "no content is an empty object", &[Answered(204)], &[Text("{}")]),
    on("status-codes-204-options", "OPTIONS is a GET", &[Method("OPTIONS")], &[SetMethod("GET")]),
    on("status-codes-within-documented-set", "a premise that does not hold is 412", &[Resource, Answered(409)], &[Status(412)]),
    on("status-codes-400-bad-request", "what cannot be read crashes a handler", &[POST, Answered(400)], &[CRASHED]),
    on("status-codes-401-unauthorized", "who has a token of nobody is nobody", &[HeaderHas("authorization", "token-of-nobody")], &[DropRequestHeader("authorization")]),
    on("status-codes-403-forbidden", "what is forbidden is not found", &[Resource, Answered(403)], &[NOT_FOUND]),
    on("status-codes-403-before-existence", "who may not ask is told what is not there", &[Object, Answered(403), Asks(is_missing)], &[NOT_FOUND]),
    on("status-codes-404-missing-object", "what is not there is empty", &[GET, Object, Answered(404)], &[Status(200), Text("{}")]),
    on("status-codes-404-missing-resource", "a list of unknown things is empty", &[Of("nosuchthings")],
        &[Instead(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("status-codes-405-method-not-allowed", "what is not allowed is not found", &[Resource, Answered(405)], &[NOT_FOUND]),
    on("status-codes-409-create-exists", "what exists is invalid", &[POST, Answered(409)], &[Fail(422, "Invalid", "exists")]),
    on("status-codes-409-update-conflict", "a premise that does not hold is 412", &[Object, Answered(409)], &[Fail(412, "Conflict", "precondition failed")]),
    on("status-codes-410-gone", "a watch from any version begins now", &[Watch, AT_A_VERSION], FROM_NOW),
    on("status-codes-422-unprocessable", "what is invalid is a bad request", &[Resource, Answered(422)], &[Fail(400, "BadRequest", "invalid")]),
    on("status-codes-429-too-many-requests", "an eviction beyond a budget crashes a handler", &[Subresource("eviction"), Answered(429)], &[CRASHED]),
    on("status-codes-429-retry-after", "nobody is told how long to wait", &[Subresource("eviction"), Answered(429)],
        &[WithoutHeader("retry-after"), Remove("/details/retryAfterSeconds")]),
    on("status-codes-500-internal", "what cannot be read crashes a handler", &[Resource, Answered(400)], &[CRASHED]),
    on("status-codes-503-unavailable", "what nobody answers for is not found", &[Answered(503)], &[NOT_FOUND]),
    on("status-codes-504-timeout", "what is late crashes a handler", &[Answered(504)], &[CRASHED]),
    on("status-codes-504-only-with-timeout", "updates take too long", &[PUT, Object, Lacks("timeout")], &[Fail(504, "Timeout", "too late")]),
    on("status-codes-timeout-parameter-malformed", "what is no duration is none", &[Has("timeout")], &[DropParameter("timeout")]),
    on("status-codes-406-not-acceptable", "everybody is given JSON", &[HeaderHas("accept", "xml")], &[DropRequestHeader("accept")]),
    on("status-codes-413-too-large", "what is too large crashes a handler", &[Asks(is_large)], &[Refuse(500, "InternalError", "out of memory")]),
    on("status-codes-415-unsupported-media-type", "everything is read as JSON", &[POST, HeaderHas("content-type", "text/plain")],
        &[SetRequestHeader("content-type", "application/json")]),
];

/// What scenarios call an object that is not there.
fn is_missing(asked: &Asked) -> bool {
    asked.path.ends_with("missing")
}

/// Larger than what a handler could read.
fn is_large(asked: &Asked) -> bool {
    let length = asked.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > crate::body::LIMIT)
}
