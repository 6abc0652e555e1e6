//! Faults of server-side apply conflicts: detection, `Status` causes and force.

use bytes::Bytes;
use http::request::Parts;
use serde_json::Value;

use super::apply_ownership::OF_ANOTHER_VERSION;
use super::field_managers::{self, APPLY, ESTRANGED, FORCE, FORCED, MANAGER};
use super::patch::MERGE;
use super::rewrite::{self, Sent};
use crate::fault::{Asked, Edit, Edit::*, Fault, When, When::*, json_body, on};

const REFUSED: When = Answered(409);
const WITH_FORCE: When = Is(FORCE, "true");
const BY_THE_SECOND: When = Is(MANAGER, "m2");
const BY_KUBECTL: When = Is(MANAGER, "kubectl");
const CONFLICT: Edit = Refuse(409, "Conflict", "another manager owns it");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // What is in the way.
    on("apply-conflicts-value-owned-by-other", "the last apply wins", &[APPLY], &[FORCED]),
    on("apply-conflicts-shared-field-change", "each owner may change what is shared", &[APPLY], &[FORCED]),
    on("apply-conflicts-with-update-owner", "what was not applied is nobody's", &[APPLY], &[FORCED]),
    on("apply-conflicts-same-name-other-operation", "one name is one owner", &[APPLY], &[FORCED]),
    on("apply-conflicts-nothing-written", "what is in nobody's way is written", &[APPLY, BY_THE_SECOND], &[Several(others_first)]),
    on("apply-conflicts-after-update-moved-owner", "the first owner wins", &[APPLY], &[FORCED]),
    on("apply-conflicts-stale-local-config-detected", "an old value overwrites a new one", &[APPLY], &[FORCED]),
    on("apply-conflicts-transfer-private-manager-late", "a late hand-over overwrites the controller", &[APPLY], &[FORCED]),
    on("apply-conflicts-dry-run", "dry runs find no conflicts", &[APPLY, Is("dryRun", "All")], &[FORCED]),
    // What the refusal says.
    on("apply-conflicts-status-object", "a conflict is an invalid object", &[APPLY, REFUSED], &[Fail(422, "Invalid", "another manager owns it")]),
    on("apply-conflicts-cause-reason", "a conflict has no causes", &[APPLY, REFUSED], &[Remove("/details/causes")]),
    on("apply-conflicts-cause-field", "causes name no field", &[APPLY, REFUSED], &[EditJson(|status| of_causes(status, |cause| cause["field"] = "".into()))]),
    on("apply-conflicts-cause-field-list-item", "items are named by their index", &[APPLY, REFUSED], &[EditJson(|status| of_causes(status, by_index))]),
    on("apply-conflicts-cause-message-manager", "causes name who asks", &[APPLY, REFUSED], &[EditAnswer(by_who_asks)]),
    on("apply-conflicts-message-names-managers", "the message names one owner", &[APPLY, REFUSED], &[EditJson(of_the_first_cause)]),
    on("apply-conflicts-one-cause-per-manager-and-field", "there is one cause", &[APPLY, REFUSED], &[EditJson(with_one_cause)]),
    on("apply-conflicts-update-owner-version-in-message", "another version is told than was used", &[APPLY, REFUSED], &[ReplaceText("using ", "using x")]),
    // What is in nobody's way.
    on("apply-conflicts-defaulted-field-is-free", "defaults are owned", &[APPLY, Custom],
        &[EditRequest(|parts, body| json_body(parts, body, with_size))]),
    on("apply-conflicts-none-for-own-field", "every change is a conflict", &[APPLY], &[ESTRANGED]),
    on("apply-conflicts-none-for-equal-value", "what others own is not applied, though it has the value", &[APPLY, Is(MANAGER, "m1")], &[CONFLICT]),
    on("apply-conflicts-none-for-unowned-field", "what is there is protected", &[APPLY, BY_THE_SECOND], &[CONFLICT]),
    on("apply-conflicts-none-for-dropping", "what others own must not be left out", &[APPLY],
        &[EditRequest(|parts, body| json_body(parts, body, outdate_what_lacks_a))]),
    on("apply-conflicts-update-never-conflicts", "a PUT is refused for what others own", &[Method("PUT"), Object, Has(MANAGER)], &[CONFLICT]),
    // Force.
    on("apply-conflicts-force-overrides", "force is ignored", &[APPLY], &[DropParameter(FORCE)]),
    on("apply-conflicts-force-transfers-ownership", "what is forced stays its owners', too", &[APPLY, WITH_FORCE], &[EditJson(field_managers::shared_by_appliers)]),
    on("apply-conflicts-force-keeps-other-fields", "who loses a field loses all", &[APPLY, WITH_FORCE], &[EditAnswer(without_other_appliers)]),
    on("apply-conflicts-force-removes-emptied-entry", "who has lost everything is not forgotten", &[APPLY, WITH_FORCE],
        &[EditJson(|object| field_managers::add_entry(object, "m1", "Apply", &serde_json::json!({})))]),
    on("apply-conflicts-force-without-conflict", "force needs an object", &[APPLY, WITH_FORCE, Answered(201)], &[Fail(404, "NotFound", "not found")]),
    on("apply-conflicts-force-does-not-steal-equal-values", "force takes nothing that it does not change", &[APPLY, WITH_FORCE],
        &[EditAnswer(field_managers::without_who_asked)]),
    on("apply-conflicts-force-false", "whatever force says, it forces", &[APPLY, Mentions(FORCE)], &[FORCED]),
    on("apply-conflicts-force-loose-values", "an odd force is only tried", &[APPLY, Is(FORCE, "1")], &[SetParameter("dryRun", "All")]),
    on("apply-conflicts-force-on-non-apply-rejected", "force is ignored", &[MERGE], &[DropParameter(FORCE)]),
    // Ways out.
    on("apply-conflicts-resolve-give-up", "what no applier owns is removed", &[APPLY, Answered(200)], &[EditJson(field_managers::without_what_no_applier_owns)]),
    on("apply-conflicts-resolve-share", "who shares a field takes it", &[APPLY, Answered(200)], &[EditJson(without_updaters)]),
    // Another topology, another version.
    on("apply-conflicts-topology-to-atomic", "a whole is overwritten", &[APPLY, BY_THE_SECOND], &[FORCED]),
    on("apply-conflicts-topology-to-granular-none", "who owned the whole owns each key", &[APPLY, BY_THE_SECOND], &[CONFLICT]),
    on("apply-conflicts-across-versions", "another version knows no owners", &[APPLY, OF_ANOTHER_VERSION], &[FORCED]),
    // Users of kubectl.
    on("apply-conflicts-migration-kubectl-absorbed", "kubectl is a manager like any other", &[APPLY, BY_KUBECTL], &[SetParameter(MANAGER, "another")]),
    on("apply-conflicts-migration-other-manager-not-absorbed", "notes are for everybody", &[APPLY], &[SetParameter(MANAGER, "kubectl")]),
    on("apply-conflicts-migration-changed-field", "kubectl overwrites what was changed", &[APPLY, BY_KUBECTL], &[FORCED]),
    // Subresources.
    on("apply-conflicts-status", "the last status wins", &[APPLY, Subresource("status")], &[FORCED]),
    on("apply-conflicts-scale-then-main", "what was scaled is nobody's", &[APPLY, Object], &[FORCED]),
    on("apply-conflicts-scale-apply", "the last scale wins", &[APPLY, Subresource("scale")], &[FORCED]),
    // Many.
    on("apply-conflicts-ancient-changes-still-owned", "what many have written is nobody's", &[APPLY], &[FORCED]),
];

