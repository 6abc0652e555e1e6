//! Faults of `Status` objects.

use serde_json::{Value, json};

use crate::fault::{Edit, Edit::*, Fault, When, When::*, on, store};
use crate::store::StoreFlaw;

const POST: When = Method("POST");
const PUT: When = Method("PUT");
const DELETE: When = Method("DELETE");
/// Whatever is refused with a Status.
const FAILURE: When = AnswerHas(r#""status":"Failure""#);
const PLAIN: Edit = Header("content-type", "text/plain; charset=utf-8");
const LATER: Edit = Fail(503, "ServiceUnavailable", "come again later");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What a Status is.
    on("status-object-header-mirrors-body", "how long to wait stands in the header only", &[Resource, Answered(409)], &[Header("retry-after", "10")]),
    on("status-object-returned-on-error", "a bad request is told by a text", &[Resource, Answered(400)], &[PLAIN, Text("bad request\n")]),
    on("status-object-on-failure", "a conflict has no body", &[Resource, Answered(409)], &[Text("")]),
    on("status-object-encoded-as-json", "a Status is labelled as YAML", &[Resource, FAILURE], &[Header("content-type", "application/yaml")]),
    on("status-object-supplements-http-code", "what is not there is told with 200", &[Resource, Answered(404)], &[Status(200)]),
    on("status-object-code-present-on-failure", "the code is a text", &[Resource, FAILURE], &[EditJson(|status| status["code"] = status["code"].to_string().into())]),
    on("status-object-shape", "details are a text", &[Resource, FAILURE], &[Set("/details", "\"none\"")]),
    on("status-object-status-values", "a failure is an error", &[Resource, FAILURE], &[Set("/status", "\"error\"")]),
    on("status-object-message-optional", "the message is an object", &[Resource, FAILURE], &[Set("/message", r#"{"text":"no"}"#)]),
    on("status-object-reason-one-word", "the reason is a sentence", &[Resource, FAILURE], &[Set("/reason", "\"This cannot be done\"")]),
    on("status-object-reason-empty-allowed", "there are no reasons", &[Resource, FAILURE], &[Set("/reason", "\"\"")]),
    on("status-object-reason-matches-code", "what is not found is 400", &[Resource, Answered(404)], &[Status(400), Set("/code", "400")]),
    on("status-object-details-optional", "details are a list", &[Resource, FAILURE], &[Set("/details", "[]")]),
    // Causes.
    on("status-object-cause-field-syntax", "fields are pointers", &[Resource, Answered(422)], &[EditJson(|status| each_cause(status, as_pointer))]),
    on("status-object-cause-field-zero-based", "the first element is number one", &[POST, Answered(422)], &[ReplaceText("[1]", "[2]")]),
    on("status-object-invalid-causes", "nobody is told what is wrong", &[Answered(422)], &[Remove("/details/causes")]),
    on("status-object-invalid-cause-reason", "causes have no reason", &[Answered(422)], &[EditJson(|status| each_cause(status, |cause| without(cause, "reason")))]),
    on("status-object-invalid-cause-message", "causes have an empty message", &[Answered(422)], &[EditJson(|status| each_cause(status, |cause| cause["message"] = "".into()))]),
    on("status-object-invalid-cause-field", "causes have no field", &[Answered(422)], &[EditJson(|status| each_cause(status, |cause| without(cause, "field")))]),
    // What is not there.
    on("status-object-unknown-resource-in-served-group", "an unknown type is told by a page", &[Of("nosuchthings")], &[Instead(404, "text/html", "<h1>Not found</h1>")]),
    on("status-object-unknown-group", "a list of unknown things is empty", &[Below("/apis/nosuch.")],
        &[Instead(200, "application/json", r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#)]),
    on("status-object-example-404", "the details name the kind", &[Of("configmaps"), Answered(404)], &[Set("/details/kind", "\"ConfigMap\"")]),
    store("status-object-notfound-details-kind-may-differ", "there is every namespace", StoreFlaw::IgnoresMissingNamespace),
    // Deletions.
    on("status-object-on-successful-delete", "a deletion is answered with nothing", &[DELETE, Object, Answered(200)], &[Text("")]),
    on("status-object-delete-success-details", "whose end it is cannot be told", &[DELETE, Object, Answered(200)], &[Remove("/details/uid")]),
    // Reasons.
    on("status-object-badrequest", "a bad request is invalid", &[Resource, Answered(400)], &[Set("/reason", "\"Invalid\"")]),
    on("status-object-badrequest-not-invalid", "what is invalid is a bad request", &[Resource, Answered(422)], &[Fail(400, "BadRequest", "invalid")]),
    on("status-object-badrequest-permanent", "a bad request may be asked again later", &[Resource, Answered(400), Every(3)], &[LATER]),
    on("status-object-unauthorized", "who is not known is shown a page", &[Answered(401)], &[Header("content-type", "text/html"), Text("<h1>Log in</h1>")]),
    on("status-object-unauthorized-details-kind", "the kind is the user", &[Answered(401)], &[Set("/details", r#"{"kind":"system:anonymous"}"#)]),
    on("status-object-unauthorized-details-name", "the name is the credential", &[Answered(401)], &[EditAnswer(|asked, status| status["details"] = json!({ "name": header(asked, "authorization") }))]),
    on("status-object-forbidden", "what is forbidden is unauthorized", &[Resource, Answered(403)], &[Set("/reason", "\"Unauthorized\"")]),
    on("status-object-forbidden-details-kind", "the kind is empty", &[Resource, Answered(403)], &[Set("/details/kind", "\"\"")]),
    on("status-object-forbidden-details-name", "the name is the user", &[Resource, Answered(403)], &[EditAnswer(|asked, status| status["details"]["name"] = header(asked, "impersonate-user").into())]),
    on("status-object-notfound", "what is not found has no reason", &[Resource, Answered(404)], &[Set("/reason", "\"\"")]),
    on("status-object-notfound-details-kind", "the group is another one's", &[Object, Answered(404)], &[Set("/details/group", "\"other.example.com\"")]),
    on("status-object-notfound-details-name", "the name is the namespace", &[Object, Answered(404)], &[Set("/details/name", "\"default\"")]),
    on("status-object-alreadyexists", "what exists is a conflict", &[POST, Answered(409)], &[Set("/reason", "\"Conflict\"")]),
    on("status-object-alreadyexists-details-kind", "the kind is another one's", &[POST, Answered(409)], &[Set("/details/kind", "\"things\"")]),
    on("status-object-alreadyexists-details-name", "the name is a uid", &[POST, Answered(409)], &[Set("/details/name", "\"00000000-0000-4000-8000-00000000000f\"")]),
    on("status-object-conflict", "who is outdated is told that the object exists", &[PUT, Answered(409)], &[Set("/reason", "\"AlreadyExists\"")]),
    on("status-object-conflict-custom-details", "a conflict of managers names no field", &[PUT, Answered(409)],
        &[Set("/details/causes", r#"[{"reason":"FieldManagerConflict","message":"conflict with \"other\""}]"#)]),
    on("status-object-invalid", "what is invalid is a bad request with 422", &[Resource, Answered(422)], &[Set("/reason", "\"BadRequest\"")]),
    on("status-object-invalid-details-kind", "the kind is the field", &[Resource, Answered(422)], &[Set("/details/kind", "\"metadata.labels\"")]),
    on("status-object-invalid-details-name", "the name is the value", &[Resource, Answered(422)], &[Set("/details/name", "\"with a space\"")]),
    on("status-object-methodnotallowed", "what is not allowed is not found", &[Resource, Answered(405)], &[Set("/reason", "\"NotFound\"")]),
    on("status-object-methodnotallowed-create-only", "reviews can be deleted", &[DELETE, Of("selfsubjectaccessreviews")],
        &[Instead(200, "application/json", r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#)]),
    on("status-object-methodnotallowed-permanent", "what is not allowed may be asked again later", &[Resource, Answered(405), Every(3)], &[LATER]),
    on("status-object-notacceptable", "where nothing is acceptable nothing is said", &[Resource, Answered(406)], &[Text("")]),
    on("status-object-unsupportedmediatype", "an unknown format is a bad request", &[Resource, Answered(415)], &[Set("/reason", "\"BadRequest\"")]),
    on("status-object-requestentitytoolarge", "what is too large is told by a text", &[Answered(413)], &[PLAIN, Text("too large\n")]),
    on("status-object-gone-or-expired", "what has expired is a bad request", &[Answered(410)], &[Set("/reason", "\"BadRequest\"")]),
    // What takes too long, and what is too much.
    on("status-object-timeout", "what is late is an error of the server", &[Answered(504)], &[Set("/reason", "\"InternalError\"")]),
    on("status-object-timeout-retry-after", "seconds are a text", &[Answered(504)], &[Set("/details/retryAfterSeconds", "\"1s\"")]),
    on("status-object-toomanyrequests", "what is too much is late", &[Subresource("eviction"), Answered(429)], &[Set("/reason", "\"Timeout\"")]),
    on("status-object-servertimeout", "without a store nothing is found", &[Resource, Answered(504)], &[Fail(404, "NotFound", "not found")]),
    on("status-object-servertimeout-details-kind", "the kind is what was attempted", &[Answered(504)], &[Set("/details/kind", "\"patch\"")]),
    on("status-object-servertimeout-details-name", "the name is the object's", &[Answered(504)], &[Set("/details/name", "\"a\"")]),
    on("status-object-servertimeout-retry-after", "how long to wait stands in the header only", &[Answered(504)], &[Header("retry-after", "2")]),
    // Errors of the server.
    on("status-object-internalerror", "an error of the server is not found", &[Resource, Answered(500)], &[Set("/reason", "\"NotFound\"")]),
    on("status-object-internalerror-causes", "an error of the server shows where it happened", &[Resource, Answered(500)],
        &[Set("/message", r#""runtime error\n\ngoroutine 1 [running]:\nmain.main()""#)]),
    // Subresources.
    on("status-object-success-of-create-subresource", "a binding is answered with the Pod", &[Subresource("binding"), Answered(201)],
        &[Text(r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{}}"#)]),
];

/// Changes every cause of a refusal.
pub(super) fn each_cause(status: &mut Value, edit: fn(&mut Value)) {
    let causes = status.pointer_mut("/details/causes").and_then(Value::as_array_mut);
    causes.into_iter().flatten().for_each(edit);
}

fn as_pointer(cause: &mut Value) {
    if let Some(field) = cause["field"].as_str() {
        cause["field"] = format!("/{}", field.replace('.', "/")).into();
    }
}

fn without(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

fn header(asked: &crate::fault::Asked, name: &str) -> String {
    asked.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}
