//! The manifests for clusters, on a real kube-apiserver: it accepts them, and the pods that they make.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Checked, Packaging};
use crate::real::{self, RealServer};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Applies everything to a server that nobody else uses.
pub(super) fn run(workspace: &Workspace, packaging: &Packaging) -> Result<Checked, TaskError> {
    let client = Command::new("kubectl").args(["version", "--client"]).stdout(Stdio::null()).status();
    if !client.is_ok_and(|status| status.success()) {
        return Ok(Checked::Skipped("kubectl is not installed".into()));
    }
    let Some(server) = real::throwaway(workspace, "packaging")? else {
        return Ok(Checked::Skipped("KUBEBUILDER_ASSETS has no kube-apiserver and etcd".into()));
    };
    let read = |name: &str| {
        let path = packaging.sample.join(name);
        fs::read_to_string(&path).map_err(TaskError::failed_to(format!("read {}", path.display())))
    };
    kubectl(&server, &["apply", "--validate=strict", "-f", "-"], &read("in-cluster.yaml")?)?;
    let load = manifest_of_load(workspace)?;
    kubectl(&server, &["apply", "--dry-run=server", "--validate=strict", "-f", "-"], &load)?;
    kubectl(&server, &["apply", "--validate=strict", "-f", "-"], &load)?;
    let jobs = ["kube-assay", "kube-assay-watch-fanout"].map(|name| {
        let job = kubectl(&server, &["get", "job", name, "-n", "kube-assay", "-o", "json"], "")?;
        serde_json::from_str(&job).map_err(TaskError::failed_to("read the Job")).map(|job| pod_of_job(&job))
    });
    let pods = jobs.into_iter().collect::<Result<Vec<_>, _>>()?;
    for pod in pods.into_iter().chain([pod_of_plugin(&read("sonobuoy.yaml")?)?]) {
        // The namespace enforces the restricted Pod Security Standard; Sonobuoy's own does not.
        let namespace = if pod["metadata"]["name"] == "sonobuoy" { "default" } else { "kube-assay" };
        let flags = ["create", "--dry-run=server", "--validate=strict", "-n", namespace, "-f", "-"];
        kubectl(&server, &flags, &pod.to_string())?;
    }
    Ok(Checked::Passed)
}

/// The Job of the workers of a load run, in the namespace that enforces restricted pods.
fn manifest_of_load(workspace: &Workspace) -> Result<String, TaskError> {
    let mut command = Command::new(workspace.binary("kube-assay"));
    command.args([
        "load",
        "watch-fanout",
        "--workers",
        "20",
        "--job-manifest",
        "--job-namespace",
        "kube-assay",
    ]);
    let output = command.output().map_err(TaskError::failed_to("run kube-assay"))?;
    let refused =
        || TaskError::new("kube-assay prints no manifest of a load run: run `cargo ci build` first");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text).ok_or_else(refused)
}

/// The pod that the Job controller would create.
fn pod_of_job(job: &Value) -> Value {
    pod("job", &job["spec"]["template"]["spec"])
}

/// The pod that Sonobuoy would create: the container of the plugin, with a volume for its results.
fn pod_of_plugin(plugin: &str) -> Result<Value, TaskError> {
    let plugin: Value =
        serde_saphyr::from_str(plugin).map_err(TaskError::failed_to("parse the plugin of Sonobuoy"))?;
    let volumes = [json!({"name": "results", "emptyDir": {}})];
    Ok(pod("sonobuoy", &json!({"containers": [plugin["spec"]], "volumes": volumes})))
}

fn pod(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec})
}

/// Runs kubectl against the server with an input, and returns its output.
fn kubectl(server: &RealServer, arguments: &[&str], input: &str) -> Result<String, TaskError> {
    let mut command = Command::new("kubectl");
    command.arg("--kubeconfig").arg(&server.kubeconfig).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(TaskError::failed_to("run kubectl"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(TaskError::failed_to("write to kubectl"))?;
    }
    let output = child.wait_with_output().map_err(TaskError::failed_to("wait for kubectl"))?;
    let refused = || TaskError::new(format!("kubectl {} failed", arguments.join(" ")));
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()).ok_or_else(refused)
}
