//! Faults of `Status` objects.

use serde_json::{Value, json};

use crate::fault::{Edit, Edit::*, Fault, When, When::*, on, store};
use crate::store::StoreFault;

const POST: When = Method("POST");
const PUT: When = Method("PUT");
const DELETE: When = Method("DELETE");
/// Any failure with a Status.
const FAILURE: When = ResponseHas(r#""status":"Failure""#);
const PLAIN: Edit = Header("content-type", "text/plain; charset=utf-8");
const LATER: Edit = Fail(503, "ServiceUnavailable", "come again later");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The Status object.
    on("status-object-header-mirrors-body", "a 409 has a Retry-After header without retryAfterSeconds", &[Resource, StatusIs(409)], &[Header("retry-after", "10")]),
    on("status-object-returned-on-error", "the server returns 400 with plain text", &[Resource, StatusIs(400)], &[PLAIN, Text("bad request\n")]),
    on("status-object-on-failure", "the server returns 409 without a body", &[Resource, StatusIs(409)], &[Text("")]),
    on("status-object-encoded-as-json", "the server labels a Status as YAML", &[Resource, FAILURE], &[Header("content-type", "application/yaml")]),
    on("status-object-supplements-http-code", "the server sends a 404 Status with HTTP code 200", &[Resource, StatusIs(404)], &[Status(200)]),
    on("status-object-code-present-on-failure", "the code of a Status is a string", &[Resource, FAILURE], &[EditJson(|status| status["code"] = status["code"].to_string().into())]),
    on("status-object-shape", "the details of a Status are a string", &[Resource, FAILURE], &[Set("/details", "\"none\"")]),
    on("status-object-status-values", "the status of a failure is \"error\"", &[Resource, FAILURE], &[Set("/status", "\"error\"")]),
    on("status-object-message-optional", "the message of a Status is an object", &[Resource, FAILURE], &[Set("/message", r#"{"text":"no"}"#)]),
    on("status-object-reason-one-word", "the reason of a Status is a sentence", &[Resource, FAILURE], &[Set("/reason", "\"This cannot be done\"")]),
    on("status-object-reason-empty-allowed", "the reason of every failure is empty", &[Resource, FAILURE], &[Set("/reason", "\"\"")]),
    on("status-object-reason-matches-code", "reason NotFound comes with code 400", &[Resource, StatusIs(404)], &[Status(400), Set("/code", "400")]),
    on("status-object-details-optional", "the details of a Status are a list", &[Resource, FAILURE], &[Set("/details", "[]")]),
    // Causes.
    on("status-object-cause-field-syntax", "the field of a cause is a JSON pointer", &[Resource, StatusIs(422)], &[EditJson(|status| each_cause(status, as_pointer))]),
    on("status-object-cause-field-zero-based", "indexes in the field of a cause start at one", &[POST, StatusIs(422)], &[ReplaceText("[1]", "[2]")]),
    on("status-object-invalid-causes", "the Status of a 422 has no causes", &[StatusIs(422)], &[Remove("/details/causes")]),
    on("status-object-invalid-cause-reason", "the causes of a 422 have no reason", &[StatusIs(422)], &[EditJson(|status| each_cause(status, |cause| remove_field(cause, "reason")))]),
    on("status-object-invalid-cause-message", "the causes of a 422 have an empty message", &[StatusIs(422)], &[EditJson(|status| each_cause(status, |cause| cause["message"] = "".into()))]),
    on("status-object-invalid-cause-field", "the causes of a 422 have no field", &[StatusIs(422)], &[EditJson(|status| each_cause(status, |cause| remove_field(cause, "field")))]),
    // Missing resources.
    on("status-object-unknown-resource-in-served-group", "the server responds to an unknown resource with an HTML page", &[Plural("nosuchthings")], &[Respond(404, "text/html", "<h1>Not found</h1>")]),
    on("status-object-unknown-group", "the server returns an empty list for an unknown group", &[PathPrefix("/apis/nosuch.")],
        &[Respond(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("status-object-example-404", "the details of a 404 have the kind instead of the resource", &[Plural("configmaps"), StatusIs(404)], &[Set("/details/kind", "\"ConfigMap\"")]),
    store("status-object-notfound-details-kind-may-differ", "the server accepts writes to missing namespaces", StoreFault::IgnoresMissingNamespace),
    // Deletions.
    on("status-object-on-successful-delete", "the response to a delete is empty", &[DELETE, Object, StatusIs(200)], &[Text("")]),
    on("status-object-delete-success-details", "the Status of a delete has no uid", &[DELETE, Object, StatusIs(200)], &[Remove("/details/uid")]),
    // Reasons.
    on("status-object-badrequest", "the reason of a 400 is Invalid", &[Resource, StatusIs(400)], &[Set("/reason", "\"Invalid\"")]),
    on("status-object-badrequest-not-invalid", "the server returns 400 BadRequest instead of 422 Invalid", &[Resource, StatusIs(422)], &[Fail(400, "BadRequest", "invalid")]),
    on("status-object-badrequest-permanent", "the server returns 503 instead of every third 400", &[Resource, StatusIs(400), Every(3)], &[LATER]),
    on("status-object-unauthorized", "the server returns 401 with an HTML page", &[StatusIs(401)], &[Header("content-type", "text/html"), Text("<h1>Log in</h1>")]),
    on("status-object-unauthorized-details-kind", "the details kind of a 401 is the user", &[StatusIs(401)], &[Set("/details", r#"{"kind":"system:anonymous"}"#)]),
    on("status-object-unauthorized-details-name", "the details name of a 401 is the credential", &[StatusIs(401)], &[EditResponse(|request, status| status["details"] = json!({ "name": header(request, "authorization") }))]),
    on("status-object-forbidden", "the reason of a 403 is Unauthorized", &[Resource, StatusIs(403)], &[Set("/reason", "\"Unauthorized\"")]),
    on("status-object-forbidden-details-kind", "the details kind of a 403 is empty", &[Resource, StatusIs(403)], &[Set("/details/kind", "\"\"")]),
    on("status-object-forbidden-details-name", "the details name of a 403 is the user", &[Resource, StatusIs(403)], &[EditResponse(|request, status| status["details"]["name"] = header(request, "impersonate-user").into())]),
    on("status-object-notfound", "the reason of a 404 is empty", &[Resource, StatusIs(404)], &[Set("/reason", "\"\"")]),
    on("status-object-notfound-details-kind", "the details of a 404 have another group", &[Object, StatusIs(404)], &[Set("/details/group", "\"other.example.com\"")]),
    on("status-object-notfound-details-name", "the details name of a 404 is the namespace", &[Object, StatusIs(404)], &[Set("/details/name", "\"default\"")]),
    on("status-object-alreadyexists", "the reason of an AlreadyExists failure is Conflict", &[POST, StatusIs(409)], &[Set("/reason", "\"Conflict\"")]),
    on("status-object-alreadyexists-details-kind", "the details of an AlreadyExists failure have another kind", &[POST, StatusIs(409)], &[Set("/details/kind", "\"things\"")]),
    on("status-object-alreadyexists-details-name", "the details name of an AlreadyExists failure is a uid", &[POST, StatusIs(409)], &[Set("/details/name", "\"00000000-0000-4000-8000-00000000000f\"")]),
    on("status-object-conflict", "the reason of an update conflict is AlreadyExists", &[PUT, StatusIs(409)], &[Set("/reason", "\"AlreadyExists\"")]),
    on("status-object-conflict-custom-details", "the causes of a 409 have no field", &[PUT, StatusIs(409)],
        &[Set("/details/causes", r#"[{"reason":"FieldManagerConflict","message":"conflict with \"other\""}]"#)]),
    on("status-object-invalid", "the reason of a 422 is BadRequest", &[Resource, StatusIs(422)], &[Set("/reason", "\"BadRequest\"")]),
    on("status-object-invalid-details-kind", "the details kind of a 422 is a field", &[Resource, StatusIs(422)], &[Set("/details/kind", "\"metadata.labels\"")]),
    on("status-object-invalid-details-name", "the details name of a 422 is a value", &[Resource, StatusIs(422)], &[Set("/details/name", "\"with a space\"")]),
    on("status-object-methodnotallowed", "the reason of a 405 is NotFound", &[Resource, StatusIs(405)], &[Set("/reason", "\"NotFound\"")]),
    on("status-object-methodnotallowed-create-only", "the server accepts a delete of access reviews", &[DELETE, Plural("selfsubjectaccessreviews")],
        &[Respond(200, "application/json", r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#)]),
    on("status-object-methodnotallowed-permanent", "the server returns 503 instead of every third 405", &[Resource, StatusIs(405), Every(3)], &[LATER]),
    on("status-object-notacceptable", "the server returns 406 without a body", &[Resource, StatusIs(406)], &[Text("")]),
    on("status-object-unsupportedmediatype", "the reason of a 415 is BadRequest", &[Resource, StatusIs(415)], &[Set("/reason", "\"BadRequest\"")]),
    on("status-object-requestentitytoolarge", "the server returns 413 with plain text", &[StatusIs(413)], &[PLAIN, Text("too large\n")]),
    on("status-object-gone-or-expired", "the reason of a 410 is BadRequest", &[StatusIs(410)], &[Set("/reason", "\"BadRequest\"")]),
    // Timeouts and limits.
    on("status-object-timeout", "the reason of a 504 is InternalError", &[StatusIs(504)], &[Set("/reason", "\"InternalError\"")]),
    on("status-object-timeout-retry-after", "retryAfterSeconds is a string", &[StatusIs(504)], &[Set("/details/retryAfterSeconds", "\"1s\"")]),
    on("status-object-toomanyrequests", "the reason of a 429 is Timeout", &[Subresource("eviction"), StatusIs(429)], &[Set("/reason", "\"Timeout\"")]),
    on("status-object-servertimeout", "the server returns 404 instead of 504", &[Resource, StatusIs(504)], &[Fail(404, "NotFound", "not found")]),
    on("status-object-servertimeout-details-kind", "the details kind of a 504 is the verb", &[StatusIs(504)], &[Set("/details/kind", "\"patch\"")]),
    on("status-object-servertimeout-details-name", "the details name of a 504 is that of the object", &[StatusIs(504)], &[Set("/details/name", "\"a\"")]),
    on("status-object-servertimeout-retry-after", "the Retry-After header of a 504 differs from retryAfterSeconds", &[StatusIs(504)], &[Header("retry-after", "2")]),
    // Errors of the server.
    on("status-object-internalerror", "the reason of a 500 is NotFound", &[Resource, StatusIs(500)], &[Set("/reason", "\"NotFound\"")]),
    on("status-object-internalerror-causes", "the message of a 500 has a stack trace", &[Resource, StatusIs(500)],
        &[Set("/message", r#""runtime error\n\ngoroutine 1 [running]:\nmain.main()""#)]),
    // Subresources.
    on("status-object-success-of-create-subresource", "the response to a binding is a Pod", &[Subresource("binding"), StatusIs(201)],
        &[Text(r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{}}"#)]),
];

/// Edits every cause of a failure.
pub(super) fn each_cause(status: &mut Value, edit: fn(&mut Value)) {
    let causes = status.pointer_mut("/details/causes").and_then(Value::as_array_mut);
    causes.into_iter().flatten().for_each(edit);
}

fn as_pointer(cause: &mut Value) {
    if let Some(field) = cause["field"].as_str() {
        cause["field"] = format!("/{}", field.replace('.', "/")).into();
    }
}

fn remove_field(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

fn header(request: &crate::fault::RequestFacts, name: &str) -> String {
    request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}
