//! What a run creates on the server: registered before it is created, removed afterwards, and looked for once more.
//!
//! It also works where nobody else ends namespaces: without a namespace controller we empty and finalize our own.

mod cluster_scoped_objects;
mod labels;
mod namespace_controller;
mod rehearsal;
mod without_namespaces;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use model::{Exchange, Request, TestError, retry_after};
use target::Client;
use tokio::sync::OnceCell;
use tokio::time::Instant;

pub use self::labels::{RUN_LABEL, namespace_manifest};
pub(crate) use self::labels::{labels_of, run_of_group, run_of_name};
use self::namespace_controller::{NamespaceController, is_held};

/// How many namespaces are removed at a time.
const AT_A_TIME: usize = 8;

/// How often a request is sent again that was answered with 429.
const TOO_MANY_REQUESTS_AT_MOST: usize = 5;

/// All that a run has created and not yet removed.
#[derive(Debug)]
pub struct Fixtures {
    run: String,
    client: Client,
    limit: Duration,
    state: Mutex<State>,
    controller: OnceCell<NamespaceController>,
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

    /// Registers an object that another run has created; for a namespace with these collections.
    pub(crate) fn adopt(&self, path: &str, collections: &[String]) {
        let mut state = self.state();
        if let Some(name) = path.strip_prefix(NAMESPACES).filter(|name| !name.contains('/')) {
            state.namespaces.insert(name.to_owned(), collections.to_vec());
        } else if path.starts_with(DEFINITIONS) {
            // The server itself takes off the finalizer of a definition, after its objects.
            state.objects.insert(path.to_owned());
        } else {
            state.things.insert(path.to_owned());
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
        let _ = match path.strip_prefix(NAMESPACES) {
            Some(name) if !self.controller().await => {
                self.end_namespace(path, name, &self.collections_in(path)).await
            }
            _ => self.send(Request::delete(path)).await.map(drop),
        };
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
            _ if shown.status() == 404 => {
                let left = self.controller.get() == Some(&NamespaceController::LeavesObjects);
                if !left || self.empty_all_in(path).await {
                    self.forget(path);
                }
            }
            Some(json) if json["metadata"]["deletionTimestamp"].is_string() && !self.ours_to_end(path) => {
                if is_held(json) {
                    self.release_all(path).await;
                }
            }
            _ => self.remove(path).await,
        }
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

/// The path of custom resource definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAMESPACES: &str = "/api/v1/namespaces/";

fn namespace_path(name: &str) -> String {
    format!("{NAMESPACES}{name}")
}
