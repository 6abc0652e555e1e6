//! Faults of dry runs: side effects and different responses.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::Value;

use super::rewrite::{self, Sent};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

const NAME: &str = "dryRun";
const DRY: When = Is(NAME, "All");
const POST: When = Method("POST");
const PUT: When = Method("PUT");
const PATCH: When = Method("PATCH");
const DELETE: When = Method("DELETE");
const CHANGE: When = Any(&[PUT, PATCH]);
/// Fixtures of scenarios, not their subjects.
const SUBJECTS: When = Not(&Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]));
const OPTIONS: Edit = RemoveFromRequest("/dryRun");
/// The server persists the request.
const PERSISTED: Edit = DropParameter(NAME);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Persistence.
    on("dryrun-post-not-persisted", "a dry-run create stores the object", &[POST, DRY], &[PERSISTED]),
    on("dryrun-put-not-persisted", "a dry-run update stores the object", &[PUT, DRY], &[PERSISTED]),
    on("dryrun-patch-not-persisted", "a dry-run patch stores the object", &[PATCH, DRY], &[PERSISTED]),
    on("dryrun-delete-not-persisted", "a dry-run delete removes the object", &[DELETE, Object, DRY], &[PERSISTED]),
    on("dryrun-delete-in-body", "the server ignores dryRun in DeleteOptions", &[DELETE, Object], &[OPTIONS]),
    on("dryrun-deletecollection-not-persisted", "a dry-run deletecollection removes the objects", &[DELETE, Collection], &[PERSISTED, OPTIONS]),
    on("dryrun-subresource-not-persisted", "a dry-run write of a subresource stores it", &[Any(&[Subresource("status"), Subresource("scale"), Subresource("eviction")])],
        &[PERSISTED, RemoveFromRequest("/deleteOptions/dryRun")]),
    on("dryrun-finalizer-removal-does-not-delete", "a dry-run removal of the last finalizer deletes the object", &[CHANGE, DRY], &[PERSISTED]),
    on("dryrun-no-watch-events", "a dry-run create sends watch events", &[POST, Collection, DRY], &[Several(create_and_delete_first)]),
    on("dryrun-no-other-side-effects", "a dry-run create of a Lease counts against the quota", &[POST, Plural("leases"), DRY], &[PERSISTED]),
    // Rejected requests.
    on("dryrun-runs-request-stages", "the server responds to every dry run with 200 and an empty object", &[DRY], &[Respond(200, "application/json", "{}")]),
    on("dryrun-validation-error", "a dry-run create of an invalid object returns 201", &[POST, DRY, StatusIs(422)], &[Status(201)]),
    on("dryrun-conflict-detected", "a dry-run update ignores the resourceVersion", &[PUT, DRY], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("dryrun-create-existing-409", "a dry-run create of an existing object returns 201", &[POST, DRY, StatusIs(409)], &[Status(201)]),
    on("dryrun-update-missing-404", "a dry-run write of a missing object returns 200", &[DRY, StatusIs(404)], &[Status(200)]),
    on("dryrun-delete-precondition-409", "a dry-run delete ignores preconditions", &[DELETE, Object], &[RemoveFromRequest("/preconditions")]),
    on("dryrun-schema-validated", "a dry-run create returns 201 despite a schema violation", &[Custom, POST, DRY, StatusIs(422)], &[Status(201)]),
    on("dryrun-admission-run", "a dry-run create returns 201 despite an admission refusal", &[POST, Plural("leases"), DRY, StatusIs(403)], &[Status(201)]),
    on("dryrun-validating-admission-after-mutation", "an admission policy does not see mutations", &[POST, Plural("validatingadmissionpolicies")],
        &[SetInRequest("/spec/validations/0/expression", "\"true\"")]),
    on("dryrun-side-effect-admission-fails", "a dry run calls webhooks with side effects", &[POST, Plural("validatingwebhookconfigurations")],
        &[EditRequest(|parts, body| json_body(parts, body, deny_side_effects))]),
    on("dryrun-builtin-admission-supports", "the server rejects dry-run creates of ServiceAccounts", &[POST, Plural("serviceaccounts"), DRY],
        &[Reject(400, "BadRequest", "admission does not support dry run")]),
    on("dryrun-webhook-none-called", "a dry run skips webhooks without side effects", &[POST, Plural("configmaps"), DRY], &[RemoveFromRequest("/metadata/labels")]),
    on("dryrun-webhook-noneondryrun", "a dry run skips webhooks with sideEffects NoneOnDryRun", &[POST, Plural("validatingwebhookconfigurations")],
        &[SetInRequest("/webhooks/0/matchConditions/0/expression", "\"false\"")]),
    on("dryrun-authorization-same", "a dry run skips authorization", &[DRY], &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
    on("dryrun-authorization-no-extra", "the server forbids dry runs to all but the administrator", &[PATCH, DRY, HeaderHas("impersonate-user", "")],
        &[Reject(403, "Forbidden", "dry runs are not for you")]),
    // The response.
    on("dryrun-response-like-real", "the server responds to a dry-run create with a Status", &[POST, DRY, StatusIs(201)],
        &[Text(r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#)]),
    on("dryrun-normal-status-code", "a dry-run create returns 200 instead of 201", &[POST, DRY, StatusIs(201)], &[Status(200)]),
    on("dryrun-returns-final-object", "a dry-run write returns the live object", &[CHANGE, Object, DRY], &[SetMethod("GET"), PERSISTED]),
    on("dryrun-defaults-applied", "the response to a dry-run create has no defaults", &[POST, Plural("secrets"), DRY], &[Remove("/type")]),
    on("dryrun-patch-merged", "the response to a dry-run patch lacks existing labels", &[PATCH, DRY], &[Remove("/metadata/labels/first")]),
    on("dryrun-generated-name", "the response to a dry-run create has no generated name", &[POST, DRY, StatusIs(201)], &[EditJson(remove_generated_name)]),
    on("dryrun-generated-timestamps", "the response to a dry-run create has no creationTimestamp", &[POST, DRY], &[Remove("/metadata/creationTimestamp")]),
    on("dryrun-delete-response-deletiontimestamp", "a dry-run delete stores the deletionTimestamp", &[DELETE, Object, DRY], &[PERSISTED]),
    on("dryrun-generated-uid", "a real create reuses the uid of a dry run", &[POST, Collection, StatusIs(201)],
        &[Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000f\"")]),
    on("dryrun-generated-resourceversion", "the response to a dry run has a new resourceVersion", &[Any(&[POST, PUT, PATCH]), DRY], &[Set("/metadata/resourceVersion", "\"999999\"")]),
    // The parameter.
    on("dryrun-value-all", "the server rejects dryRun=All", &[DRY], &[Reject(422, "Invalid", "dryRun: supported values: true")]),
    on("dryrun-other-values-rejected", "the server ignores unknown dryRun values", &[Present(NAME)], &[EditParameter(NAME, |value| (value == "All").then(|| value.to_owned()))]),
    on("dryrun-unset-is-real", "the server treats every create as a dry run", &[POST, Collection, SUBJECTS, Not(&Present(NAME))], &[SetParameter(NAME, "All")]),
    on("dryrun-bare-parameter", "the server reads an empty dryRun as All", &[Is(NAME, "")], &[SetParameter(NAME, "All")]),
    // Types with side effects.
    on("dryrun-service-allocations", "a dry-run create of a Service allocates its cluster IP", &[POST, Plural("services"), DRY], &[PERSISTED]),
    on("dryrun-crd-not-established", "a dry-run create of a CRD stores it", &[POST, Plural("customresourcedefinitions"), DRY], &[PERSISTED]),
    on("dryrun-namespace-not-created", "a dry-run create of a namespace stores it", &[POST, Plural("namespaces"), DRY], &[PERSISTED]),
];

/// The create and its deletion, then the dry run.
fn create_and_delete_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let object = rewrite::read(body);
    let create = rewrite::json_request(parts, Verb::POST, parts.uri.path(), &object);
    let undo =
        rewrite::json_request(parts, Verb::DELETE, &rewrite::item(parts, &object), &serde_json::json!({}));
    vec![create, undo, rewrite::unchanged(parts, body)]
}

fn deny_side_effects(configuration: &mut Value) {
    for webhook in configuration["webhooks"].as_array_mut().into_iter().flatten() {
        webhook["sideEffects"] = "None".into();
    }
}

fn remove_generated_name(created: &mut Value) {
    if created["metadata"]["generateName"].is_string() {
        rewrite::remove_metadata_field(created, "name");
    }
}
