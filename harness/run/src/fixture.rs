//! The objects of a run: registered before their creation, removed afterwards, and searched for once more.
//!
//! On a server without a namespace controller kube-assay empties and finalizes its own namespaces.

mod absences;
mod cluster_scoped_objects;
mod deadline;
mod definitions;
mod emptying;
mod forbidden_deletions;
mod kept_objects;
mod labels;
mod literal_path;
mod misplaced_objects;
mod namespace_controller;
mod others_objects;
mod pages;
mod refusals;
mod rehearsal;
mod remaining_objects;
mod silence;
mod still_there;
mod sweep;
mod unreadable_objects;
mod without_namespaces;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use model::{Exchange, Request, TestError};
use target::{Client, Instant};
use tokio::sync::OnceCell;

use self::absences::Absences;
pub use self::labels::{RUN_LABEL, namespace_manifest};
pub(crate) use self::labels::{
    is_foreign, is_of_run, labels_of, run_of_definition, run_of_group, run_of_name,
};
pub(crate) use self::literal_path::{is_literal, path_of};
use self::namespace_controller::{NamespaceController, is_held};
pub(crate) use self::pages::{METADATA, not_listed};
use self::refusals::{Refusals, WriteCounts};
pub use self::still_there::StillThere;
use crate::slowdown::Slowdown;

/// The objects that a run has created and not yet removed.
#[derive(Debug)]
pub struct Fixtures {
    run: String,
    client: Client,
    limit: Duration,
    state: Mutex<State>,
    controller: OnceCell<NamespaceController>,
    /// When the namespace was deleted that shows who empties namespaces; `None` if the request had no response.
    deleted: OnceCell<Option<Instant>>,
    /// Whether the server has no namespaces: a path may have any name in the place of one.
    lacks_namespaces: bool,
    /// How often objects were absent, where one absence proves nothing.
    absences: OnceLock<Absences>,
    writes: WriteCounts,
    /// Shows that a request waits because the server throttles it.
    slowdown: Arc<Slowdown>,
}

#[derive(Debug, Default)]
struct State {
    created: usize,
    /// The number of namespaces that each scenario has had: no name depends on the order of concurrent scenarios.
    namespaces_of: BTreeMap<usize, usize>,
    /// Namespaces, each with the paths of its collections.
    namespaces: BTreeMap<String, Vec<String>>,
    /// Paths of the run's objects without a namespace.
    objects: BTreeSet<String>,
    /// Paths of the scenarios' objects without a namespace.
    cluster_scoped: BTreeSet<String>,
    /// Paths of collections that also hold objects of other programs, and whether ours are among them.
    shared: BTreeMap<String, bool>,
    /// Paths of the objects that stay on the server.
    kept: BTreeSet<String>,
    /// Our namespaces that the last list of all has shown.
    listed: BTreeSet<String>,
    /// Paths of the objects without a namespace that a search has shown.
    shown: BTreeSet<String>,
    /// Paths of the objects whose removal the sweep has begun: the server has responded.
    begun: BTreeSet<String>,
    /// Paths of the namespaces that the server was removing at their last read.
    terminating: BTreeSet<String>,
    /// The UIDs of the objects of other runs, by path.
    uids: BTreeMap<String, String>,
    refused: Refusals,
    /// The number of responses.
    responses: usize,
    /// The number of requests that were sent since the last response; those of a sweep, from its beginning on.
    sent_since_response: usize,
    /// Whether a request has failed without a response, and no response has followed.
    has_failed_since_response: bool,
    /// Whether the server responded to no request of the sweep.
    is_silent: bool,
    /// Whether a response had the status 401.
    was_unauthorized: bool,
    /// The number of objects in each collection of a namespace, as far as lists have shown it, without those deleted since.
    numbers: BTreeMap<String, u64>,
    /// Paths of the objects that had finalizers at their last read.
    with_finalizers: BTreeSet<String>,
    /// Paths of the objects whose deletion the server accepted.
    accepted: BTreeSet<String>,
    /// Paths whose deletion the server forbade to these credentials, or does not support, each with the status of the last
    /// response.
    forbidden: BTreeMap<String, u16>,
}

