//! What a run creates on the server: registered before it is created, removed afterwards, and looked for once more.
//!
//! It also works where nobody else ends namespaces: without a namespace controller we empty and finalize our own.

mod cluster_scoped_objects;
mod without_namespaces;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use model::{Exchange, Request, TestError, retry_after};
use serde_json::{Value, json};
use target::Client;
use tokio::sync::OnceCell;
use tokio::time::Instant;

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
pub struct Fixtures {
    run: String,
    client: Client,
    limit: Duration,
    state: Mutex<State>,
    controller: OnceCell<bool>,
    /// Whether the server has no namespaces, so that any name may stand in a path.
    made_up: bool,
}

#[derive(Debug, Default)]
struct State {
    created: usize,
    /// Namespaces, each with the paths of the collections used in it.
    namespaces: BTreeMap<String, Vec<String>>,
    /// Paths of what stands outside of namespaces, and is the run's.
    objects: BTreeSet<String>,
    /// Paths of what stands outside of namespaces, and is a scenario's.
    things: BTreeSet<String>,
    /// Paths of collections that hold objects of others, and whether ours are among them.
    shared: BTreeMap<String, bool>,
}

impl Fixtures {
    /// What was deleted may take `limit` to be gone.
    pub fn new(run: &str, client: Client, limit: Duration) -> Self {
        let (state, controller) = (Mutex::default(), OnceCell::new());
        Self { run: run.to_owned(), client, limit, state, controller, made_up: false }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many objects were registered.
    pub(crate) fn created(&self) -> usize {
        self.state().created
    }

    /// Registers a namespace of a name that no other scenario and no other run uses.
    pub fn register_namespace(&self, scenario: usize) -> String {
        let mut state = self.state();
        let name = format!("{}{}", self.names_of(scenario), state.created);
        state.created += 1;
        state.namespaces.insert(name.clone(), Vec::new());
        name
    }

    /// Registers a namespace whose name begins with that of another.
    pub fn register_namespace_after(&self, namespace: &str) -> String {
        let name = format!("{namespace}x");
        self.state().namespaces.insert(name.clone(), Vec::new());
        name
    }

    /// One that was registered and not created: somebody else's of that name is not ours to remove.
    pub fn forget_namespace(&self, name: &str) {
        self.state().namespaces.remove(name);
    }

    /// Registers a collection that objects of a namespace are created in.
    pub fn register_collection(&self, namespace: &str, path: &str) {
        let mut state = self.state();
        if self.made_up {
            // Nobody else removes what a scenario puts into a namespace that it did not register.
            state.namespaces.entry(namespace.to_owned()).or_default();
        }
        if let Some(paths) = state.namespaces.get_mut(namespace)
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }

    pub(crate) fn register_object(&self, path: &str) {
        let mut state = self.state();
        state.created += 1;
        state.objects.insert(path.to_owned());
    }

    /// Sends a request, and again if the server is too busy.
    pub async fn send(&self, request: Request) -> Result<Exchange, TestError> {
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

    /// Creates a namespace to see that we may; it will also show who ends namespaces here.
    pub async fn rehearse(&self) -> Result<(), TestError> {
        let name = self.register_namespace(0);
        let body = namespace_manifest(&name, &self.run, "rehearsal");
        let answered = self.send(Request::post("/api/v1/namespaces", &body)).await;
        let refused = match answered {
            Ok(created) if created.succeeded() => return Ok(()),
            Ok(created) if (400..500).contains(&created.status()) => {
                self.forget_namespace(&name);
                return Err(self.refused(&name, &created));
            }
            Ok(created) => self.refused(&name, &created),
            Err(test_error) => test_error,
        };
        // That we were not told so does not mean that it was not created.
        match self.sweep().await.as_slice() {
            [] => Err(refused),
            left => {
                let advice = format!("look whether it was created all the same: {}", left.join(", "));
                Err(refused.hint(advice))
            }
        }
    }

    fn refused(&self, name: &str, response: &Exchange) -> TestError {
        let attempted = format!("create the namespace {name} on {}", self.client.address());
        let test_error = TestError::new(attempted, self.client.redactor().redact(&response.brief()));
        match response.status() {
            401 | 403 => test_error.hint(
                "use credentials that may create namespaces and what goes into them, or give --read-only",
            ),
            _ => test_error.hint("a run needs namespaces of its own: give --read-only to do without"),
        }
    }

    /// The namespace of the rehearsal.
    pub(crate) fn namespace_of_rehearsal(&self) -> String {
        format!("{}0", self.names_of(0))
    }

    /// Whether somebody else ends namespaces; found out once, with the namespace of the rehearsal.
    pub(crate) async fn controller(&self) -> bool {
        !self.made_up && *self.controller.get_or_init(|| self.find_controller()).await
    }

    async fn find_controller(&self) -> bool {
        let path = namespace_path(&self.namespace_of_rehearsal());
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
                Ok(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(_) => return false,
            }
        }
        false
    }

    /// Begins to remove the namespaces of one scenario; leaves it to the sweep while it is not known how.
    pub(crate) async fn remove_of(&self, scenario: usize) {
        self.remove_things_of(scenario).await;
        if self.made_up {
            return self.empty_namespaces_of(scenario).await;
        }
        if !self.controller.initialized() {
            return;
        }
        let prefix = self.names_of(scenario);
        let names: Vec<String> =
            self.state().namespaces.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
        for name in names {
            self.remove(&namespace_path(&name)).await;
        }
    }

    /// Begins to remove what stands at a path; whether it worked is seen when it is looked for.
    async fn remove(&self, path: &str) {
        let namespace = path.strip_prefix(NAMESPACES);
        let collections =
            namespace.map(|name| self.state().namespaces.get(name).cloned().unwrap_or_default());
        let _ = match (namespace, collections) {
            (Some(name), Some(collections)) if !self.controller().await => {
                self.end_namespace(path, name, &collections).await
            }
            _ => self.send(Request::delete(path)).await.map(drop),
        };
    }

    /// Does what a namespace controller would do, for what we put there.
    async fn end_namespace(&self, path: &str, name: &str, collections: &[String]) -> Result<(), TestError> {
        // First of all: nothing can be created any more in a namespace that is ending.
        self.send(Request::delete(path)).await?;
        for collection in collections {
            self.send(delete_all(collection)).await?;
            self.release(collection).await?;
        }
        let finalized = json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name }, "spec": { "finalizers": [] },
        });
        self.send(Request::put(format!("{path}/finalize"), &finalized)).await.map(drop)
    }

    /// Removes all that is left and returns the paths of what is still there in the end: it goes on for as long as
    /// something goes.
    pub async fn sweep(&self) -> Vec<String> {
        let mut deadline = Instant::now() + self.limit;
        self.find_things().await;
        loop {
            let there = self.paths();
            let before = there.len();
            let each = |path: String| async move { self.see_off(&path).await };
            futures::stream::iter(there).for_each_concurrent(AT_A_TIME, each).await;
            let left = self.paths();
            if left.len() < before {
                deadline = Instant::now() + self.limit;
            }
            if left.is_empty() || Instant::now() >= deadline {
                return left;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The paths of all that is not removed yet.
    pub fn paths(&self) -> Vec<String> {
        let state = self.state();
        let namespaces = self.paths_of_namespaces(&state);
        namespaces.into_iter().chain(state.objects.iter().chain(&state.things).cloned()).collect()
    }

    /// Looks whether something is still there, and removes it unless it is leaving already.
    async fn see_off(&self, path: &str) {
        if self.state().things.contains(path) {
            return self.see_off_thing(path).await;
        }
        if self.is_in_made_up_namespace(path) {
            return self.see_off_collection(path).await;
        }
        let Ok(shown) = self.send(Request::get(path)).await else { return };
        match shown.json() {
            _ if shown.status() == 404 => self.forget(path),
            Some(json) if json["metadata"]["deletionTimestamp"].is_string() && !self.ours_to_end(path) => {
                if is_held(json) {
                    self.release_all(path).await;
                }
            }
            _ => self.remove(path).await,
        }
    }

    /// Lets go of what finalizers hold in a namespace that somebody else is ending.
    async fn release_all(&self, path: &str) {
        let collections = path
            .strip_prefix(NAMESPACES)
            .and_then(|name| self.state().namespaces.get(name).cloned())
            .unwrap_or_default();
        for collection in collections {
            // Whether it worked is seen when it is looked for.
            let _ = self.release(&collection).await;
        }
    }

    /// Whether nobody ends it but us.
    fn ours_to_end(&self, path: &str) -> bool {
        path.starts_with(NAMESPACES) && self.controller.get() == Some(&false)
    }

    fn forget(&self, path: &str) {
        let mut state = self.state();
        if let Some(name) = path.strip_prefix(NAMESPACES) {
            state.namespaces.remove(name);
        }
        // A namespace that a scenario registers by its path is one of these.
        state.objects.remove(path);
    }
}

/// The deletion of all that is in a collection of ours, at once: nobody ends our Pods.
fn delete_all(collection: &str) -> Request {
    let delete = Request::delete(collection);
    if collection.ends_with("/pods") { delete.query("gracePeriodSeconds", 0) } else { delete }
}

/// Whether a namespace that is ending says that finalizers hold what is in it.
fn is_held(namespace: &Value) -> bool {
    let mut conditions = namespace["status"]["conditions"].as_array().into_iter().flatten();
    conditions
        .any(|condition| condition["type"] == "NamespaceFinalizersRemaining" && condition["status"] == "True")
}

const NAMESPACES: &str = "/api/v1/namespaces/";

fn namespace_path(name: &str) -> String {
    format!("{NAMESPACES}{name}")
}

/// The labels of all that a run creates outside of its namespaces, and of these.
pub(crate) fn labels_of(run: &str) -> Value {
    json!({ "app.kubernetes.io/managed-by": "kube-assay", RUN_LABEL: run })
}

/// A namespace of ours.
pub fn namespace_manifest(name: &str, run: &str, scenario: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": name,
            "labels": labels_of(run),
            "annotations": { "kube-assay/scenario": scenario },
        },
    })
}