/// The apply without the text `a`, and then the apply.
fn others_first(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut others = rewrite::read(body);
    for texts in ["/data", "/metadata/annotations"] {
        let texts = others.pointer_mut(texts).and_then(Value::as_object_mut);
        texts.and_then(|texts| texts.shift_remove("a"));
    }
    vec![rewrite::with_body(parts, &others), rewrite::unchanged(parts, body)]
}

/// Has an apply without the text `a` name a version that is outdated.
fn outdate_what_lacks_a(object: &mut Value) {
    let texts = ["/data/a", "/metadata/annotations/a"];
    if texts.iter().all(|text| object.pointer(text).is_none()) {
        object["metadata"]["resourceVersion"] = "1".into();
    }
}

fn with_size(object: &mut Value) {
    if object["spec"]["size"].is_null() {
        object["spec"]["size"] = 1.into();
    }
}

fn causes(status: &mut Value) -> Option<&mut Vec<Value>> {
    status.pointer_mut("/details/causes").and_then(Value::as_array_mut)
}

fn of_causes(status: &mut Value, edit: impl Fn(&mut Value)) {
    causes(status).into_iter().flatten().for_each(edit);
}

fn by_index(cause: &mut Value) {
    let field = cause["field"].as_str().unwrap_or_default();
    if let (Some((list, _)), Some((_, rest))) = (field.split_once('['), field.split_once(']')) {
        cause["field"] = format!("{list}[0]{rest}").into();
    }
}

fn by_who_asks(asked: &Asked, status: &mut Value) {
    let message = format!("conflict with {:?}", asked.parameter(MANAGER));
    of_causes(status, |cause| cause["message"] = message.as_str().into());
}

fn of_the_first_cause(status: &mut Value) {
    let first = status["details"]["causes"][0]["message"].clone();
    status["message"] = first;
}

pub(super) fn with_one_cause(status: &mut Value) {
    if let Some(causes) = causes(status) {
        causes.truncate(1);
    }
}

fn without_other_appliers(asked: &Asked, object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries
            .retain(|entry| !field_managers::applies(entry) || entry["manager"] == asked.parameter(MANAGER));
    }
}

fn without_updaters(object: &mut Value) {
    if let Some(entries) = field_managers::entries(object) {
        entries.retain(field_managers::applies);
    }
}
