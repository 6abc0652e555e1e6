//! Servers that have one group and nothing else: no `/api`, no `/apis`, no namespaces.

use crate::support::http::Message;
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";

pub(crate) const DEPLOYMENT: &str = "apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 0
  selector: {matchLabels: {app: kube-assay}}
  template:
    metadata: {labels: {app: kube-assay}, annotations: {value: $VALUE}}
    spec: {containers: [{name: none, image: kube-assay.dev/none}]}
status:
  conditions: [{type: Assayed, status: 'True', message: $VALUE}]
";

fn run(reference: &Reference) -> Program {
    kube_assay(&["run", "--server", &reference.url(), "--token", reference.token()])
}

fn about(reference: &Reference, subject: &str) -> Program {
    let program = run(reference).with(&["--subject", subject]);
    let file = program.file("template.yaml", DEPLOYMENT);
    program.with(&["--template", &file])
}

#[test]
fn a_type_on_a_server_without_namespaces_is_tested() {
    let reference = Reference::stand_alone();
    let areas = ["update", "dry-run", "pagination", "spec-status", "deletion"];
    let areas = areas.map(|area| ["--area", area]).concat();
    let ended = about(&reference, "apps/v1/deployments").with(&areas).end().ended_with(0);
    let summary = ended.report("summary.json");
    for verdict in ["failed", "warning", "not_supported", "inconclusive"] {
        assert!(!summary.contains(&format!("\"verdict\": \"{verdict}\"")), "{summary}");
    }
    assert!(ended.report("junit.xml").contains("update-put-stale-rv-409/deployments.apps"));
    assert_eq!(reference.ours(DEPLOYMENTS), [""; 0]);
}

#[test]
fn what_needs_a_namespace_is_left_out_with_its_reason() {
    let reference = Reference::stand_alone();
    let clauses = ["status-object-notfound-details-kind-may-differ", "rv-list-nomatch-nolimit-unset"];
    let clause = clauses.map(|clause| ["--clause", clause]).concat();
    let ended = about(&reference, "apps/v1/deployments").with(&clause).end().ended_with(0);
    assert!(ended.report("junit.xml").contains("no namespace can be created on this server"));
    assert_eq!(reference.ours(DEPLOYMENTS), [""; 0]);
}

#[test]
fn without_a_subject_an_error_names_the_flag() {
    let reference = Reference::stand_alone();
    insta::assert_snapshot!(run(&reference).end().error());
}

#[test]
fn a_type_of_another_group_is_not_there() {
    let reference = Reference::stand_alone();
    let errors =
        [about(&reference, "batch/v1/jobs").end().error(), about(&reference, "apps/v1/jobs").end().error()];
    insta::assert_snapshot!(errors.join("\n"));
}

/// Such a server would let the run change and remove the objects of others.
#[test]
fn a_server_that_ignores_the_namespace_of_a_path_is_left_alone() {
    let reference = Reference::stand_alone();
    reference.create(
        "/apis/apps/v1/namespaces/default/deployments",
        &serde_json::json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "precious" },
            "spec": {
                "selector": { "matchLabels": { "app": "a" } },
                "template": {
                    "metadata": { "labels": { "app": "a" } },
                    "spec": { "containers": [{ "name": "none", "image": "kube-assay.dev/none" }] },
                },
            },
        }),
    );
    let proxy = Proxy::before(&reference, |request| {
        let (before, rest) = request.first.split_once("/namespaces/").unwrap_or((&request.first, ""));
        let Some((_, behind)) = rest.split_once('/') else { return Reply::Pass };
        Reply::Instead(Message { first: format!("{before}/namespaces/default/{behind}"), ..request.clone() })
    });
    let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let file = program.file("template.yaml", DEPLOYMENT);
    let ended = program.with(&["--subject", "apps/v1/deployments", "--template", &file]).end().ended_with(3);
    assert!(ended.err.contains("the server ignores the namespace of a path"), "{}", ended.err);
    assert_eq!(reference.names(DEPLOYMENTS), ["precious"]);
}
