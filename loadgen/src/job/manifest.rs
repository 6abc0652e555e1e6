//! The objects of a Job of workers.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use harness::RUN_LABEL;
use serde_json::{Value, json};

use crate::workers::{ConfigMaps, Documents};

/// The time after which the cluster removes a finished Job, in seconds.
const REMOVE_AFTER: u64 = 600;

/// The time beside that of the load that the Job may take: for images, the population and the results.
const BESIDE: Duration = Duration::from_hours(2);

/// The user of the image, without any rights.
const USER: u32 = 65_532;

/// The folder with the access to the target, and the file in it.
const FOLDER: &str = "/target";
const FILE: &str = "kubeconfig";

/// The workers of a run, as pods.
#[derive(Debug, Clone)]
pub struct JobSpec {
    /// The name of the Job, and the beginning of all other names.
    pub name: String,
    /// The namespace of all objects.
    pub namespace: String,
    /// The image of the pods: kube-assay is its entry point.
    pub image: String,
    /// The number of workers.
    pub workers: usize,
    /// The duration of all phases of the load together.
    pub length: Duration,
}

impl JobSpec {
    /// The Job. Suspended, it creates no pods.
    pub fn job(&self, is_suspended: bool) -> Value {
        let deadline = (self.length + BESIDE).as_secs();
        let mut spec = json!({
            "completionMode": "Indexed",
            "completions": self.workers,
            "parallelism": self.workers,
            // A worker that starts again would repeat its share.
            "backoffLimitPerIndex": 0,
            "activeDeadlineSeconds": deadline,
            "ttlSecondsAfterFinished": REMOVE_AFTER,
            "template": { "metadata": { "labels": self.labels() }, "spec": self.pod() },
        });
        if is_suspended {
            spec["suspend"] = true.into();
        }
        let metadata = self.metadata();
        json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec })
    }

    /// The service account of the pods, with the right to read the run's documents and to write their own.
    pub fn account(&self) -> [Value; 3] {
        let (group, metadata) = ("rbac.authorization.k8s.io", self.metadata());
        let names = |documents: Vec<String>| -> Vec<String> {
            documents.iter().map(|document| ConfigMaps::name_of(&self.name, document)).collect()
        };
        let rule = |verb: &str, documents| {
            json!({
                "apiGroups": [""], "resources": ["configmaps"], "verbs": [verb],
                "resourceNames": names(documents),
            })
        };
        let own = (0..self.workers).map(Documents::worker).collect();
        [
            json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata }),
            json!({
                "apiVersion": format!("{group}/v1"), "kind": "Role", "metadata": metadata,
                "rules": [
                    rule("get", Documents::of_coordinator(self.workers).collect()),
                    rule("patch", own),
                ],
            }),
            json!({
                "apiVersion": format!("{group}/v1"), "kind": "RoleBinding", "metadata": metadata,
                "roleRef": { "apiGroup": group, "kind": "Role", "name": self.name },
                "subjects": [{ "kind": "ServiceAccount", "name": self.name, "namespace": self.namespace }],
            }),
        ]
    }

    /// The access to the target: the text of a kubeconfig.
    pub fn secret(&self, kubeconfig: &str) -> Value {
        let metadata = self.metadata();
        let data = json!({ FILE: STANDARD.encode(kubeconfig) });
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data })
    }

    fn metadata(&self) -> Value {
        json!({ "name": self.name, "namespace": self.namespace, "labels": self.labels() })
    }

    fn labels(&self) -> Value {
        json!({ "app.kubernetes.io/managed-by": "kube-assay", RUN_LABEL: self.name })
    }

    fn pod(&self) -> Value {
        json!({
            "restartPolicy": "Never",
            "serviceAccountName": self.name,
            "terminationGracePeriodSeconds": 60,
            // Two workers on one machine share its processors and its network.
            "topologySpreadConstraints": [{
                "maxSkew": 1,
                "topologyKey": "kubernetes.io/hostname",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": { "matchLabels": { RUN_LABEL: self.name } },
            }],
            "securityContext": {
                "runAsNonRoot": true, "runAsUser": USER, "runAsGroup": USER, "fsGroup": USER,
                "seccompProfile": { "type": "RuntimeDefault" },
            },
            "containers": [self.container()],
            "volumes": [{ "name": "target", "secret": { "secretName": self.name, "defaultMode": 0o440 } }],
        })
    }

    fn container(&self) -> Value {
        let rendezvous = format!("configmaps:{}/{}", self.namespace, self.name);
        json!({
            "name": "worker",
            "image": self.image,
            // The index comes from the environment of an Indexed Job.
            "args": [
                "load-worker", "--of", self.workers.to_string(), "--rendezvous", rendezvous,
                "--kubeconfig", format!("{FOLDER}/{FILE}"),
            ],
            "resources": {
                "requests": { "cpu": "1", "memory": "256Mi" },
                "limits": { "memory": "1Gi" },
            },
            "securityContext": {
                "allowPrivilegeEscalation": false,
                "readOnlyRootFilesystem": true,
                "capabilities": { "drop": ["ALL"] },
            },
            "volumeMounts": [{ "name": "target", "mountPath": FOLDER, "readOnly": true }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> JobSpec {
        JobSpec {
            name: "kube-assay-k3f9x2".to_owned(),
            namespace: "load".to_owned(),
            image: "kube-assay".to_owned(),
            workers: 3,
            length: Duration::from_mins(1),
        }
    }

    #[test]
    fn a_job_has_one_pod_for_each_worker_and_repeats_none() {
        let job = spec().job(true);
        let spec = &job["spec"];
        assert_eq!((&spec["completions"], &spec["parallelism"]), (&json!(3), &json!(3)));
        assert_eq!((&spec["completionMode"], &spec["suspend"]), (&json!("Indexed"), &json!(true)));
        assert_eq!(
            (&spec["backoffLimitPerIndex"], &spec["activeDeadlineSeconds"]),
            (&json!(0), &json!(7_260))
        );
    }

    #[test]
    fn a_pod_may_read_the_documents_of_its_run_and_write_those_of_workers() {
        let [_, role, _] = spec().account();
        let rules = role["rules"].as_array().unwrap();
        assert!(rules.iter().all(|rule| rule["resources"] == json!(["configmaps"])));
        let names = |rule: &Value| rule["resourceNames"].as_array().unwrap().len();
        assert_eq!(rules.iter().map(names).collect::<Vec<_>>(), [2 + 3, 3]);
        assert_eq!(rules[1]["verbs"], json!(["patch"]));
    }
}
