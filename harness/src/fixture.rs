//! What a run creates on the server: registered before it is created, removed afterwards, and looked for once more.
//!
//! It also works where nobody else ends namespaces: without a namespace controller we empty and finalize our own.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::client::Client;
use crate::context::retry_after;
use crate::exchange::Exchange;
use crate::outcome::Obstacle;
use crate::request::Request;

/// How many namespaces are removed at a time.
const AT_A_TIME: usize = 8;

/// How long a namespace controller may take to begin its work.
const CONTROLLER_WITHIN: Duration = Duration::from_secs(3);

/// How often a request is sent again that was answered with 429.
const TOO_MANY_REQUESTS_AT_MOST: usize = 5;

/// The label that everything of a run carries, so that it can be found and deleted by hand.
pub const RUN_LABEL: &str = "kube-assay/run";

/// All that a run has created and not yet removed.
#[derive(Debug)]
pub(crate) struct Fixtures {
    run: String,
    client: Client,
    limit: Duration,
    state: Mutex<State>,
    controller: OnceCell<bool>,
}

#[derive(Debug, Default)]
struct State {
    created: usize,
    /// Namespaces, each with the paths of the collections used in it.
    namespaces: BTreeMap<String, Vec<String>>,
    /// Paths of what stands outside of namespaces.
    objects: Vec<String>,
    /// Paths whose removal is under way.
    leaving: Vec<String>,
}

