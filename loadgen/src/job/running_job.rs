//! The life of a Job of workers: created before the load, removed after it.

use std::time::Duration;

use harness::{Client, Exchange, RUN_LABEL, Request, TestError};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::manifest::JobSpec;

/// Timeout for the removal of all objects.
const GONE_WITHIN: Duration = Duration::from_mins(2);

/// The pause between two looks for objects.
const PAUSE: Duration = Duration::from_millis(500);

/// A Job in a cluster.
pub struct RunningJob {
    client: Client,
    spec: JobSpec,
    /// A reference to the Job, for the objects that it owns.
    owner: Value,
    /// The paths of the created objects; the Job is the first.
    paths: Vec<String>,
}

impl RunningJob {
    /// Creates the Job and its objects, with the kubeconfig of the target. After an error it removes what it created.
    pub async fn create(client: Client, spec: JobSpec, kubeconfig: &str) -> Result<Self, TestError> {
        let mut job = Self { client, spec, owner: Value::Null, paths: Vec::new() };
        match job.create_all(kubeconfig).await {
            Ok(()) => Ok(job),
            Err(why) => match job.remove().await.as_slice() {
                [] => Err(why),
                left => {
                    let advice = format!("these were left in the cluster of the Job: {}", left.join(", "));
                    Err(why.hint(advice))
                }
            },
        }
    }

    async fn create_all(&mut self, kubeconfig: &str) -> Result<(), TestError> {
        // Without pods until they have what they mount.
        let job = self.post(self.spec.job(true)).await?;
        self.owner = json!({
            "apiVersion": "batch/v1", "kind": "Job", "name": self.spec.name, "uid": job["metadata"]["uid"],
        });
        let others = self.spec.account().into_iter().chain([self.spec.secret(kubeconfig)]);
        for mut object in others {
            object["metadata"]["ownerReferences"] = json!([self.owner]);
            self.post(object).await?;
        }
        let path = self.paths.first().cloned().unwrap_or_default();
        let resumed = self.send(Request::merge_patch(path, &json!({ "spec": { "suspend": false } }))).await?;
        if resumed.succeeded() { Ok(()) } else { Err(self.refused("start", "Job", &resumed)) }
    }

    /// The reference to the Job, for objects that it owns.
    pub fn owner(&self) -> &Value {
        &self.owner
    }

    /// Removes the Job, its objects and its pods, and returns the paths of those that stay.
    pub async fn remove(&self) -> Vec<String> {
        for path in &self.paths {
            let delete = Request::delete(path).query("propagationPolicy", "Background");
            let _ = self.send(delete).await;
        }
        let pods = format!("/api/v1/namespaces/{}/pods", self.spec.namespace);
        let selector = format!("{RUN_LABEL}={}", self.spec.name);
        let _ = self.send(Request::delete(&pods).query("labelSelector", &selector)).await;
        let until = Instant::now() + GONE_WITHIN;
        loop {
            let mut left = Vec::new();
            for path in &self.paths {
                if self.send(Request::get(path)).await.map_or(true, |shown| shown.status() != 404) {
                    left.push(path.clone());
                }
            }
            left.extend(self.pods(&pods, &selector).await);
            if left.is_empty() || Instant::now() >= until {
                return left;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The paths of the pods that are left.
    async fn pods(&self, path: &str, selector: &str) -> Vec<String> {
        let listed = self.send(Request::get(path).query("labelSelector", selector)).await;
        let Some(listed) = listed.ok().filter(Exchange::succeeded) else {
            return vec![path.to_owned()];
        };
        let items = listed.json().and_then(|list| list["items"].as_array()).into_iter().flatten();
        items.filter_map(|pod| Some(format!("{path}/{}", pod["metadata"]["name"].as_str()?))).collect()
    }

    /// Creates an object, which is removed in any case.
    async fn post(&mut self, object: Value) -> Result<Value, TestError> {
        let kind = object["kind"].as_str().unwrap_or_default().to_owned();
        let collection = self.collection(&object);
        self.paths.push(format!("{collection}/{}", self.spec.name));
        let response = self.send(Request::post(&collection, &object)).await?;
        if response.succeeded() {
            return Ok(response.json().cloned().unwrap_or_default());
        }
        if response.status() == 409 {
            // It belongs to somebody else.
            self.paths.pop();
        }
        Err(self.refused("create", &kind, &response))
    }

    fn collection(&self, object: &Value) -> String {
        let version = object["apiVersion"].as_str().unwrap_or_default();
        let root = if version.contains('/') { "/apis" } else { "/api" };
        let plural = format!("{}s", object["kind"].as_str().unwrap_or_default().to_lowercase());
        format!("{root}/{version}/namespaces/{}/{plural}", self.spec.namespace)
    }

    fn refused(&self, verb: &str, kind: &str, response: &Exchange) -> TestError {
        let why = self.client.redactor().redact(&response.brief());
        let JobSpec { name, namespace, .. } = &self.spec;
        let attempted =
            format!("{verb} the {kind} {name} in the namespace {namespace} of {}", self.client.address());
        let test_error = TestError::new(attempted, why);
        match response.status() {
            403 => {
                test_error.hint(
                    "use credentials that may create and delete Jobs, Secrets, ConfigMaps, ServiceAccounts, Roles and \
                     RoleBindings there, and list and delete pods",
                )
            }
            404 => test_error.hint("create the namespace first, or name another one with --job-namespace"),
            _ => test_error,
        }
    }

    async fn send(&self, request: Request) -> Result<Exchange, TestError> {
        let (exchange, _) = self.client.send_patiently(request, "kube-assay job").await?;
        Ok(exchange)
    }
}