impl Fixtures {
    /// A sweep ends when no object has disappeared, and no removal has begun, for `limit`.
    pub fn new(run: &str, client: Client, limit: Duration) -> Self {
        Self {
            run: run.to_owned(),
            client,
            limit,
            state: Mutex::default(),
            controller: OnceCell::new(),
            deleted: OnceCell::new(),
            lacks_namespaces: false,
            absences: OnceLock::new(),
            writes: WriteCounts::default(),
            slowdown: Arc::default(),
        }
    }

    /// The same, with waits that the progress of a run shows.
    pub(crate) fn showing_waits(self, slowdown: Arc<Slowdown>) -> Self {
        Self { slowdown, ..self }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of registered objects.
    pub(crate) fn created(&self) -> usize {
        self.state().created
    }

    /// The number of responses so far.
    pub fn responses(&self) -> usize {
        self.state().responses
    }

    /// Whether a request has failed without a response, and no response has followed.
    pub fn has_failed_since_response(&self) -> bool {
        self.state().has_failed_since_response
    }

    /// Registers a namespace with a name that no other scenario and no other run uses.
    pub fn register_namespace(&self, scenario: usize) -> String {
        let mut state = self.state();
        let number = state.namespaces_of.entry(scenario).or_default();
        let name = format!("{}{number}", self.names_of(scenario));
        *number += 1;
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

    /// Forgets a namespace that the server refused to create, unless it is there with the label of this run.
    pub async fn forget_refused_namespace(&self, name: &str) {
        if !self.is_namespace_of_run(name).await {
            self.state().namespaces.remove(name);
        }
    }

    /// Registers a collection of a namespace.
    pub fn register_collection(&self, namespace: &str, path: &str) {
        let mut state = self.state();
        if self.lacks_namespaces {
            // A scenario may create objects in a namespace that it did not register.
            state.namespaces.entry(namespace.to_owned()).or_default();
        }
        if let Some(paths) = state.namespaces.get_mut(namespace)
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }

    /// Whether a collection of a namespace is registered, and not yet removed.
    pub(crate) fn holds_collection(&self, path: &str) -> bool {
        self.state().namespaces.values().flatten().any(|known| known == path)
    }

    /// Registers an object that another run has created, and only the one with this UID; for a namespace with these
    /// collections.
    pub(crate) fn adopt(&self, path: &str, uid: &str, collections: &[String]) {
        let mut state = self.state();
        state.uids.insert(path.to_owned(), uid.to_owned());
        if let Some(name) = path.strip_prefix(NAMESPACES).filter(|name| !name.contains('/')) {
            for collection in collections {
                self.note_objects(collection);
            }
            state.namespaces.insert(name.to_owned(), collections.to_vec());
        } else if path.starts_with(DEFINITIONS) {
            // The server itself takes off the finalizer of a definition, after its objects.
            state.objects.insert(path.to_owned());
        } else {
            state.cluster_scoped.insert(path.to_owned());
        }
    }

    pub(crate) fn register_object(&self, path: &str) {
        let mut state = self.state();
        state.created += 1;
        state.objects.insert(path.to_owned());
    }

    /// Sends a request, and again if the server is too busy.
    pub async fn send(&self, request: Request) -> Result<Exchange, TestError> {
        if !is_literal(&request.path) {
            let action = format!("send {} {}", request.method, request.path);
            let why = TestError::new(action, "no object may have this name");
            self.note_missing_response(&request, &why);
            return Err(why);
        }
        let request = self.on_next_connection(request);
        let count = self.count(&request);
        self.state().sent_since_response += 1;
        let wait_out = |wait| self.slowdown.wait_out(wait);
        let sent = self.client.send_patiently_with(request.clone(), "kube-assay fixtures", wait_out).await;
        let (exchange, _) = sent.inspect_err(|why| {
            self.note_missing_response(&request, why);
            self.state().has_failed_since_response = true;
        })?;
        count.responded(exchange.status());
        self.note_refusal(&exchange);
        self.note_forbidden_deletion(&exchange);
        self.note_shown(&exchange);
        self.note_response();
        Ok(exchange)
    }

    /// Begins to remove the namespaces of one scenario. Until it is known who empties namespaces, they are left to the sweep.
    pub(crate) async fn remove_namespaces_of(&self, scenario: usize) {
        if self.lacks_namespaces {
            return self.empty_namespaces_of(scenario).await;
        }
        if !self.controller.initialized() {
            return;
        }
        for path in self.namespaces_of(scenario) {
            self.remove(&path).await;
        }
    }

    /// The paths of the namespaces of one scenario.
    pub(crate) fn namespaces_of(&self, scenario: usize) -> Vec<String> {
        let (prefix, state) = (self.names_of(scenario), self.state());
        let names = state.namespaces.keys().filter(|name| name.starts_with(&prefix));
        names.map(|name| namespace_path(name)).collect()
    }

    /// Begins to remove the object at a path; a later read shows whether it is gone.
    async fn remove(&self, path: &str) {
        let _ = match path.strip_prefix(NAMESPACES) {
            Some(name) if !self.controller().await => {
                self.end_namespace(path, name, &self.collections_in(path)).await
            }
            _ => self.send(Request::delete(path)).await.map(drop),
        };
    }

    /// The paths of all objects that are not removed yet.
    pub fn paths(&self) -> Vec<String> {
        let state = self.state();
        let namespaces = self.paths_of_namespaces(&state);
        namespaces.into_iter().chain(state.objects.iter().chain(&state.cluster_scoped).cloned()).collect()
    }

    /// Removes the object at a path unless it is being deleted; forgets it if it is gone.
    async fn remove_or_forget(&self, path: &str) {
        if self.state().cluster_scoped.contains(path) {
            return self.remove_or_forget_object(path).await;
        }
        if self.is_namespaced_collection(path) {
            return self.empty_or_forget(path).await;
        }
        // A server that cannot show it may still remove it.
        let Ok(shown) = self.send(Request::get(path)).await else { return self.remove(path).await };
        if self.is_another(path, &shown) {
            return self.forget(path);
        }
        self.note_terminating(path, &shown);
        let is_forbidden = shown.status() == 403;
        let is_gone = if is_forbidden {
            self.is_unlisted(path).await
        } else {
            self.is_gone_for_sure(path, &shown).await
        };
        match shown.json() {
            // The next list decides: a server may hide from reads what it has.
            _ if is_gone && self.is_listed(path) => self.remove(path).await,
            _ if is_gone => {
                let left = self.controller.get() == Some(&NamespaceController::LeavesObjects);
                if !left || self.empty_all_in(path).await {
                    self.forget(path);
                }
            }
            _ if shown.status() == 404 => {}
            _ if is_forbidden && !path.starts_with(NAMESPACES) => self.remove_unseen(path).await,
            Some(json) if json["metadata"]["deletionTimestamp"].is_string() && !self.ours_to_end(path) => {
                if is_held(json) {
                    self.release_all(path).await;
                }
                self.resume_removal(path, json).await;
            }
            _ => self.remove(path).await,
        }
    }

    fn forget(&self, path: &str) {
        let mut state = self.state();
        if let Some(name) = path.strip_prefix(NAMESPACES) {
            state.namespaces.remove(name);
        }
        // A scenario may register a namespace by its path.
        state.objects.remove(path);
    }
}

/// The path of custom resource definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAMESPACES: &str = "/api/v1/namespaces/";

fn namespace_path(name: &str) -> String {
    format!("{NAMESPACES}{name}")
}

#[cfg(test)]
impl Fixtures {
    /// Those of the run `r`, on an address where nothing listens.
    async fn without_server() -> Self {
        let access = target::Access::load(target::Flags::at("http://127.0.0.1:1").into()).await.unwrap();
        Self::new("r", Client::new(access, Duration::ZERO), Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// The address of a server that throttles each request for a minute.
    async fn throttling() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    while let Ok(1..) = stream.read(&mut [0; 4096]).await {
                        let response = "HTTP/1.1 429 Busy\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n";
                        stream.write_all(response.as_bytes()).await.unwrap();
                    }
                });
            }
        });
        format!("http://{address}")
    }

    #[tokio::test]
    async fn a_request_that_waits_because_the_server_throttles_it_is_shown() {
        let access = target::Access::load(target::Flags::at(&throttling().await).into()).await.unwrap();
        let slowdown = Arc::<Slowdown>::default();
        let client = Client::new(access, Duration::from_mins(1));
        let fixtures = Fixtures::new("r", client, Duration::ZERO).showing_waits(slowdown.clone());
        // The request ends with the first reason, and its wait with it.
        let first_reason = async {
            loop {
                let reason = slowdown.reason();
                if !reason.is_empty() {
                    break reason;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            sent = fixtures.send(Request::get("/version")) => panic!("{sent:?}"),
            reason = first_reason => assert_eq!(reason, "1 throttled"),
        }
    }
}
