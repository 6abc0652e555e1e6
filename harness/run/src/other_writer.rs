//! Another writer beside the run, such as a controller that annotates all `ConfigMaps`, or another server at the address: a
//! failure may be its doing.

use std::collections::BTreeSet;

use model::{Exchange, Failure, Halt, Request, TestError};
use serde_json::Value;

use crate::context::Context;
use crate::fixture::{namespace_manifest, path_of};
use crate::session::Session;

/// The name of the object that the run creates and never changes.
const NAME: &str = "unchanged";

const HINT: &str = "keep other writers away from namespaces with the label kube-assay/run";

/// The number of connections that look for another server: a load balancer may send each to one.
const CONNECTIONS: u8 = 6;

/// An object that the run creates before the first scenario, and never changes.
#[derive(Debug)]
pub(crate) struct Unchanged {
    path: String,
    created: Value,
}

impl Unchanged {
    /// Creates the object; `None` where the server refuses it.
    pub(crate) async fn create(session: &Session) -> Option<Self> {
        let fixtures = &session.fixtures;
        let namespace = fixtures.register_namespace(0);
        let manifest = namespace_manifest(&namespace, &session.id, NAME);
        let created = fixtures.send(Request::post("/api/v1/namespaces", &manifest)).await.ok()?;
        if !created.succeeded() {
            fixtures.forget_refused_namespace(&namespace).await;
            return None;
        }
        let created = fixtures.create_configmap(&namespace, NAME).await?;
        Some(Self { path: path_of(&created.request.path, NAME), created: created.json()?.clone() })
    }

    /// Who else has written to the object; `None` if nobody has, or if it cannot be read.
    async fn writers(&self, session: &Session) -> Option<String> {
        let read = session.fixtures.send(Request::get(&self.path)).await.ok()?;
        let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
        let now = read.json().filter(|now| read.succeeded() && version(now) != version(&self.created))?;
        let managers: Vec<_> = managers(now).difference(&managers(&self.created)).cloned().collect();
        let who = Some(managers.join(", ")).filter(|who| !who.is_empty())?;
        Some(format!("{who} changes objects of the run, such as {}", self.path))
    }

    /// Whether a response lacks the object.
    fn is_lost(&self, read: &Exchange) -> bool {
        let uid = |object: &Value| object["metadata"]["uid"].clone();
        let is_another = |now: &Value| read.succeeded() && uid(now) != uid(&self.created);
        read.status() == 404 || read.json().is_some_and(is_another)
    }
}

fn managers(object: &Value) -> BTreeSet<String> {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    entries.filter_map(|entry| entry["manager"].as_str()).map(str::to_owned).collect()
}

impl Session {
    /// How the server differs from that before the first scenario; `None` if it does not.
    pub(crate) async fn server_change(&self) -> Option<String> {
        for connection in 0..CONNECTIONS {
            let cluster = self.client.cluster_change(&self.target_info, connection).await;
            let change = if cluster.is_some() { cluster } else { self.loss(connection).await };
            if change.is_some() {
                self.fixtures.distrust_absence();
                return change;
            }
        }
        self.client.release_change(&self.target_info).await
    }

    /// The loss of the unchanged object, as a connection shows it.
    async fn loss(&self, connection: u8) -> Option<String> {
        let unchanged = self.unchanged.get()?;
        let read = self.fixtures.send(Request::get(&unchanged.path).connection(connection)).await.ok()?;
        unchanged.is_lost(&read).then(|| {
            let why = "another server responds, or another program deletes objects";
            format!("{} is gone, and the run did not delete it: {why}", unchanged.path)
        })
    }
}

impl Context {
    /// The end of a scenario that failed: a test error if the server changed, or if another writer changes or deletes
    /// objects of the run.
    pub(crate) async fn attribute(&self, failure: Failure) -> Halt {
        let Some(change) = self.foreign_change().await else { return Halt::Failed(failure) };
        let Failure { expected, actual, .. } = failure;
        let cause = format!("expected {expected}, got {actual}; but {change}");
        TestError::new("judge the server alone", cause).hint(HINT).into()
    }

    async fn foreign_change(&self) -> Option<String> {
        let session = self.session();
        if let Some(change) = session.server_change().await {
            return Some(change);
        }
        let written = match session.unchanged.get() {
            Some(unchanged) => unchanged.writers(session).await,
            None => None,
        };
        if written.is_some() { written } else { self.deletion_by_others().await }
    }

    /// A namespace or a definition on which the scenario relies, and which somebody else deletes.
    async fn deletion_by_others(&self) -> Option<String> {
        for path in self.relied_on_paths() {
            let read = self.session().fixtures.send(Request::get(&path)).await.ok()?;
            let is_leaving = |json: &Value| json["metadata"]["deletionTimestamp"].is_string();
            if read.status() == 404 || read.json().is_some_and(is_leaving) {
                return Some(format!("{path} is deleted, and the run did not delete it"));
            }
        }
        None
    }
}
