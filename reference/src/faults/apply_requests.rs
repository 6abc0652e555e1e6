//! Faults of apply requests: body, parameters, authorization and response.

mod request_edits;
mod response_edits;

use super::patch::{MERGE, PATCH};
use super::rewrite;
use super::update;
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const APPLY: When = HeaderHas("content-type", "apply-patch+yaml");
const FORM: &str = "content-type";
const AS_APPLY: &str = "application/apply-patch+yaml";
const AS_MERGE: &str = "application/merge-patch+json";
const AS_JSON: &str = "application/json";
const MANAGER: &str = "fieldManager";
const DRY_RUN: &str = "dryRun";
const DRY: When = Is(DRY_RUN, "All");
const FORCED: When = Is("force", "true");
const PATCHER: When = HeaderHas("impersonate-user", "patcher");
const STATUS: When = Subresource("status");
const VERSION: &str = "/metadata/resourceVersion";
const UID: &str = "/metadata/uid";
/// What an apply without a name in the query is taken for.
const SOMEBODY: Edit = SetParameter(MANAGER, "unknown");
/// Something in it is new each time.
pub(super) const TOUCHED: Edit = EditRequest(|parts, body| json_body(parts, body, request_edits::touched));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What becomes of the object.
    on("apply-requests-partial-body", "an apply is a replacement", &[APPLY, Object], &[SetMethod("PUT"), SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-creates-when-absent", "what is not there is not found, as with other patches", &[APPLY], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-create-status-201", "every apply is answered 200", &[APPLY, Answered(201)], &[Status(200)]),
    on("apply-requests-update-status-200", "every apply is answered 201", &[APPLY, Answered(200)], &[Status(201)]),
    on("apply-requests-create-applies-defaults", "what is created by an apply has no defaults", &[APPLY, Answered(201)], &[Remove("/spec/size")]),
    on("apply-requests-cluster-scoped", "there is one apply of an object", &[APPLY, Answered(200)], &[Fail(400, "BadRequest", "it was applied already")]),
    on("apply-requests-upsert-atomic-create", "who comes second is told that it is there already", &[APPLY, Answered(200)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("apply-requests-concurrent-retry", "of many applies some are refused", &[APPLY, Every(3)], &[Refuse(409, "Conflict", "the object has been modified")]),
    on("apply-requests-many-appliers-prune-correctly", "two managers share an entry", &[APPLY],
        &[EditParameter(MANAGER, |name| Some(if name == "kube-assay-8" { "kube-assay-7" } else { name }.to_owned()))]),
    // What is refused.
    on("apply-requests-invalid-result-rejected", "labels of an apply are not checked", &[APPLY], &[RemoveFromRequest("/metadata/labels/bad key!")]),
    on("apply-requests-invalid-result-writes-nothing", "what is valid is stored before the rest is looked at", &[APPLY, Custom], &[Several(request_edits::valid_first)]),
    on("apply-requests-unknown-field-rejected", "an unknown field is dropped", &[APPLY], &[RemoveFromRequest("/assayUnknown")]),
    on("apply-requests-wrong-type-rejected", "a value of another type is left out", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::only_typed))]),
    on("apply-requests-duplicate-body-key-strict", "of duplicates the last is taken unnoticed", &[APPLY], &[EditRequest(super::field_validation::resolved)]),
    on("apply-requests-duplicate-body-key-warn", "nobody is told of duplicates", &[APPLY], &[WithoutHeader("warning")]),
    // In whose name.
    on("apply-requests-field-manager-required", "a manager is made up", &[APPLY, Not(&Mentions(MANAGER))], &[SOMEBODY]),
    on("apply-requests-field-manager-empty", "an empty name is as good as any", &[APPLY, Mentions(MANAGER), Lacks(MANAGER)], &[SOMEBODY]),
    on("apply-requests-field-manager-length-128", "long names are cut", &[APPLY], &[EditParameter(MANAGER, |name| Some(name.chars().take(128).collect()))]),
    on("apply-requests-field-manager-printable", "any characters make a name", &[PATCH],
        &[EditParameter(MANAGER, |name| Some(name.chars().filter(|character| !character.is_control()).collect()))]),
    // Its form.
    on("apply-requests-media-type", "who names a manager applies", &[MERGE, Has(MANAGER)], &[SetRequestHeader(FORM, AS_APPLY)]),
    on("apply-requests-media-type-unknown-suffix", "what nobody knows is a merge patch", &[HeaderHas(FORM, "patch"), Not(&KNOWN)], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-media-type-parameters", "a media type with a parameter is not known", &[APPLY, HeaderHas(FORM, ";")],
        &[Refuse(415, "UnsupportedMediaType", "415: Unsupported Media Type")]),
    on("apply-requests-cbor", "CBOR is read as text", &[HeaderHas(FORM, "apply-patch+cbor")],
        &[EditRequest(request_edits::garbage), SetRequestHeader(FORM, AS_APPLY)]),
    on("apply-requests-feature-disabled-415", "a server that does not apply merges", &[APPLY], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-yaml-body", "only JSON is read", &[APPLY], &[EditRequest(request_edits::no_yaml)]),
    on("apply-requests-json-body", "only YAML is read", &[APPLY], &[EditRequest(request_edits::no_json)]),
    on("apply-requests-json-escapes", "texts are read as Latin 1", &[APPLY], &[EditRequest(request_edits::as_latin_1)]),
    on("apply-requests-malformed-body", "what cannot be read breaks the server", &[APPLY, Answered(400)], &[Fail(500, "InternalError", "error decoding YAML")]),
    on("apply-requests-same-serialization", "an apply stands in a wrapper", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, |body| *body = body["apply"].take()))]),
    // Which object it is.
    on("apply-requests-kind-required", "the type is that of the path", &[APPLY, Object], &[EditRequest(request_edits::typed)]),
    on("apply-requests-api-version-must-match-url", "the version of the type is not looked at", &[APPLY, Object], &[EditRequest(super::rewrite::of_the_version)]),
    on("apply-requests-kind-must-match-url", "the kind is not looked at", &[APPLY, Object], &[EditRequest(super::rewrite::of_the_kind)]),
    on("apply-requests-minimal-body-no-change", "what is not named is emptied", &[APPLY, Object], &[EditRequest(request_edits::emptying)]),
    on("apply-requests-name-optional-on-existing", "a body must have a name", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::refuse_nameless))]),
    on("apply-requests-name-required-on-create", "a name is made up", &[APPLY, Namespaced], &[EditRequest(request_edits::with_any_name)]),
    on("apply-requests-name-must-match-url", "an apply goes to the name in its body", &[APPLY, Object], &[EditRequest(update::to_the_name)]),
    on("apply-requests-namespace-must-match-url", "an apply goes to the namespace in its body", &[APPLY, Object, Namespaced], &[EditRequest(update::to_the_namespace)]),
    // Metadata.
    on("apply-requests-managed-fields-forbidden", "managedFields are dropped", &[APPLY], &[RemoveFromRequest("/metadata/managedFields")]),
    on("apply-requests-managed-fields-empty-list-forbidden", "an empty list is none", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::no_empty_entries))]),
    on("apply-requests-null-system-metadata-tolerated", "who says null owns it", &[APPLY], &[EditJson(response_edits::owning_time)]),
    on("apply-requests-system-metadata-ignored", "the time of creation is the client's", &[APPLY], &[Set("/metadata/creationTimestamp", "\"2000-01-01T00:00:00Z\"")]),
    on("apply-requests-uid-on-create", "a uid is nobody's", &[APPLY], &[RemoveFromRequest(UID)]),
    on("apply-requests-uid-mismatch", "the identity is not looked at", &[APPLY], &[RemoveFromRequest(UID)]),
    on("apply-requests-uid-match", "no uid is the right one", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::of_nobody))]),
    on("apply-requests-migration-annotation-kept-current", "kubectl is one of many", &[APPLY, Is(MANAGER, "kubectl")], &[SetParameter(MANAGER, "one-of-many")]),
    on("apply-requests-migration-annotation-untouched-by-others", "everybody is kubectl", &[APPLY], &[SetParameter(MANAGER, "kubectl")]),
    // Versions.
    on("apply-requests-resource-version-optional", "an apply without a version is one of the first", &[APPLY], &[SetInRequest(VERSION, "\"1\"")]),
    on("apply-requests-resource-version-optional-for-strict-kinds", "what is updated with a version is applied with one", &[APPLY, Custom, Answered(200)],
        &[Fail(422, "Invalid", "metadata.resourceVersion: must be specified for an update")]),
    on("apply-requests-stale-resource-version", "the version in an apply is ignored", &[APPLY], &[RemoveFromRequest(VERSION)]),
    on("apply-requests-stale-resource-version-not-ownership-conflict", "force settles everything", &[APPLY, FORCED], &[RemoveFromRequest(VERSION)]),
    on("apply-requests-current-resource-version", "a version is always outdated", &[APPLY], &[EditRequest(super::patch::of_an_old_version)]),
    on("apply-requests-resource-version-on-create", "a version of what is not there breaks the server", &[APPLY, Answered(201)], &[Fail(500, "InternalError", "no such version")]),
    on("apply-requests-if-match", "a condition in the head breaks the server", &[HeaderHas("if-match", "")], &[Refuse(500, "InternalError", "unexpected header")]),
    // Where it goes.
    on("apply-requests-patch-verb-on-object", "a POST may be an apply", &[Method("POST"), APPLY], &[SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-not-on-collection", "an apply to a collection creates", &[APPLY, Collection], &[SetMethod("POST"), SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-objects-only", "an apply to what is not stored breaks the server", &[PATCH, Below("/apis/authorization.k8s.io")], &[Refuse(500, "InternalError", "no storage")]),
    on("apply-requests-missing-namespace", "an apply needs no namespace to be there", &[APPLY], &[ReplaceInPath("-nowhere/", "/")]),
    // Who may.
    on("apply-requests-rbac-patch-suffices-for-existing", "who may only patch may not apply", &[APPLY, PATCHER], &[Refuse(403, "Forbidden", "cannot update resource")]),
    on("apply-requests-rbac-create-needed", "who may patch may create by an apply", &[APPLY, PATCHER], OF_THE_ADMINISTRATOR),
    on("apply-requests-rbac-patch-needed", "who may update may apply", &[APPLY, HeaderHas("impersonate-user", "writer")], OF_THE_ADMINISTRATOR),
    on("apply-requests-rbac-force-same", "only the administrator may force", &[APPLY, FORCED, PATCHER], &[Refuse(403, "Forbidden", "cannot force")]),
    // The same again, and what is counted.
    on("apply-requests-noop-same-resource-version", "every apply is a change", &[APPLY], &[TOUCHED]),
    on("apply-requests-noop-with-defaults-same-resource-version", "defaults are a change", &[APPLY, Custom], &[TOUCHED]),
    on("apply-requests-noop-no-watch-event", "every apply is told", &[APPLY], &[TOUCHED]),
    on("apply-requests-generation-on-spec-change", "an apply is no new generation", &[APPLY], &[Set("/metadata/generation", "1")]),
    // Dry runs.
    on("apply-requests-dry-run-create", "an apply creates before it looks whether it is dry", &[APPLY, DRY], &[DropParameter(DRY_RUN)]),
    on("apply-requests-dry-run-update", "a dry apply shows what is there", &[APPLY, DRY], &[SetMethod("GET"), DropParameter(DRY_RUN)]),
    // Subresources.
    on("apply-requests-status-apply", "an apply to the status is answered and forgotten", &[APPLY, STATUS], &[SetParameter(DRY_RUN, "All")]),
    on("apply-requests-status-apply-ignores-spec", "who applies a status owns a spec", &[APPLY, STATUS], &[EditJson(response_edits::owning_spec)]),
    on("apply-requests-main-apply-ignores-status", "who applies an object owns its status", &[APPLY, Not(&STATUS)], &[EditJson(response_edits::owning_status)]),
    on("apply-requests-status-apply-metadata-cr", "who applies a status labels", &[APPLY, STATUS], &[Set("/metadata/labels/assay", "\"x\"")]),
    on("apply-requests-status-apply-missing-object", "an apply to the status creates", &[APPLY, STATUS], &[ReplaceInPath("/status", "")]),
    // The end of an object.
    on("apply-requests-terminating-object", "an apply revives", &[APPLY], &[Remove("/metadata/deletionTimestamp")]),
    on("apply-requests-drop-last-finalizer-deletes", "finalizers are never given up", &[APPLY], &[SetInRequest("/metadata/finalizers", "[\"kube-assay.dev/hold\"]")]),
    // The answer.
    on("apply-requests-response-is-object", "the answer holds only what was applied", &[APPLY], &[EditJson(super::patch::only_texts)]),
    on("apply-requests-accept-negotiation", "the answer is in the form of the request", &[APPLY], &[SetRequestHeader("accept", "application/yaml")]),
    on("apply-requests-discoverable-in-openapi", "it is not published that the server applies", &[Below("/openapi")], &[ReplaceText("apply-patch+yaml", "unknown-patch+yaml")]),
];

/// Media types of patches.
const KNOWN: When = Any(&[
    HeaderHas(FORM, "apply-patch+yaml"),
    HeaderHas(FORM, "apply-patch+cbor"),
    HeaderHas(FORM, "json-patch+json"),
    HeaderHas(FORM, "merge-patch+json"),
]);

const OF_THE_ADMINISTRATOR: &[Edit] =
    &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")];
