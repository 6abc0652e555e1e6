//! Faults of representations: media types, Protobuf, metadata and CBOR.

use bytes::Bytes;
use flate2::Compression;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::{Value, json};

use crate::fault::{Edit, Edit::*, Fault, RequestFacts, When, When::*, json_body, on};
use crate::{cbor, gzip, protobuf};

const GET: When = Method("GET");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const MEDIA_TYPE: &str = protobuf::MEDIA_TYPE;

const NONSENSE: When = HeaderHas("accept", "x-nonsense");
const YAML: When = HeaderHas("accept", "application/yaml");
const PROTOBUF: When = HeaderHas("accept", MEDIA_TYPE);
const CBOR: When = HeaderHas("accept", "application/cbor");
/// JSON is accepted as well.
const OR_JSON: When = HeaderHas("accept", ", application/json");
const METADATA: When = HeaderHas("accept", "as=PartialObjectMetadata;");
const METADATA_LIST: When = HeaderHas("accept", "as=PartialObjectMetadataList;");
const UNKNOWN_VERSION: When = HeaderHas("accept", "v=v9");
const YAML_BODY: When = HeaderHas("content-type", "application/yaml");
const PROTOBUF_BODY: When = HeaderHas("content-type", MEDIA_TYPE);
const CBOR_BODY: When = HeaderHas("content-type", "application/cbor");
/// A config map as Protobuf.
const IN_PROTOBUF: &[When] = &[GET, Object, PROTOBUF, StatusIs(200)];

