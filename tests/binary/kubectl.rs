//! kubectl, where it is installed: it applies on the reference as on a real server.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::Reference;

/// How a call of kubectl ended.
struct Ended {
    succeeded: bool,
    out: String,
    err: String,
}

/// kubectl, for one server, with a folder of its own for its cache.
struct Kubectl {
    server: Reference,
    home: TempDir,
}

impl Kubectl {
    /// `None`, with a message, without kubectl.
    #[expect(clippy::print_stdout, reason = "a test that cannot run prints the reason")]
    fn find() -> Option<Self> {
        let known = Command::new("kubectl").args(["version", "--client"]).output();
        if known.is_ok_and(|response| response.status.success()) {
            return Some(Self { server: Reference::open(), home: TempDir::new().unwrap() });
        }
        println!("SKIPPED: kubectl is not installed, so nothing was applied with it");
        None
    }

    fn call(&self, arguments: &[&str], input: &Value) -> Ended {
        let mut command = Command::new("kubectl");
        command.args(["--server", &self.server.url()]).args(arguments).env("HOME", self.home.path());
        command.env_remove("KUBECONFIG").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ended { succeeded: ended.status.success(), out: text(ended.stdout), err: text(ended.stderr) }
    }

    /// Applies an object on the server's side.
    fn apply(&self, flags: &[&str], object: &Value) -> Ended {
        self.call(&[&["apply", "--server-side", "-f", "-"], flags].concat(), object)
    }

    fn read(&self, what: &str, name: &str) -> Value {
        let shown = self.call(&["get", what, name, "-o", "json", "--show-managed-fields"], &Value::Null);
        serde_json::from_str(&shown.out).unwrap_or_else(|_| panic!("{}", shown.err))
    }
}

impl Ended {
    fn good(self, stdout: &str) {
        assert!(self.succeeded, "{}", self.err);
        assert_eq!(self.out.trim_end(), stdout);
    }

    fn in_conflict(self, with: &str) {
        assert!(!self.succeeded, "{}", self.out);
        let first = self.err.lines().next().unwrap_or_default();
        assert_eq!(first, format!("error: Apply failed with 1 conflict: conflict with {with}"));
        assert!(self.err.contains("--force-conflicts"), "{}", self.err);
    }
}

/// Names and ways of writing, by name.
fn managers(object: &Value) -> BTreeSet<[&str; 2]> {
    let entries = object["metadata"]["managedFields"].as_array().unwrap();
    entries.iter().map(|entry| ["manager", "operation"].map(|field| entry[field].as_str().unwrap())).collect()
}

#[test]
fn two_managers_of_a_field_are_in_conflict_until_one_is_forced() {
    let Some(kubectl) = Kubectl::find() else { return };
    let of = |value: &str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": { "k": value } });
    let other = "--field-manager=other";

    kubectl.apply(&[], &of("v")).good("configmap/a serverside-applied");
    kubectl.apply(&[], &of("v")).good("configmap/a serverside-applied");
    kubectl.apply(&[other], &of("w")).in_conflict("\"kubectl\": .data.k");
    assert_eq!(kubectl.read("configmap", "a")["data"]["k"], "v");

    kubectl.apply(&[other, "--force-conflicts"], &of("w")).good("configmap/a serverside-applied");
    kubectl.apply(&[], &of("v")).in_conflict("\"other\": .data.k");

    let forced = kubectl.read("configmap", "a");
    assert_eq!(forced["data"]["k"], "w");
    assert_eq!(managers(&forced), [["other", "Apply"]].into());
}

#[test]
fn a_field_applied_alike_is_shared_and_a_deployment_is_scaled_beside_it() {
    let Some(kubectl) = Kubectl::find() else { return };
    let labels = json!({ "app": "a" });
    let container = json!({ "name": "c", "image": "kube-assay.dev/none" });
    let template = json!({ "metadata": { "labels": labels }, "spec": { "containers": [container] } });
    let spec = json!({ "replicas": 1, "selector": { "matchLabels": labels }, "template": template });
    let deployment =
        json!({ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "a" }, "spec": spec });
    let stdout = "deployment.apps/a serverside-applied";

    kubectl.apply(&[], &deployment).good(stdout);
    kubectl.apply(&["--field-manager=other"], &deployment).good(stdout);
    let shared = kubectl.read("deployment", "a");
    assert_eq!(managers(&shared), [["kubectl", "Apply"], ["other", "Apply"]].into());

    let scaled = kubectl.call(&["scale", "deployment", "a", "--replicas=3"], &Value::Null);
    scaled.good("deployment.apps/a scaled");
    let refused = kubectl.apply(&[], &deployment);
    refused.in_conflict("\"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas");
    assert_eq!(kubectl.read("deployment", "a")["spec"]["replicas"], 3);
}
