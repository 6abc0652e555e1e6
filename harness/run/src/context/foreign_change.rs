//! The end of a failed scenario: a change that the server did not make by itself accuses nobody.

use model::{Failure, Halt, Request, TestError, store_outage};
use serde_json::Value;

use super::Context;
use crate::denial::is_denial;
use crate::other_writer::ServerIdentity;

const ALONE: &str =
    "test one server at a time, and keep other writers away from namespaces with the label kube-assay/run";

const WITHOUT_ADMISSION: &str =
    "exempt namespaces and objects with the label kube-assay/run from webhooks and policies of others";

const WHEN_WELL: &str = "repeat the run when the server has less to do; --event-timeout gives it more time";

const PERMISSIONS: &str = "give the user the permissions that docs/certify.md names";

/// What changed beside the server, and what to do about it.
type Foreign = (String, &'static str);

impl Context {
    /// The end of a scenario that failed: a test error if the server changed, or if another writer or admission changes
    /// objects of the run, somebody deletes them, or the user lacks a permission.
    pub(crate) async fn attribute(&self, failure: Failure) -> Halt {
        let limit = self.session().settings.request_timeout;
        let change = target::timeout(limit, self.foreign_change()).await.flatten();
        let Some((change, hint)) = change else { return Halt::Failed(failure) };
        let Failure { expected, actual, .. } = failure;
        // The cause is the change alone: failures of many expectations have this one in common.
        let action = format!("judge the server by a response (expected {expected}, got {actual})");
        TestError::new(action, change).hint(hint).into()
    }

    /// A test error, with the policy or webhook of others as its cause if that denied the request, and with advice about a
    /// store that does not serve its server.
    pub(crate) async fn explain(&self, why: TestError) -> TestError {
        if !is_denial(&why.cause) {
            return match store_outage(&why.cause) {
                Some(advice) if why.hint.is_empty() => why.hint(advice),
                _ => why,
            };
        }
        let limit = self.session().settings.request_timeout;
        match target::timeout(limit, self.denial_by_others()).await.flatten() {
            Some(denied) => TestError::new(why.action, denied).hint(WITHOUT_ADMISSION),
            None => why,
        }
    }

    async fn foreign_change(&self) -> Option<Foreign> {
        let session = self.session();
        if let Some(silence) = self.unresponsiveness() {
            return Some((silence, WHEN_WELL));
        }
        let server = session.server_identity().await;
        if let ServerIdentity::Changed(change) = server {
            return Some((change, ALONE));
        }
        if let Some(written) = session.other_writers().await {
            return Some((written, ALONE));
        }
        if let Some(deleted) = self.deletion_by_others().await {
            return Some((session.availability.explain(deleted), ALONE));
        }
        if let Some(created) = self.creation_by_others().await {
            return Some((created, ALONE));
        }
        // Where nobody can tell whether the server is another one, its groups tell nothing.
        if server == ServerIdentity::Same
            && let Some(change) = session.groups_change().await
        {
            return Some((change, ALONE));
        }
        if let Some(denied) = self.denial_by_others().await {
            return Some((denied, WITHOUT_ADMISSION));
        }
        if let Some(missing) = self.missing_permission().await {
            return Some((missing, PERMISSIONS));
        }
        self.change_by_admission().await.map(|change| (change, WITHOUT_ADMISSION))
    }

    /// An object that a response of the scenario shows, and that another program creates in each namespace.
    async fn creation_by_others(&self) -> Option<String> {
        let is_shown = |name: &str| self.was_told(&format!("\"{name}\""));
        let name = self.session().created_by_others(is_shown).await?;
        Some(format!("another program creates the ConfigMap {name} in the namespaces of the run"))
    }

    /// A namespace or a definition on which the scenario relies, and which somebody else deletes.
    async fn deletion_by_others(&self) -> Option<String> {
        for path in self.relied_on_paths() {
            if self.is_leaving(&path).await? {
                let lost = format!("{path} is deleted, and the run did not delete it");
                // The end of the run names the first one.
                let _ = self.session().lost_object.set(lost.clone());
                return Some(lost);
            }
        }
        None
    }

    /// Whether an object is being deleted, or is neither read nor listed.
    async fn is_leaving(&self, path: &str) -> Option<bool> {
        let fixtures = &self.session().fixtures;
        let read = fixtures.send(Request::get(path)).await.ok()?;
        if read.status() != 404 {
            return read.json().map(is_terminating);
        }
        Some(fixtures.in_list(path).await?.object.is_none())
    }
}

/// Whether the status of a namespace or a definition says that it is being deleted.
fn is_terminating(object: &Value) -> bool {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    let has_condition =
        conditions.any(|condition| condition["type"] == "Terminating" && condition["status"] == "True");
    object["metadata"]["deletionTimestamp"].is_string()
        && (has_condition || object["status"]["phase"] == "Terminating")
}