const AS_JSON: Edit = SetRequestHeader("accept", "application/json");
const ANY_TYPE: Edit = DropRequestHeader("accept");
const NOT_ACCEPTABLE: Edit = Reject(406, "NotAcceptable", "not acceptable");
const UNSUPPORTED: Edit = Reject(415, "UnsupportedMediaType", "unsupported media type");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Accept.
    on("representations-default-json", "the default is YAML", &[Matches(accepts_everything)], &[SetRequestHeader("accept", "application/yaml")]),
    on("representations-accept-negotiation-get", "the server ignores Accept", &[GET, Object, YAML], &[AS_JSON]),
    on("representations-content-type-on-response", "the server labels Protobuf as JSON", &[GET, PROTOBUF], &[Header("content-type", "application/json")]),
    on("representations-unsupported-accept-406", "the server falls back to JSON", &[GET, NONSENSE], &[ANY_TYPE]),
    on("representations-406-body", "the body of a 406 is HTML", &[NONSENSE, StatusIs(406)], &[Header("content-type", "text/html"), Text("<h1>Not Acceptable</h1>")]),
    on("representations-builtin-json", "lists of service accounts are not available in JSON", &[List, Plural("serviceaccounts")], &[NOT_ACCEPTABLE]),
    on("representations-accept-wildcard", "the server knows no wildcards", &[GET, HeaderHas("accept", "*")], &[NOT_ACCEPTABLE]),
    on("representations-accept-unknown-parameters", "the server rejects unknown parameters in Accept", &[HeaderHas("accept", "foo=bar")], &[NOT_ACCEPTABLE]),
    on("representations-accept-first-supported", "an unsupported media type in Accept is an error", &[HeaderHas("accept", "x-nonsense,")], &[NOT_ACCEPTABLE]),
    on("representations-accept-quality", "the server ignores quality values", &[HeaderHas("accept", "q=0.1")], &[EditRequest(without_qualities)]),
    on("representations-negotiation-on-errors", "a 406 hides the 404", &[METADATA, StatusIs(404)], &[Fail(406, "NotAcceptable", "not acceptable")]),
    on("representations-negotiate-before-write", "the server creates the object before it returns 406", &[POST, NONSENSE], &[ANY_TYPE, Fail(406, "NotAcceptable", "not acceptable")]),
    on("representations-json-watch-media-type", "the server rejects stream=watch", &[Watch, HeaderHas("accept", "stream=watch")], &[NOT_ACCEPTABLE]),
    on("representations-pretty", "indented objects have no uid", &[Is("pretty", "true")], &[Remove("/metadata/uid")]),
    // Content-Type.
    on("representations-request-content-type", "the server reads every body as YAML", &[POST, HeaderHas("content-type", "application/json")], &[SetRequestHeader("content-type", "application/yaml")]),
    on("representations-request-default-json", "the server rejects bodies without Content-Type", &[POST, NoHeader("content-type")], &[UNSUPPORTED]),
    on("representations-unsupported-content-type-415", "the server reads unknown media types as JSON", &[HeaderHas("content-type", "x-nonsense")], &[SetRequestHeader("content-type", "application/json")]),
    on("representations-content-type-parameters", "the server rejects parameters in Content-Type", &[HeaderHas("content-type", "charset")], &[UNSUPPORTED]),
    // YAML.
    on("representations-yaml-response", "texts in YAML have no quotes", &[GET, YAML], &[EditText(without_quotes)]),
    on("representations-yaml-request", "the server rejects bodies in YAML", &[POST, YAML_BODY], &[UNSUPPORTED]),
    on("representations-yaml-watch-406", "the server labels a watch in JSON as YAML", &[Watch, YAML], &[AS_JSON, Header("content-type", "application/yaml")]),
    // Protobuf.
    on("representations-protobuf-response", "the server labels JSON as Protobuf", &[GET, Object, PROTOBUF], &[AS_JSON, Header("content-type", MEDIA_TYPE)]),
    on("representations-protobuf-magic", "Protobuf has no prefix", IN_PROTOBUF, &[EditBytes(|body| body.slice(4.min(body.len())..))]),
    on("representations-protobuf-envelope", "the object follows the prefix without an envelope", IN_PROTOBUF, &[EditBytes(|body| enveloped(body, |_, object| [b"k8s\0", object].concat()))]),
    on("representations-protobuf-typemeta", "the type in the envelope is empty", IN_PROTOBUF, &[EditBytes(|body| enveloped(body, |_, object| protobuf::enveloped([b"", object, b"", b""])))]),
    on("representations-protobuf-raw", "the envelope contains JSON", IN_PROTOBUF, &[EditBytes(|body| enveloped(body, |ty, _| protobuf::enveloped([ty, b"{}", b"", b""])))]),
    on("representations-protobuf-content-encoding", "the object in the envelope is compressed", IN_PROTOBUF, &[EditBytes(|body| enveloped(body, |ty, object| protobuf::enveloped([ty, &gzip::member(object, Compression::fast()), b"", b""])))]),
    on("representations-protobuf-content-type-field", "the contentType in the envelope is that of JSON", IN_PROTOBUF, &[EditBytes(|body| enveloped(body, |ty, object| protobuf::enveloped([ty, object, b"", b"application/json"])))]),
    on("representations-protobuf-request-json-response", "the response has the media type of the request", &[POST, PROTOBUF_BODY], &[SetRequestHeader("accept", MEDIA_TYPE)]),
    on("representations-protobuf-put", "the server rejects updates in Protobuf", &[PUT, PROTOBUF_BODY], &[UNSUPPORTED]),
    on("representations-protobuf-equivalent", "objects in Protobuf have no labels", IN_PROTOBUF, &[EditBytes(without_labels)]),
    on("representations-protobuf-not-for-crd", "custom resources in Protobuf are JSON", &[GET, Custom, PROTOBUF, Not(&OR_JSON)], &[AS_JSON]),
    on("representations-protobuf-fallback", "the server ignores the fallback to JSON", &[GET, Custom, PROTOBUF, OR_JSON], &[NOT_ACCEPTABLE]),
    on("representations-protobuf-preferred", "the server prefers JSON", &[GET, PROTOBUF, OR_JSON], &[AS_JSON]),
    on("representations-protobuf-error-status", "the server labels an error in JSON as Protobuf", &[GET, PROTOBUF, OR_JSON, StatusIs(404)], &[Fail(404, "NotFound", "not found"), Header("content-type", MEDIA_TYPE)]),
    on("representations-protobuf-bad-body-400", "the server reads Protobuf without the prefix as JSON", &[POST, PROTOBUF_BODY], &[EditRequest(fall_back_to_json)]),
    on("representations-protobuf-watch", "the events of a watch in Protobuf are lines of JSON", &[Watch, PROTOBUF], &[AS_JSON, Header("content-type", "application/vnd.kubernetes.protobuf;stream=watch")]),
    // Metadata.
    on("representations-metadata-get", "the server returns the whole object", &[GET, Object, METADATA, Not(&UNKNOWN_VERSION)], &[AS_JSON]),
    on("representations-metadata-list", "the server returns a typed list", &[List, METADATA_LIST], &[AS_JSON]),
    on("representations-metadata-only-metadata", "the spec remains", &[GET, Object, METADATA, StatusIs(200)], &[Set("/spec", "{}")]),
    on("representations-metadata-list-wrong-kind", "the server returns the metadata of the list itself", &[List, METADATA], &[AS_JSON, EditJson(as_metadata)]),
    on("representations-metadata-get-wrong-kind", "the server returns the metadata of the object", &[GET, Object, METADATA_LIST], &[SetRequestHeader("accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")]),
    on("representations-metadata-watch", "the events have whole objects", &[Watch, METADATA], &[AS_JSON]),
    on("representations-metadata-list-meta", "the list has no metadata", &[List, METADATA_LIST], &[Set("/metadata", "{}")]),
    on("representations-metadata-unsupported-406", "a request for an unknown version gets the object", &[GET, Object, METADATA, UNKNOWN_VERSION, Not(&OR_JSON)], &[AS_JSON]),
    on("representations-metadata-fallback", "the server ignores the fallback to JSON", &[GET, Object, METADATA, UNKNOWN_VERSION, OR_JSON], &[NOT_ACCEPTABLE]),
    on("representations-metadata-encodings", "metadata is only available in JSON", &[METADATA, Any(&[YAML, PROTOBUF])], &[NOT_ACCEPTABLE]),
    on("representations-metadata-protobuf-crd", "the server rejects Protobuf for custom resources in every form", &[Custom, PROTOBUF], &[NOT_ACCEPTABLE]),
    // CBOR.
    on("representations-cbor-response", "CBOR has no custom resources, and no annotations", &[GET, CBOR], &[EditRequest(refuse_custom_resources), EditBytes(without_annotations)]),
    on("representations-cbor-request", "the server rejects bodies in CBOR", &[POST, CBOR_BODY], &[UNSUPPORTED]),
    on("representations-cbor-self-described", "CBOR has no tag", &[GET, Object, CBOR, StatusIs(200)], &[EditBytes(|body| body.slice(3.min(body.len())..))]),
    on("representations-cbor-watch", "the Content-Type of a watch is application/cbor", &[Watch, CBOR], &[Header("content-type", "application/cbor")]),
    on("representations-cbor-apply", "the server rejects applies in CBOR", &[HeaderHas("content-type", "apply-patch+cbor")], &[UNSUPPORTED]),
    on("representations-cbor-no-json-patch", "the server accepts JSON patches in CBOR", &[HeaderHas("content-type", "json-patch+cbor")], &[Respond(200, "application/json", "{}")]),
    on("representations-cbor-disabled", "the server labels JSON as CBOR", &[CBOR], &[AS_JSON, Header("content-type", "application/cbor")]),
    // drop=metadata.managedFields.
    on("representations-drop-managed-fields", "the server rejects the parameter drop", &[HeaderHas("accept", "drop=metadata.managedFields")], &[NOT_ACCEPTABLE]),
    on("representations-drop-unknown-ignored", "the server rejects unknown values of drop", &[HeaderHas("accept", "drop=metadata.bogus")], &[Reject(400, "BadRequest", "unknown field")]),
    on("representations-drop-does-not-affect-storage", "an update without managedFields removes them", &[PUT], &[EditRequest(|parts, body| json_body(parts, body, reset_managers))]),
];

