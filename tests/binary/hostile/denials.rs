//! Policies of others that deny what a run needs before it can ask anything.

use serde_json::json;

use crate::load;
use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay};

/// A proxy that denies each creation in some collections, as the policy `ask-first` would.
fn denying(reference: &Reference, collections: &'static str) -> Proxy {
    Proxy::before(reference, move |request| {
        let (method, path) = request.target();
        if method != "POST" || !path.ends_with(collections) {
            return Reply::Pass;
        }
        let why = "it is forbidden: ValidatingAdmissionPolicy 'ask-first' with binding 'all' denied request: no label";
        let denied = json!({
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422,
            "message": why,
        });
        Reply::Bytes(response("422 Unprocessable Entity", "application/json", &denied.to_string()))
    })
}

#[test]
fn a_policy_that_denies_the_first_namespace_can_exempt_it() {
    let reference = Reference::right();
    let proxy = denying(&reference, "/api/v1/namespaces");
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--clause", "update-put-overwrites"]).end();
    let hint = "can exempt namespaces with the label kube-assay/run; --read-only needs none";
    assert!(ended.err.contains("denied request: no label") && ended.err.contains(hint), "{}", ended.err);
}

#[test]
fn a_policy_that_denies_what_a_load_creates_can_exempt_it() {
    for collections in ["/api/v1/namespaces", "/configmaps"] {
        let reference = Reference::right();
        let proxy = denying(&reference, collections);
        let error = load::facing("crud-mix", &proxy.url(), &reference).end().error();
        let hint = "; hint: the owner of the policy can exempt namespaces with the label kube-assay/run";
        assert!(error.contains("denied request: no label") && error.ends_with(hint), "{error}");
    }
}

#[test]
fn a_policy_that_denies_definitions_is_the_cause_of_test_errors() {
    let reference = Reference::right();
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": "ask-first" },
        "spec": {
            "matchConstraints": { "resourceRules": [{
                "apiGroups": ["apiextensions.k8s.io"], "apiVersions": ["v1"], "operations": ["CREATE"],
                "resources": ["customresourcedefinitions"],
            }] },
            "validations": [{ "expression": "false" }],
        },
    });
    reference.create("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", &policy);
    let proxy = denying(&reference, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = run.with(&["--clause", "single-deletecollection-respects-finalizers"]).end().ended_with(3);
    assert!(ended.out.contains("inconclusive: test errors in"), "{}", ended.out);
    let cause = "the ValidatingAdmissionPolicy ask-first denies a request of the run";
    let events = ended.report("events.jsonl");
    assert!(
        events.contains(cause) && events.contains("exempt namespaces and objects with the label"),
        "{events}"
    );
    assert_eq!(reference.left_behind(), [""; 0]);
}
