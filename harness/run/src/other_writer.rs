//! Another writer beside the run, such as a controller that annotates all `ConfigMaps`: a failure may be its doing.

use std::collections::BTreeSet;

use model::{Failure, Halt, Request, TestError};
use serde_json::Value;

use crate::fixture::{namespace_manifest, path_of};
use crate::session::Session;

/// The name of the object that the run creates and never changes.
const NAME: &str = "unchanged";

const HINT: &str = "keep other writers away from namespaces with the label kube-assay/run";

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

    /// The managers that have changed the object since.
    async fn changed_by(&self, session: &Session) -> BTreeSet<String> {
        let Ok(read) = session.fixtures.send(Request::get(&self.path)).await else { return BTreeSet::new() };
        let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
        let is_changed = |now: &&Value| read.succeeded() && version(now) != version(&self.created);
        let now = read.json().filter(is_changed).map(managers).unwrap_or_default();
        now.difference(&managers(&self.created)).cloned().collect()
    }
}

fn managers(object: &Value) -> BTreeSet<String> {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    entries.filter_map(|entry| entry["manager"].as_str()).map(str::to_owned).collect()
}

impl Session {
    /// The end of a scenario that failed: a test error if another writer changes objects of the run.
    pub(crate) async fn attribute(&self, failure: Failure) -> Halt {
        let Some(unchanged) = self.unchanged.get() else { return Halt::Failed(failure) };
        let managers: Vec<String> = unchanged.changed_by(self).await.into_iter().collect();
        if managers.is_empty() {
            return Halt::Failed(failure);
        }
        let Failure { expected, actual, .. } = failure;
        let cause = format!(
            "expected {expected}, got {actual}; but {} changes objects of the run, such as {}",
            managers.join(", "),
            unchanged.path
        );
        TestError::new("judge the server alone", cause).hint(HINT).into()
    }
}
