//! `load --job`: the life of the Job and its objects, with a test in the place of the Job controller.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::load::run;
use crate::support::program::Running;
use crate::support::{Program, Reference, kube_assay, until};

const JOBS: &str = "/apis/batch/v1/namespaces/default/jobs";

/// All that a run may leave in the cluster of its Job.
const KINDS: [&str; 6] = [
    JOBS,
    "/api/v1/namespaces/default/configmaps",
    "/api/v1/namespaces/default/secrets",
    "/api/v1/namespaces/default/serviceaccounts",
    "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
];

fn left_in(cluster: &Reference) -> Vec<String> {
    KINDS.iter().flat_map(|path| cluster.ours(path)).collect()
}

/// A kubeconfig of a reference, as JSON.
fn kubeconfig(reference: &Reference) -> String {
    let named = |kind: &str, content: Value| json!([{ "name": "x", kind: content }]);
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "x",
        "clusters": named("cluster", json!({ "server": reference.url() })),
        "users": named("user", json!({ "token": reference.token() })),
        "contexts": named("context", json!({ "cluster": "x", "user": "x" })),
    })
    .to_string()
}

/// A run with a Job in one cluster, on another one.
struct JobRun {
    target: Reference,
    cluster: Reference,
    coordinator: Running,
}

impl JobRun {
    fn start(flags: &[&str]) -> Self {
        let (target, cluster) = (Reference::right(), Reference::right());
        let program =
            kube_assay(&["load", "crud-mix", "--workers", "2", "--job", "--http2", "--objects", "20"])
                .with(&["--server", &target.url(), "--token", target.token()])
                .with(flags);
        let file = program.file("cluster.json", &kubeconfig(&cluster));
        let coordinator = program.with(&["--job-kubeconfig", &file]).start();
        Self { target, cluster, coordinator }
    }

    /// Waits for the Job, and starts its pods as the Job controller does.
    fn start_pods(&self) -> Vec<Running> {
        until(|| !self.cluster.names(JOBS).is_empty());
        let name = self.cluster.names(JOBS).remove(0);
        until(|| self.cluster.get(&format!("{JOBS}/{name}"))["spec"]["suspend"] != true);
        let job = self.cluster.get(&format!("{JOBS}/{name}"));
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        let arguments: Vec<&str> =
            container["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let secret = self.cluster.get(&format!("/api/v1/namespaces/default/secrets/{name}"));
        let target = STANDARD.decode(secret["data"]["kubeconfig"].as_str().unwrap()).unwrap();
        let pod = |index: usize| pod(index, &arguments, std::str::from_utf8(&target).unwrap(), &self.cluster);
        (0..job["spec"]["completions"].as_u64().unwrap())
            .map(|index| pod(usize::try_from(index).unwrap()).start())
            .collect()
    }
}

/// The container of a pod; files replace what a cluster mounts.
fn pod(index: usize, arguments: &[&str], target: &str, cluster: &Reference) -> Program {
    let program = kube_assay(&[]).env("JOB_COMPLETION_INDEX", index.to_string());
    let (target, cluster) =
        (program.file("target.json", target), program.file("cluster.json", &kubeconfig(cluster)));
    let words: Vec<&str> =
        arguments.iter().map(|word| if *word == "/target/kubeconfig" { &*target } else { word }).collect();
    program.with(&words).with(&["--job-kubeconfig", &cluster])
}

#[test]
fn a_job_performs_the_load_and_nothing_is_left_in_either_cluster() {
    let job_run = JobRun::start(&["--rate", "40", "--duration", "2s"]);
    let pods: Vec<_> = job_run.start_pods().into_iter().map(Running::end).collect();
    for pod in &pods {
        assert_eq!(pod.code, Some(0), "{}", pod.err);
    }
    let run = run(&job_run.coordinator.end().ended_with(0));
    assert_eq!(run["starts"]["planned"], 80, "{run}");
    assert_eq!(run["workers"].as_array().unwrap().len(), 2);
    assert_eq!(left_in(&job_run.cluster), [""; 0]);
    assert_eq!(job_run.target.left_behind(), [""; 0]);
}

#[test]
fn all_objects_belong_to_the_job() {
    let job_run = JobRun::start(&["--ready-timeout", "4s"]);
    until(|| !job_run.cluster.names(JOBS).is_empty());
    let name = job_run.cluster.names(JOBS).remove(0);
    let document = format!("/api/v1/namespaces/default/configmaps/{name}-writes-1");
    until(|| job_run.cluster.get(&document)["kind"] == "ConfigMap");
    for path in &KINDS[1..] {
        for object in job_run.cluster.ours(path) {
            let owner =
                job_run.cluster.get(&format!("{path}/{object}"))["metadata"]["ownerReferences"][0].clone();
            assert_eq!((&owner["kind"], &owner["name"]), (&json!("Job"), &json!(name)), "{path}/{object}");
        }
    }
    let ended = job_run.coordinator.end().ended_with(3);
    assert_eq!(run(&ended)["partial"], "workers 0 and 1 never joined within 4 s");
    assert_eq!(left_in(&job_run.cluster), [""; 0]);
    assert_eq!(job_run.target.left_behind(), [""; 0]);
}

#[test]
fn a_secret_is_in_no_output_and_a_manifest_has_none() {
    let ended = kube_assay(&["load", "crud-mix", "--workers", "3", "--job-manifest", "--server", "http://h"])
        .with(&[
            "--token",
            "secret-of-mine",
            "--image",
            "example.com/kube-assay:1",
            "--job-namespace",
            "load",
        ])
        .end()
        .ended_with(0);
    assert!(!ended.out.contains("secret-of-mine"), "{}", ended.out);
    insta::assert_snapshot!(ended.out);
}
