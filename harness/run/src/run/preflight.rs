//! Checks before the first scenario: a namespace, and an object of the template.

use std::sync::Arc;

use model::{Exchange, Request, Resource, TargetInfo, TestError};
use target::Client;

use crate::fixture::Fixtures;
use crate::other_writer::Unchanged;
use crate::plan::Plan;
use crate::run_error::RunError;
use crate::session::Session;
use crate::settings::Settings;

/// The fixtures of the run; on a server without namespaces, those of a named subject are only names in paths.
pub(super) fn fixtures(
    plan: &Plan,
    target_info: &TargetInfo,
    client: &Client,
    settings: &Settings,
) -> Fixtures {
    let limit = settings.request_timeout.max(2 * settings.event_timeout);
    let fixtures = Fixtures::new(&settings.id, client.clone(), limit);
    let fixtures = fixtures.showing_waits(settings.slowdown.clone());
    let lacks_namespaces = plan.subject().is_some() && !target_info.has_namespaces();
    if lacks_namespaces { fixtures.without_namespaces() } else { fixtures }
}

/// Tries what every scenario needs: a namespace, which the run can remove, and an object of the template, if there is one.
///
/// What an interruption or the deadline leaves undone is not needed, and the end of the run removes what is there.
pub(super) async fn rehearse(plan: &Plan, session: &Arc<Session>) -> Result<(), RunError> {
    if plan.read_only() {
        return Ok(());
    }
    if !session.fixtures.lacks_namespaces() {
        let of_rehearsal = session.clone();
        let rehearsing = async move { Box::pin(of_rehearsal.fixtures.rehearse()).await };
        match session.unless_stopped(rehearsing).await {
            Some(rehearsed) => rehearsed?.map_err(|why| session.target_info.hint_subject(why))?,
            None => return Ok(()),
        }
    }
    if let Some(shape) = plan.subject() {
        let namespace = shape.namespaced.then(|| session.fixtures.namespace_of_rehearsal());
        if let Some(namespace) = namespace.as_deref().filter(|_| session.fixtures.lacks_namespaces()) {
            session.expect_nothing_in(namespace, &shape.resource).await?;
        }
        let checking = session.check_template(shape, namespace.as_deref());
        match session.stop.run_until_cancelled(checking).await {
            Some(Ok(())) => {}
            Some(Err(why)) => return Err(session.leave(why).await),
            None => return Ok(()),
        }
    }
    if !session.fixtures.lacks_namespaces() {
        let of_removal = session.clone();
        let removing = async move { Box::pin(of_removal.fixtures.rehearse_removal()).await };
        match session.unless_stopped(removing).await {
            Some(removed) => {
                // With --keep, the user expects objects to stay.
                let forbidden = removed?.err().filter(|_| !session.settings.keep);
                if let Some(why) = forbidden {
                    return Err(session.leave(why.into()).await);
                }
            }
            None => return Ok(()),
        }
        let of_unchanged = session.clone();
        let creating = async move { Box::pin(Unchanged::create(&of_unchanged)).await };
        match session.unless_stopped(creating).await {
            Some(created) => drop(created?.map(|unchanged| session.unchanged.set(unchanged))),
            None => return Ok(()),
        }
    }
    let session = session.clone();
    tokio::spawn(async move { session.fixtures.controller().await });
    Ok(())
}

impl Session {
    /// Does some work with writes until the run is stopped; then `None`, and the clean-up waits for the rest of it.
    async fn unless_stopped<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<Result<T, TestError>> {
        let worked = self.stop.run_until_cancelled(self.writes.spawn(work)).await?;
        Some(worked.map_err(|why| TestError::new("create what the run needs", why.to_string())))
    }

    /// Sends a request before the first scenario, and again if the server is too busy. A write goes on as in
    /// [`Self::carry`].
    pub(crate) async fn arrange(self: &Arc<Self>, request: Request) -> Result<Exchange, TestError> {
        if request.method == http::Method::GET {
            return self.fixtures.send(request).await;
        }
        let session = self.clone();
        let writing = self.writes.spawn(async move { session.fixtures.send(request).await });
        writing.await.unwrap_or_else(|why| Err(TestError::new("send a request", why.to_string())))
    }

    /// Fails if a namespace that nobody else uses has objects, on a server without namespaces: they are those of others, which
    /// scenarios would change and remove.
    async fn expect_nothing_in(&self, namespace: &str, resource: &Resource) -> Result<(), RunError> {
        let collection = format!("{}/namespaces/{namespace}/{}", resource.root(), resource.plural);
        let listed = self.fixtures.send(Request::get(&collection)).await?;
        let there = listed.json().and_then(|list| list["items"].as_array()).map_or(0, Vec::len);
        if there == 0 {
            return Ok(());
        }
        let why = format!("GET {collection} shows {there} objects, and the run has created none");
        let hint = "the server ignores the namespace of a path: the run would remove objects of others; give --read-only";
        Err(TestError::new(format!("use the namespace {namespace}"), why).hint(hint).into())
    }

    /// Removes the fixtures from before the first scenario, and adds the paths of those that remain to the hint.
    async fn leave(&self, why: RunError) -> RunError {
        let left = self.fixtures.sweep().await;
        if left.is_empty() {
            return why;
        }
        let add = |test_error: TestError| {
            let advice = format!("{}; remove what is left: {}", test_error.hint, left.join(", "));
            test_error.hint(advice.trim_start_matches("; "))
        };
        match why {
            RunError::Template(test_error) => RunError::Template(add(test_error)),
            RunError::Target(test_error) => RunError::Target(add(test_error)),
        }
    }
}