fn accepts_everything(request: &RequestFacts) -> bool {
    request.headers.get(ACCEPT).is_none_or(|accept| accept == "*/*")
}

fn without_qualities(parts: &mut Parts, _: &mut Bytes) {
    let accepted = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Ok(accepted) = accepted.replace(";q=0.1", "").replace(";q=0.9", "").parse() {
        parts.headers.insert(ACCEPT, accepted);
    }
}

fn without_quotes(_: &RequestFacts, text: &str) -> String {
    text.replace("\"1\"", "1")
}

/// Another envelope around the type and the object of a body.
fn enveloped(body: &Bytes, around: impl Fn(&[u8], &[u8]) -> Vec<u8>) -> Bytes {
    protobuf::parts(body).map_or_else(|| body.clone(), |[ty, object]| around(ty, object).into())
}

fn without_labels(body: &Bytes) -> Bytes {
    let Ok(mut object) = protobuf::read(crate::kind::of("ConfigMap"), body) else { return body.clone() };
    object["metadata"]["labels"].take();
    protobuf::body(&object).into()
}

fn fall_back_to_json(parts: &mut Parts, body: &mut Bytes) {
    if body.starts_with(b"{") {
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
}

fn as_metadata(list: &mut Value) {
    let metadata = list["metadata"].take();
    *list = json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata});
}

fn reset_managers(object: &mut Value) {
    if object["metadata"]["managedFields"].is_null() {
        object["metadata"]["managedFields"] = json!([{}]);
    }
}

fn refuse_custom_resources(parts: &mut Parts, _: &mut Bytes) {
    let group = parts.uri.path().strip_prefix("/apis/").and_then(|rest| rest.split('/').next());
    if group.is_some_and(|group| group.contains('.') && !group.ends_with(".k8s.io")) {
        parts.headers.insert(ACCEPT, HeaderValue::from_static("application/x-refused"));
    }
}

fn without_annotations(body: &Bytes) -> Bytes {
    let Ok(mut json) = cbor::read(body) else { return body.clone() };
    json["metadata"]["annotations"].take();
    for item in json["items"].as_array_mut().into_iter().flatten() {
        item["metadata"]["annotations"].take();
    }
    cbor::write(&json).into()
}