impl Fixtures {
    pub(crate) fn new(run: &str, client: Client, limit: Duration) -> Self {
        Self { run: run.to_owned(), client, limit, state: Mutex::default(), controller: OnceCell::new() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many objects were registered.
    pub(crate) fn created(&self) -> usize {
        self.state().created
    }

    /// A namespace name that no other scenario and no other run uses.
    pub(crate) fn name(&self, scenario: usize) -> String {
        let count = self.state().created;
        format!("assay-{}-{scenario}-{count}", self.run)
    }

    pub(crate) fn register_namespace(&self, name: &str) {
        let mut state = self.state();
        state.created += 1;
        state.namespaces.insert(name.to_owned(), Vec::new());
    }

    pub(crate) fn forget_namespace(&self, name: &str) {
        self.state().namespaces.remove(name);
    }

    pub(crate) fn register_collection(&self, namespace: &str, path: &str) {
        if let Some(paths) = self.state().namespaces.get_mut(namespace)
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }

    pub(crate) fn register_object(&self, path: &str) {
        let mut state = self.state();
        state.created += 1;
        state.objects.push(path.to_owned());
    }

    async fn send(&self, request: Request) -> Result<Exchange, Obstacle> {
        let mut attempts = 0;
        loop {
            let (response, timing) = self.client.send(&request, "kube-assay fixtures").await?;
            let exchange = Exchange::new(0, request.clone(), response, timing);
            attempts += 1;
            match retry_after(&exchange) {
                Some(wait) if attempts <= TOO_MANY_REQUESTS_AT_MOST => tokio::time::sleep(wait).await,
                _ => return Ok(exchange),
            }
        }
    }

    /// The namespace that the run begins with.
    fn rehearsal(&self) -> String {
        format!("assay-{}-0-0", self.run)
    }

    /// Creates a namespace to see that we may, and removes it to see who ends namespaces here.
    pub(crate) async fn rehearse(&self) -> Result<(), Obstacle> {
        let name = self.rehearsal();
        self.register_namespace(&name);
        let attempted = format!("create the namespace {name} on {}", self.client.address());
        let created = self
            .send(Request::post("/api/v1/namespaces", &namespace_manifest(&name, &self.run, "rehearsal")))
            .await?;
        match created.status() {
            201 => Ok(()),
            401 | 403 => Err(Obstacle::new(attempted, self.client.redactor().redact(&created.brief()))
                .advise(
                    "use credentials that may create namespaces and what goes into them, or give --read-only",
                )),
            _ => Err(Obstacle::new(attempted, self.client.redactor().redact(&created.brief()))),
        }
    }

    /// Whether somebody else ends namespaces; found out once, with the namespace of the rehearsal.
    pub(crate) async fn controller(&self) -> bool {
        *self.controller.get_or_init(|| self.find_controller()).await
    }

    async fn find_controller(&self) -> bool {
        let path = format!("/api/v1/namespaces/{}", self.rehearsal());
        let deadline = Instant::now() + CONTROLLER_WITHIN;
        if self.send(Request::delete(&path)).await.is_err() {
            return false;
        }
        while Instant::now() < deadline {
            match self.send(Request::get(&path)).await {
                Ok(shown) if shown.status() == 404 => return true,
                Ok(shown) if shown.json().is_some_and(|json| json["status"]["conditions"].is_array()) => {
                    return true;
                }
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        false
    }

    /// Begins to remove the namespaces of one scenario; leaves it to the sweep while it is not known how.
    pub(crate) async fn remove_of(&self, scenario: usize) {
        if !self.controller.initialized() {
            return;
        }
        let prefix = format!("assay-{}-{scenario}-", self.run);
        let names: Vec<String> =
            self.state().namespaces.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
        for name in names {
            self.remove_namespace(&name).await;
        }
    }

    async fn remove_namespace(&self, name: &str) {
        let path = format!("/api/v1/namespaces/{name}");
        let collections = self.state().namespaces.get(name).cloned().unwrap_or_default();
        let removed = if self.controller().await {
            self.send(Request::delete(&path)).await.is_ok_and(|gone| gone.status() < 500)
        } else {
            self.end_namespace(&path, name, &collections).await.is_ok()
        };
        if removed {
            let mut state = self.state();
            state.namespaces.remove(name);
            state.leaving.push(path);
        }
    }

    /// Does what a namespace controller would do, for what we put there.
    async fn end_namespace(&self, path: &str, name: &str, collections: &[String]) -> Result<(), Obstacle> {
        for collection in collections {
            self.send(Request::delete(collection)).await?;
            let left = self.send(Request::get(collection)).await?;
            for item in left.json().and_then(|json| json["items"].as_array()).into_iter().flatten() {
                let item = format!("{collection}/{}", item["metadata"]["name"].as_str().unwrap_or_default());
                self.send(Request::merge_patch(item, &json!({ "metadata": { "finalizers": null } }))).await?;
            }
        }
        self.send(Request::delete(path)).await?;
        let finalized = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name }, "spec": { "finalizers": [] },
        });
        self.send(Request::put(format!("{path}/finalize"), &finalized)).await.map(drop)
    }

    /// Removes all that is left and returns the paths of what is still there in the end.
    pub(crate) async fn sweep(&self) -> Vec<String> {
        let names: Vec<String> = self.state().namespaces.keys().cloned().collect();
        futures::stream::iter(names)
            .for_each_concurrent(AT_A_TIME, |name| async move { self.remove_namespace(&name).await })
            .await;
        let objects = std::mem::take(&mut self.state().objects);
        for object in objects {
            let removed = self.send(Request::delete(&object)).await.is_ok();
            let mut state = self.state();
            if removed { state.leaving.push(object) } else { state.objects.push(object) }
        }
        self.look_again().await
    }

    async fn look_again(&self) -> Vec<String> {
        let deadline = Instant::now() + self.limit;
        let mut left = std::mem::take(&mut self.state().leaving);
        loop {
            left = futures::stream::iter(left)
                .map(|path| async move { (!self.gone(&path).await).then_some(path) })
                .buffer_unordered(AT_A_TIME)
                .filter_map(std::future::ready)
                .collect()
                .await;
            if left.is_empty() || Instant::now() >= deadline {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let state = self.state();
        left.extend(state.namespaces.keys().map(|name| format!("/api/v1/namespaces/{name}")));
        left.extend(state.objects.iter().cloned());
        left.sort();
        left
    }

    async fn gone(&self, path: &str) -> bool {
        self.send(Request::get(path)).await.is_ok_and(|shown| shown.status() == 404)
    }
}

/// A namespace of ours.
pub(crate) fn namespace_manifest(name: &str, run: &str, scenario: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": name,
            "labels": { "app.kubernetes.io/managed-by": "kube-assay", RUN_LABEL: run },
            "annotations": { "kube-assay/scenario": scenario },
        },
    })
}
