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
/// The manager of an apply without the parameter.
const UNKNOWN_MANAGER: Edit = SetParameter(MANAGER, "unknown");
/// A new annotation value in each request.
pub(super) const TOUCH: Edit = EditRequest(|parts, body| json_body(parts, body, request_edits::touch));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The resulting object.
    on("apply-requests-partial-body", "the server treats an apply as a PUT", &[APPLY, Object], &[SetMethod("PUT"), SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-creates-when-absent", "the server returns 404 for an apply of a missing object", &[APPLY], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-create-status-201", "the server returns 200 for an apply that creates", &[APPLY, StatusIs(201)], &[Status(200)]),
    on("apply-requests-update-status-200", "the server returns 201 for an apply that updates", &[APPLY, StatusIs(200)], &[Status(201)]),
    on("apply-requests-create-applies-defaults", "an apply that creates sets no defaults", &[APPLY, StatusIs(201)], &[Remove("/spec/size")]),
    on("apply-requests-cluster-scoped", "the server rejects the second apply of an object", &[APPLY, StatusIs(200)], &[Fail(400, "BadRequest", "it was applied already")]),
    on("apply-requests-upsert-atomic-create", "the server returns 409 AlreadyExists for an apply of an existing object", &[APPLY, StatusIs(200)], &[Fail(409, "AlreadyExists", "already exists")]),
    on("apply-requests-concurrent-retry", "the server returns 409 for every third apply", &[APPLY, Every(3)], &[Reject(409, "Conflict", "the object has been modified")]),
    on("apply-requests-many-appliers-prune-correctly", "the server records two managers in one entry", &[APPLY],
        &[EditParameter(MANAGER, |name| Some(if name == "kube-assay-8" { "kube-assay-7" } else { name }.to_owned()))]),
    // Rejected requests.
    on("apply-requests-invalid-result-rejected", "the server drops an invalid label instead of rejecting the apply", &[APPLY], &[RemoveFromRequest("/metadata/labels/bad key!")]),
    on("apply-requests-invalid-result-writes-nothing", "the server stores the valid fields of an invalid apply", &[APPLY, Custom], &[Several(request_edits::apply_valid_part_first)]),
    on("apply-requests-unknown-field-rejected", "an apply drops an unknown field", &[APPLY], &[RemoveFromRequest("/assayUnknown")]),
    on("apply-requests-wrong-type-rejected", "an apply drops values of the wrong type", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::fix_types))]),
    on("apply-requests-duplicate-body-key-strict", "the server keeps the last of duplicate keys silently", &[APPLY], &[EditRequest(super::field_validation::resolve_duplicates)]),
    on("apply-requests-duplicate-body-key-warn", "the server sends no warning about duplicate keys", &[APPLY], &[WithoutHeader("warning")]),
    // Field managers.
    on("apply-requests-field-manager-required", "the server applies as manager \"unknown\" without fieldManager", &[APPLY, Not(&Present(MANAGER))], &[UNKNOWN_MANAGER]),
    on("apply-requests-field-manager-empty", "the server accepts an empty fieldManager", &[APPLY, Present(MANAGER), Lacks(MANAGER)], &[UNKNOWN_MANAGER]),
    on("apply-requests-field-manager-length-128", "the server truncates a long fieldManager", &[APPLY], &[EditParameter(MANAGER, |name| Some(name.chars().take(128).collect()))]),
    on("apply-requests-field-manager-printable", "the server drops control characters from fieldManager", &[PATCH],
        &[EditParameter(MANAGER, |name| Some(name.chars().filter(|character| !character.is_control()).collect()))]),
    // Media types.
    on("apply-requests-media-type", "the server treats a merge patch with fieldManager as an apply", &[MERGE, Has(MANAGER)], &[SetRequestHeader(FORM, AS_APPLY)]),
    on("apply-requests-media-type-unknown-suffix", "the server treats an unknown patch media type as a merge patch", &[HeaderHas(FORM, "patch"), Not(&KNOWN)], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-media-type-parameters", "the server returns 415 for a media type with a parameter", &[APPLY, HeaderHas(FORM, ";")],
        &[Reject(415, "UnsupportedMediaType", "415: Unsupported Media Type")]),
    on("apply-requests-cbor", "the server reads any CBOR apply as a fixed ConfigMap", &[HeaderHas(FORM, "apply-patch+cbor")],
        &[EditRequest(request_edits::replace_by_config_map), SetRequestHeader(FORM, AS_APPLY)]),
    on("apply-requests-feature-disabled-415", "the server treats an apply as a merge patch", &[APPLY], &[SetRequestHeader(FORM, AS_MERGE)]),
    on("apply-requests-yaml-body", "the server rejects YAML apply bodies", &[APPLY], &[EditRequest(request_edits::break_yaml)]),
    on("apply-requests-json-body", "the server rejects JSON apply bodies", &[APPLY], &[EditRequest(request_edits::break_json)]),
    on("apply-requests-json-escapes", "the server decodes UTF-8 apply bodies as Latin-1", &[APPLY], &[EditRequest(request_edits::encode_as_latin_1)]),
    on("apply-requests-malformed-body", "the server returns 500 for a malformed apply body", &[APPLY, StatusIs(400)], &[Fail(500, "InternalError", "error decoding YAML")]),
    on("apply-requests-same-serialization", "the server expects the apply inside a wrapper object", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, |body| *body = body["apply"].take()))]),
    // Type and name.
    on("apply-requests-kind-required", "the server fills missing kind and apiVersion from the path", &[APPLY, Object], &[EditRequest(request_edits::fill_in_type)]),
    on("apply-requests-api-version-must-match-url", "the server ignores the apiVersion in an apply body", &[APPLY, Object], &[EditRequest(super::rewrite::set_path_version)]),
    on("apply-requests-kind-must-match-url", "the server ignores the kind in an apply body", &[APPLY, Object], &[EditRequest(super::rewrite::set_path_kind)]),
    on("apply-requests-minimal-body-no-change", "an apply without metadata removes all data and annotations", &[APPLY, Object], &[EditRequest(request_edits::empty_without_metadata)]),
    on("apply-requests-name-optional-on-existing", "the server rejects an apply body without a name", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::reject_nameless))]),
    on("apply-requests-name-required-on-create", "the server generates a name for an apply body without one", &[APPLY, Namespaced], &[EditRequest(request_edits::generate_missing_name)]),
    on("apply-requests-name-must-match-url", "an apply writes the object named in its body, not in its path", &[APPLY, Object], &[EditRequest(update::redirect_to_body_name)]),
    on("apply-requests-namespace-must-match-url", "an apply writes to the namespace in its body, not in its path", &[APPLY, Object, Namespaced], &[EditRequest(update::redirect_to_body_namespace)]),
    // Metadata.
    on("apply-requests-managed-fields-forbidden", "the server ignores managedFields in an apply", &[APPLY], &[RemoveFromRequest("/metadata/managedFields")]),
    on("apply-requests-managed-fields-empty-list-forbidden", "the server ignores an empty managedFields list in an apply", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::drop_empty_entries))]),
    on("apply-requests-null-system-metadata-tolerated", "the server records ownership of creationTimestamp for the applier", &[APPLY], &[EditJson(response_edits::own_creation_time)]),
    on("apply-requests-system-metadata-ignored", "an apply sets creationTimestamp to the client's value", &[APPLY], &[Set("/metadata/creationTimestamp", "\"2000-01-01T00:00:00Z\"")]),
    on("apply-requests-uid-on-create", "the server ignores the uid in an apply that creates", &[APPLY], &[RemoveFromRequest(UID)]),
    on("apply-requests-uid-mismatch", "the server ignores the uid in an apply", &[APPLY], &[RemoveFromRequest(UID)]),
    on("apply-requests-uid-match", "the server rejects the current uid in an apply", &[APPLY], &[EditRequest(|parts, body| json_body(parts, body, request_edits::replace_uid))]),
    on("apply-requests-migration-annotation-kept-current", "the server does not recognize kubectl as the applier", &[APPLY, Is(MANAGER, "kubectl")], &[SetParameter(MANAGER, "one-of-many")]),
    on("apply-requests-migration-annotation-untouched-by-others", "the server records every applier as kubectl", &[APPLY], &[SetParameter(MANAGER, "kubectl")]),
    // Versions.
    on("apply-requests-resource-version-optional", "the server adds an old resourceVersion to every apply", &[APPLY], &[SetInRequest(VERSION, "\"1\"")]),
    on("apply-requests-resource-version-optional-for-strict-kinds", "the server requires resourceVersion in applies of custom resources", &[APPLY, Custom, StatusIs(200)],
        &[Fail(422, "Invalid", "metadata.resourceVersion: must be specified for an update")]),
    on("apply-requests-stale-resource-version", "the server ignores the resourceVersion in an apply", &[APPLY], &[RemoveFromRequest(VERSION)]),
    on("apply-requests-stale-resource-version-not-ownership-conflict", "the server ignores the resourceVersion in a forced apply", &[APPLY, FORCED], &[RemoveFromRequest(VERSION)]),
    on("apply-requests-current-resource-version", "the server returns 409 for an apply at the current resourceVersion", &[APPLY], &[EditRequest(super::patch::outdate_version)]),
    on("apply-requests-resource-version-on-create", "the server returns 500 for an apply that creates", &[APPLY, StatusIs(201)], &[Fail(500, "InternalError", "no such version")]),
    on("apply-requests-if-match", "the server returns 500 for a request with If-Match", &[HeaderHas("if-match", "")], &[Reject(500, "InternalError", "unexpected header")]),
    // Paths.
    on("apply-requests-patch-verb-on-object", "the server accepts a POST with the apply media type", &[Method("POST"), APPLY], &[SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-not-on-collection", "an apply to a collection creates an object", &[APPLY, Collection], &[SetMethod("POST"), SetRequestHeader(FORM, AS_JSON)]),
    on("apply-requests-objects-only", "the server returns 500 for an apply to a create-only API", &[PATCH, PathPrefix("/apis/authorization.k8s.io")], &[Reject(500, "InternalError", "no storage")]),
    on("apply-requests-missing-namespace", "an apply to a missing namespace succeeds", &[APPLY], &[ReplaceInPath("-nowhere/", "/")]),
    // Authorization.
    on("apply-requests-rbac-patch-suffices-for-existing", "the server forbids apply to a user with patch permission only", &[APPLY, PATCHER], &[Reject(403, "Forbidden", "cannot update resource")]),
    on("apply-requests-rbac-create-needed", "the server lets a user without create permission create by apply", &[APPLY, PATCHER], OF_THE_ADMINISTRATOR),
    on("apply-requests-rbac-patch-needed", "the server lets a user without patch permission apply", &[APPLY, HeaderHas("impersonate-user", "writer")], OF_THE_ADMINISTRATOR),
    on("apply-requests-rbac-force-same", "the server forbids force to all but the administrator", &[APPLY, FORCED, PATCHER], &[Reject(403, "Forbidden", "cannot force")]),
    // Repeated applies and generations.
    on("apply-requests-noop-same-resource-version", "a repeated apply changes the object", &[APPLY], &[TOUCH]),
    on("apply-requests-noop-with-defaults-same-resource-version", "a repeated apply of an object with defaults changes it", &[APPLY, Custom], &[TOUCH]),
    on("apply-requests-noop-no-watch-event", "a repeated apply sends a watch event", &[APPLY], &[TOUCH]),
    on("apply-requests-generation-on-spec-change", "an apply never increments the generation", &[APPLY], &[Set("/metadata/generation", "1")]),
    // Dry runs.
    on("apply-requests-dry-run-create", "a dry-run apply creates the object", &[APPLY, DRY], &[DropParameter(DRY_RUN)]),
    on("apply-requests-dry-run-update", "a dry-run apply returns the live object", &[APPLY, DRY], &[SetMethod("GET"), DropParameter(DRY_RUN)]),
    // Subresources.
    on("apply-requests-status-apply", "the server does not store an apply to the status", &[APPLY, STATUS], &[SetParameter(DRY_RUN, "All")]),
    on("apply-requests-status-apply-ignores-spec", "an apply to the status records ownership of spec fields", &[APPLY, STATUS], &[EditJson(response_edits::own_spec)]),
    on("apply-requests-main-apply-ignores-status", "an apply to the object records ownership of status fields", &[APPLY, Not(&STATUS)], &[EditJson(response_edits::own_status)]),
    on("apply-requests-status-apply-metadata-cr", "an apply to the status adds labels", &[APPLY, STATUS], &[Set("/metadata/labels/assay", "\"x\"")]),
    on("apply-requests-status-apply-missing-object", "an apply to the status of a missing object creates it", &[APPLY, STATUS], &[ReplaceInPath("/status", "")]),
    // Deletion.
    on("apply-requests-terminating-object", "the response to an apply has no deletionTimestamp", &[APPLY], &[Remove("/metadata/deletionTimestamp")]),
    on("apply-requests-drop-last-finalizer-deletes", "an apply never removes the last finalizer", &[APPLY], &[SetInRequest("/metadata/finalizers", "[\"kube-assay.dev/hold\"]")]),
    // The response.
    on("apply-requests-response-is-object", "the response to an apply lacks the fields that were not applied", &[APPLY], &[EditJson(super::patch::only_texts)]),
    on("apply-requests-accept-negotiation", "the server responds to an apply in YAML, whatever its Accept header", &[APPLY], &[SetRequestHeader("accept", "application/yaml")]),
    on("apply-requests-discoverable-in-openapi", "the OpenAPI document does not list the apply media type", &[PathPrefix("/openapi")], &[ReplaceText("apply-patch+yaml", "unknown-patch+yaml")]),
];

/// The media types of patches.
const KNOWN: When = Any(&[
    HeaderHas(FORM, "apply-patch+yaml"),
    HeaderHas(FORM, "apply-patch+cbor"),
    HeaderHas(FORM, "json-patch+json"),
    HeaderHas(FORM, "merge-patch+json"),
]);

const OF_THE_ADMINISTRATOR: &[Edit] =
    &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")];
