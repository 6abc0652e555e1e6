//! Faults of the area `replicas`: only the replicas have them. The first server is right.

use super::AT_FUTURE_VERSION;
use crate::fault::{Edit::*, Event, Fault, When, When::*, at_replicas};

const GET: &[When] = &[Method("GET"), Object];
const LIST: &[When] = &[List];
const APPLY: When = HeaderHas("content-type", "apply-patch");

/// Deviations of the replicas.
#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    at_replicas("replicas-identity", "a replica numbers versions by itself", GET, &[Set("/metadata/resourceVersion", "\"1\"")]),
    at_replicas("replicas-get-after-write", "a replica answers a get from a cache that lags", GET, &[AsBefore]),
    at_replicas("replicas-list-after-write", "a replica answers a list from a cache that lags", LIST, &[AsBefore]),
    at_replicas("replicas-get-after-delete", "a replica still returns a deleted object", GET, &[AsBefore]),
    at_replicas("replicas-get-not-older", "a replica answers a get with the object as it was before the version", &[Method("GET"), Object, Has("resourceVersion")], &[AsBefore]),
    at_replicas("replicas-list-not-older", "a replica answers with the list as it was before the version", &[List, Has("resourceVersion")], &[AsBefore]),
    at_replicas("replicas-list-exact", "a replica answers an exact list with its newest state", &[List, Is("resourceVersionMatch", "Exact")], &[DropParameter("resourceVersion"), DropParameter("resourceVersionMatch")]),
    at_replicas("replicas-any-was-written", "a replica returns one version with the fields of another", &[Method("GET"), Object, Is("resourceVersion", "0")], &[EditJson(earlier_version)]),
    at_replicas("replicas-any-not-older-than-watch", "a replica feeds its watches earlier than its reads", &[Method("GET"), Object, Is("resourceVersion", "0")], &[AsBefore]),
    at_replicas("replicas-future-version", "a replica answers a version that it does not know with what it has", &[List, AT_FUTURE_VERSION], &[DropParameter("resourceVersion")]),
    at_replicas("replicas-continue-elsewhere", "a replica begins a list anew at the token of another server", &[List, Has("continue")], &[DropParameter("continue")]),
    at_replicas("replicas-watch-from-list-elsewhere", "the first changes after the version of a list are missing", &[Watch], &[Events(Event::Skip(3))]),
    at_replicas("replicas-watch-resume-elsewhere", "the first change after the last delivered event is missing", &[Watch], &[Events(Event::Skip(1))]),
    at_replicas("replicas-bookmark-resume-elsewhere", "the first change after a bookmark is missing", &[Watch, Lacks("sendInitialEvents")], &[Events(Event::Skip(1))]),
    at_replicas("replicas-same-order", "a replica orders changes by itself", &[Watch], &[Events(Event::Swap)]),
    at_replicas("replicas-streaming-list-elsewhere", "a replica ends the initial events before it has the object", &[Watch, Has("sendInitialEvents")], &[Events(Event::Drop("ADDED"))]),
    at_replicas("replicas-stale-update-elsewhere", "a replica takes the old version for the current one", &[Method("PUT")], &[RemoveFromRequest("/metadata/resourceVersion")]),
    at_replicas("replicas-no-lost-update", "each replica accepts an update of the same version", &[Method("PUT")], &[RemoveFromRequest("/metadata/resourceVersion")]),
    at_replicas("replicas-create-once", "a replica acknowledges a name that exists", &[Method("POST"), StatusIs(409)], &[Status(201)]),
    at_replicas("replicas-delete-once", "a replica acknowledges the deletion of a deleted object", &[Method("DELETE"), StatusIs(404)], &[Status(200)]),
    at_replicas("replicas-uid-precondition-elsewhere", "a replica ignores the uid of a deletion", &[Method("DELETE")], &[RemoveFromRequest("/preconditions")]),
    at_replicas("replicas-apply-conflict-elsewhere", "a replica overwrites the field of another manager", &[APPLY], &[SetParameter("force", "true")]),
    at_replicas("replicas-apply-race", "an apply through a replica removes the fields of another manager", &[APPLY], &[SetParameter("fieldManager", "m0")]),
    at_replicas("replicas-dry-run-nowhere", "a dry run through a replica reaches the store", &[Present("dryRun")], &[DropParameter("dryRun")]),
    at_replicas("replicas-namespace-at-once", "a replica does not know a new namespace yet", &[Method("POST"), Plural("configmaps")], &[Reject(404, "NotFound", "namespace not found")]),
    at_replicas("replicas-definition-served-everywhere", "a replica reads definitions only when it starts", &[Custom], &[Reject(404, "NotFound", "not found")]),
    at_replicas("replicas-definition-removed-everywhere", "a replica goes on serving a removed type", &[Custom, List, StatusIs(404)], &[Status(200)]),
    at_replicas("replicas-discovery-equal", "a replica serves fewer groups", &[Path("/apis")], &[EditJson(|groups| drop(groups["groups"].as_array_mut().map(|all| all.remove(0))))]),
    at_replicas("replicas-permission-everywhere", "a replica keeps its first decision", &[HeaderHas("impersonate-user", "reader")], &[Reject(403, "Forbidden", "no")]),
    at_replicas("replicas-token-everywhere", "each replica has a signing key of its own", &[Plural("tokenreviews")], &[Set("/status/authenticated", "false")]),
    at_replicas("replicas-addresses-unique", "each replica gives out addresses from a range of its own", &[Method("POST"), Plural("services")], &[Set("/spec/clusterIP", "\"10.0.0.17\"")]),
    at_replicas("replicas-restart-without-loss", "a replica answers from the state before it stopped", GET, &[AsBefore]),
    at_replicas("replicas-linearizable", "a replica answers gets from a cache that lags", &[Method("GET"), Object, Lacks("resourceVersion")], &[AsBefore]),
];

/// The version before that of the object.
fn earlier_version(object: &mut serde_json::Value) {
    let version = object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse::<u64>().ok());
    if let Some(version) = version {
        object["metadata"]["resourceVersion"] = (version - 1).to_string().into();
    }
}
