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
/// Namespaces and definitions are created for a scenario, and not what it asks about.
const ASKED_ABOUT: When = Not(&Any(&[Of("namespaces"), Of("customresourcedefinitions")]));
const OPTIONS: Edit = RemoveFromRequest("/dryRun");
/// It is carried out.
const REALLY: Edit = DropParameter(NAME);

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What it leaves alone.
    on("dryrun-post-not-persisted", "a dry create is carried out", &[POST, DRY], &[REALLY]),
    on("dryrun-put-not-persisted", "a dry update is carried out", &[PUT, DRY], &[REALLY]),
    on("dryrun-patch-not-persisted", "a dry patch is carried out", &[PATCH, DRY], &[REALLY]),
    on("dryrun-delete-not-persisted", "a dry deletion is carried out", &[DELETE, Object, DRY], &[REALLY]),
    on("dryrun-delete-in-body", "the body of a deletion does not say whether it is dry", &[DELETE, Object], &[OPTIONS]),
    on("dryrun-deletecollection-not-persisted", "a dry deletion of many is carried out", &[DELETE, Collection], &[REALLY, OPTIONS]),
    on("dryrun-subresource-not-persisted", "a dry write of a subresource is carried out", &[Any(&[Subresource("status"), Subresource("scale")]), DRY], &[REALLY]),
    on("dryrun-finalizer-removal-does-not-delete", "a dry release is carried out", &[CHANGE, DRY], &[REALLY]),
    on("dryrun-no-watch-events", "a dry create is told to watches", &[POST, Collection, DRY], &[Several(tell)]),
    on("dryrun-no-other-side-effects", "a dry create counts", &[POST, Of("leases"), DRY], &[REALLY]),
    // What it is refused for.
    on("dryrun-runs-request-stages", "a dry run is not looked at", &[DRY], &[Instead(200, "application/json", "{}")]),
    on("dryrun-validation-error", "a dry create of an invalid object succeeds", &[POST, DRY, Answered(422)], &[Status(201)]),
    on("dryrun-conflict-detected", "a dry update has no premise", &[PUT, DRY], &[RemoveFromRequest("/metadata/resourceVersion")]),
    on("dryrun-create-existing-409", "a dry create of what is there succeeds", &[POST, DRY, Answered(409)], &[Status(201)]),
    on("dryrun-update-missing-404", "a dry write of what is not there succeeds", &[DRY, Answered(404)], &[Status(200)]),
    on("dryrun-delete-precondition-409", "a dry deletion has no premise", &[DELETE, Object], &[RemoveFromRequest("/preconditions")]),
    on("dryrun-schema-validated", "a dry create has no schema", &[Custom, POST, DRY, Answered(422)], &[Status(201)]),
    on("dryrun-admission-run", "a dry create is let in by all", &[POST, Of("leases"), DRY, Answered(403)], &[Status(201)]),
    on("dryrun-validating-admission-after-mutation", "a policy sees what was sent", &[POST, Of("validatingadmissionpolicies")],
        &[SetInRequest("/spec/validations/0/expression", "\"true\"")]),
    on("dryrun-side-effect-admission-fails", "webhooks with side effects are called", &[POST, Of("validatingwebhookconfigurations")],
        &[EditRequest(|parts, body| json_body(parts, body, without_side_effects))]),
    on("dryrun-builtin-admission-supports", "a dry create of an account is not supported", &[POST, Of("serviceaccounts"), DRY],
        &[Refuse(400, "BadRequest", "admission does not support dry run")]),
    on("dryrun-webhook-none-called", "webhooks are not told of dry runs", &[POST, Of("configmaps"), DRY], &[RemoveFromRequest("/metadata/labels")]),
    on("dryrun-webhook-noneondryrun", "webhooks are not told that it is a dry run", &[POST, Of("validatingwebhookconfigurations")],
        &[SetInRequest("/webhooks/0/matchConditions/0/expression", "\"false\"")]),
    on("dryrun-authorization-same", "everybody may try", &[DRY], &[DropRequestHeader("impersonate-user"), DropRequestHeader("impersonate-group")]),
    on("dryrun-authorization-no-extra", "nobody but the administrator may try", &[PATCH, DRY, HeaderHas("impersonate-user", "")],
        &[Refuse(403, "Forbidden", "dry runs are not for you")]),
    // What it is answered.
    on("dryrun-response-like-real", "a dry create is answered with a Status", &[POST, DRY, Answered(201)],
        &[Text(r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#)]),
    on("dryrun-normal-status-code", "a dry run is answered 200", &[POST, DRY, Answered(201)], &[Status(200)]),
    on("dryrun-returns-final-object", "a dry run shows what is there", &[CHANGE, Object, DRY], &[SetMethod("GET"), REALLY]),
    on("dryrun-defaults-applied", "a dry create sets no defaults", &[POST, Of("secrets"), DRY], &[Remove("/type")]),
    on("dryrun-patch-merged", "a dry patch shows itself", &[PATCH, DRY], &[Remove("/metadata/labels/first")]),
    on("dryrun-generated-name", "a dry create makes no name", &[POST, DRY, Answered(201)], &[EditJson(without_made_name)]),
    on("dryrun-generated-timestamps", "a dry create has no time", &[POST, DRY], &[Remove("/metadata/creationTimestamp")]),
    on("dryrun-delete-response-deletiontimestamp", "the time of a dry deletion is stored", &[DELETE, Object, DRY], &[REALLY]),
    on("dryrun-generated-uid", "the identity of a dry create is used later", &[POST, Collection, Answered(201)],
        &[Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000f\"")]),
    on("dryrun-generated-resourceversion", "a dry run takes a version", &[Any(&[POST, PUT, PATCH]), DRY], &[Set("/metadata/resourceVersion", "\"999999\"")]),
    // The parameter.
    on("dryrun-value-all", "a dry run is asked for with true", &[DRY], &[Refuse(422, "Invalid", "dryRun: supported values: true")]),
    on("dryrun-other-values-rejected", "what is not All is not looked at", &[Mentions(NAME)], &[EditParameter(NAME, |value| (value == "All").then(|| value.to_owned()))]),
    on("dryrun-unset-is-real", "every create is dry", &[POST, Collection, ASKED_ABOUT, Not(&Mentions(NAME))], &[SetParameter(NAME, "All")]),
    on("dryrun-bare-parameter", "a parameter without a value asks for a dry run", &[Is(NAME, "")], &[SetParameter(NAME, "All")]),
    // Types that do more than to be stored.
    on("dryrun-service-allocations", "a dry create of a service takes its address", &[POST, Of("services"), DRY], &[REALLY]),
    on("dryrun-crd-not-established", "a dry definition is carried out", &[POST, Of("customresourcedefinitions"), DRY], &[REALLY]),
    on("dryrun-namespace-not-created", "a dry namespace is carried out", &[POST, Of("namespaces"), DRY], &[REALLY]),
];

/// The create and its undoing, and then the dry run.
fn tell(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let object = rewrite::read(body);
    let create = rewrite::instead(parts, Verb::POST, parts.uri.path(), &object);
    let undo = rewrite::instead(parts, Verb::DELETE, &rewrite::item(parts, &object), &serde_json::json!({}));
    vec![create, undo, rewrite::unchanged(parts, body)]
}

fn without_side_effects(configuration: &mut Value) {
    for webhook in configuration["webhooks"].as_array_mut().into_iter().flatten() {
        webhook["sideEffects"] = "None".into();
    }
}

fn without_made_name(created: &mut Value) {
    if created["metadata"]["generateName"].is_string() {
        rewrite::without(created, "name");
    }
}
