//! `--subject`: generic scenarios run on that type, and on no other.

use crate::support::http::Message;
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

const LEASE: &str = "apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: mine
spec:
  holderIdentity: $VALUE
  leaseDurationSeconds: 15
";

/// A run against a reference, with the subject and the template given.
fn about(reference: &Reference, subject: &str, template: &str) -> Program {
    about_at(&reference.url(), reference, subject, template)
}

fn about_at(url: &str, reference: &Reference, subject: &str, template: &str) -> Program {
    let target = ["--server", url, "--token", reference.token(), "--subject", subject];
    let program = kube_assay(&["run"]).with(&target);
    let file = program.file("template.yaml", template);
    program.with(&["--template", &file])
}

#[test]
fn generic_scenarios_run_on_the_named_type() {
    let reference = Reference::right();
    let clauses = ["--clause", "rv-list-nomatch-nolimit-unset", "--clause", "watch-event-shape"];
    let ended = about(&reference, "coordination.k8s.io/v1/leases", LEASE).with(&clauses).end().ended_with(0);
    let junit = ended.report("junit.xml");
    assert!(junit.contains("rv-list-nomatch-nolimit-unset/leases.coordination.k8s.io"), "{junit}");
    assert!(junit.contains("watch-event-shape/leases.coordination.k8s.io"), "{junit}");
    assert!(!junit.contains("/custom-resource"), "{junit}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_scenario_on_the_subject_runs_by_its_id() {
    let reference = Reference::right();
    let scenario = "rv-list-nomatch-nolimit-unset/leases.coordination.k8s.io";
    let ended = about(&reference, "coordination.k8s.io/v1/leases", LEASE).with(&["--clause", scenario]).end();
    assert!(ended.ended_with(0).report("junit.xml").contains(scenario));
}

#[test]
fn clauses_about_types_of_their_own_are_left_out() {
    let reference = Reference::right();
    let ended = about(&reference, "coordination.k8s.io/v1/leases", LEASE).with(&["--area", "health"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_type_that_the_server_does_not_serve_is_an_error() {
    let reference = Reference::right();
    let ended = about(&reference, "coordination.k8s.io/v1/widgets", LEASE).end();
    insta::assert_snapshot!(ended.error());
}

/// Scenarios give their objects labels of their own beside it.
#[test]
fn the_value_may_stand_in_a_label() {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {own: $VALUE}}\ndata: {kept: x}\n";
    let reference = Reference::right();
    let areas = ["watch", "resource-version", "streams", "history", "update", "verbs"];
    let areas = areas.map(|area| ["--area", area]).concat();
    let ended = about(&reference, "v1/configmaps", template).with(&areas).end().ended_with(0);
    let summary = ended.report("summary.json");
    for verdict in ["failed", "warning", "not_supported", "inconclusive"] {
        assert!(!summary.contains(&format!("\"verdict\": \"{verdict}\"")), "{summary}");
    }
}

/// A server that is so wrong that it stores an object under another name than was sent.
#[test]
fn an_object_of_another_name_is_found_by_its_label() {
    const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    let reference = Reference::right();
    let long = format!("{}\"", "x".repeat(64));
    let proxy = Proxy::before(&reference, move |request| {
        let body = String::from_utf8_lossy(&request.body);
        if request.target() != ("POST", ROLES) || !body.contains(&long) {
            return Reply::Pass;
        }
        // As long as before, so that the length of the body stays true.
        let body = body.replace(&long, &format!("{} ", &long[1..]));
        let body = body.replace("\"name\":\"assay-", "\"name\":\"other-").into_bytes();
        Reply::Instead(Message { body, ..request.clone() })
    });
    let template = "kind: ClusterRole\nrules: []\n";
    let subject = "rbac.authorization.k8s.io/v1/clusterroles";
    let run = about_at(&proxy.url(), &reference, subject, template);
    let ended = run.with(&["--clause", "validation-string-length-checked"]).end();
    let summary = ended.report("summary.json");
    assert!(summary.contains("\"verdict\": \"warning\""), "{summary}");
    assert_eq!(reference.ours(ROLES), [""; 0]);
}

#[test]
fn a_subject_that_cannot_be_used_is_wrong_usage() {
    let mut errors = Vec::new();
    let reference = Reference::right();
    kube_assay(&["run", "--subject", "apps/v1/deployments"]).end().ended_with(2);
    kube_assay(&["run", "--subject", "deployments", "--template", "x"]).end().ended_with(2);
    let missing = ["--subject", "apps/v1/deployments", "--template", "nowhere.yaml"];
    errors.push(kube_assay(&["run"]).with(&missing).end().error());
    let of = |template: &str| about(&reference, "coordination.k8s.io/v1/leases", template).end();
    errors.push(of("just a text").error());
    errors.push(of("spec: {a: $VALUE, b: $VALUE}").error());
    errors.push(of("spec: [").error());
    let mine = "metadata: {}\nspec: {holderIdentity: $VALUE}\n";
    errors.push(of(&format!("apiVersion: v1\nkind: Lease\n{mine}")).error());
    errors.push(of(&format!("apiVersion: coordination.k8s.io/v1\nkind: Secret\n{mine}")).error());
    insta::assert_snapshot!(errors.join("\n"));
}
