//! Bugs of creates, updates, patches and deletes.

use bytes::Bytes;
use http::Method as Verb;
use http::request::Parts;
use serde_json::{Value, json};

use super::{bug, wire};
use crate::fault::{Bug, Edit::*, When, When::*, json_body, store};
use crate::faults::field_managers::APPLY;
use crate::faults::patch::{JSON_PATCH, MERGE, PATCH, STRATEGIC};
use crate::faults::rewrite::{self, Sent};
use crate::faults::{apply_requests, metadata};
use crate::store::StoreFault;

const PUT: When = Method("PUT");
const STATUS: When = Subresource("status");
const FIXTURES: When = Any(&[Plural("namespaces"), Plural("customresourcedefinitions")]);
const VERSION: &str = "/metadata/resourceVersion";

#[rustfmt::skip]
pub(super) const BUGS: &[Bug] = &[
    // Preconditions.
    bug(store("controller-runtime-832", "A test server accepted updates with a stale resourceVersion.", StoreFault::IgnoresPreconditions),
        "https://github.com/kubernetes-sigs/controller-runtime/pull/832",
        &["update-put-stale-rv-409", "concurrency-put-stale-resourceversion-409"]),
    wire("controller-runtime-2362", "A status update ignored its resourceVersion.",
        "https://github.com/kubernetes-sigs/controller-runtime/issues/2362",
        &["spec-status-status-write-uses-optimistic-lock"],
        &[PUT, STATUS], &[RemoveFromRequest(VERSION)]),
    wire("kine-874fa16", "An update succeeded with any former resourceVersion of the object.",
        "https://github.com/k3s-io/kine/commit/874fa16ad7de8756dc24976522d6dc6d40d40469",
        &["update-put-stale-rv-409", "update-put-conflict-any-field"],
        &[PUT, Object], &[EditRequest(|parts, body| json_body(parts, body, forget_known_version))]),
    // The resulting object.
    bug(store("controller-runtime-620", "A write kept the resourceVersion.", StoreFault::KeepsVersion),
        "https://github.com/kubernetes-sigs/controller-runtime/pull/620",
        &["rv-identifies-server-version", "patch-bumps-rv"]),
    bug(store("kine-0.17.5", "The response to a recreate of a name had a later resourceVersion of the store.", StoreFault::AnswersRecreateTooLate),
        "https://github.com/k3s-io/kine/blob/v0.17.5/pkg/logstructured/logstructured.go#L99-L114",
        &["rv-answered-on-recreate"]),
    bug(store("fabric8-4216", "A status update kept the resourceVersion and sent no watch event.", StoreFault::KeepsVersionOnStatus),
        "https://github.com/fabric8io/kubernetes-client/pull/4220",
        &["rv-changes-on-change", "concurrency-resourceversion-changes-on-write"]),
    wire("fabric8-4217", "A status patch increased the generation.",
        "https://github.com/fabric8io/kubernetes-client/issues/4217",
        &["metadata-generation-unchanged-by-status"],
        &[PATCH, STATUS], &[EditJson(metadata::increment_generation)]),
    wire("fabric8-3092", "A PUT deleted and recreated the object, with a new uid.",
        "https://github.com/fabric8io/kubernetes-client/pull/3092",
        &["update-put-uid-missing-kept", "metadata-uid-stable", "update-put-creationtimestamp-kept"],
        &[PUT, Object, Not(&FIXTURES)], &[Several(delete_and_create)]),
    wire("kubernetes-77988", "A concurrent delete removed an object despite an acknowledged finalizer.",
        "https://github.com/kubernetes/kubernetes/issues/77988",
        &["deletion-two-phases-finalizers-keep-object", "metadata-deletiontimestamp-set-on-deferred-delete"],
        &[Method("DELETE"), Object, Not(&FIXTURES)], &[Several(release_and_delete)]),
    wire("kubernetes-95460", "A repeated apply changed the object each time.",
        "https://github.com/kubernetes/kubernetes/issues/95460",
        &["apply-requests-noop-same-resource-version", "apply-requests-noop-no-watch-event"],
        &[APPLY], &[apply_requests::TOUCH]),
    wire("mockwebserver-76", "A test server without server-side apply returned 404 to an apply of a missing object.",
        "https://github.com/fabric8io/mockwebserver/issues/76",
        &["apply-requests-creates-when-absent", "patch-apply-creates-absent"],
        &[APPLY], &[SetRequestHeader("content-type", "application/merge-patch+json")]),
    // Errors.
    wire("kubernetes-68202", "The server returned 500 to the failed test of a JSON patch.",
        "https://github.com/kubernetes/kubernetes/issues/68202",
        &["patch-json-test-failure-rejected", "verbs-json-patch-test-failure"],
        &[JSON_PATCH, StatusIs(422)], &[Fail(500, "InternalError", "Testing value failed")]),
    wire("kubernetes-68224", "The server returned 500 to a JSON patch with an invalid path.",
        "https://github.com/kubernetes/kubernetes/issues/68224",
        &["patch-json-missing-path-422", "patch-json-malformed-400"],
        &[JSON_PATCH, Any(&[StatusIs(422), StatusIs(400)])], &[Fail(500, "InternalError", "doc is missing path")]),
    wire("kubernetes-54423", "The server returned 500 to a malformed patch.",
        "https://github.com/kubernetes/kubernetes/issues/54423",
        &["patch-strategic-bad-format-400", "patch-merge-malformed-400"],
        &[Any(&[STRATEGIC, MERGE]), StatusIs(400)], &[Fail(500, "InternalError", "json: cannot unmarshal string")]),
    wire("kubernetes-79210", "The server returned 500 to a patch whose result did not decode.",
        "https://github.com/kubernetes/kubernetes/issues/79210",
        &["fieldval-type-checked-on-patch", "patch-invalid-result-422"],
        &[Any(&[STRATEGIC, MERGE]), Any(&[StatusIs(400), StatusIs(422)])], &[Fail(500, "InternalError", "unrecognized type: string")]),
    wire("kubernetes-68225", "A JSON patch dropped unknown fields silently.",
        "https://github.com/kubernetes/kubernetes/issues/68225",
        &["fieldval-strict-jsonpatch-unknown"],
        &[JSON_PATCH], &[SetParameter("fieldValidation", "Ignore")]),
];

/// Any earlier version passes as the latest.
fn forget_known_version(object: &mut Value) {
    let version =
        object["metadata"]["resourceVersion"].as_str().and_then(|version| version.parse::<u64>().ok());
    if version.is_some_and(|version| version < rewrite::FUTURE_VERSION) {
        rewrite::remove_metadata_field(object, "resourceVersion");
    }
}

fn delete_and_create(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let mut object = rewrite::read(body);
    if object["metadata"]["name"].is_null() {
        return Vec::new();
    }
    for field in ["resourceVersion", "uid", "creationTimestamp"] {
        rewrite::remove_metadata_field(&mut object, field);
    }
    let deletion = rewrite::json_request(parts, Verb::DELETE, parts.uri.path(), &json!({}));
    vec![deletion, rewrite::json_request(parts, Verb::POST, rewrite::collection(parts), &object)]
}

/// An object without finalizers is removed.
fn release_and_delete(parts: &Parts, body: &Bytes) -> Vec<Sent> {
    let release = json!({ "metadata": { "finalizers": null } });
    vec![
        rewrite::json_request(parts, Verb::PATCH, parts.uri.path(), &release),
        rewrite::unchanged(parts, body),
    ]
}
