//! What is tried before the first scenario: a namespace, and an object of the user's template.

use std::sync::Arc;

use super::{Settings, Shared};
use crate::client::Client;
use crate::exchange::Exchange;
use crate::fixture::Fixtures;
use crate::outcome::Obstacle;
use crate::plan::Plan;
use crate::request::Request;
use crate::target::Survey;

/// Why a run did not begin, or did not end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The user's template does not fit the scenarios: they would accuse a server that is right.
    #[error("failed to {}: {}; hint: {}", .0.attempted, .0.why, .0.advice)]
    Template(Obstacle),
    /// Something else stands in the way.
    #[error(transparent)]
    Target(#[from] Obstacle),
}

impl From<RunError> for Obstacle {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Template(obstacle) | RunError::Target(obstacle) => obstacle,
        }
    }
}

/// What the run creates; where no namespace can be created, their names are made up for the subject that was named.
pub(super) fn fixtures(plan: &Plan, survey: &Survey, client: &Client, settings: &Settings) -> Fixtures {
    let limit = settings.request_timeout.max(2 * settings.event_timeout);
    let fixtures = Fixtures::new(&settings.id, client.clone(), limit);
    let made_up = plan.subject().is_some() && !survey.has_namespaces();
    if made_up { fixtures.without_namespaces() } else { fixtures }
}

/// Tries what every scenario needs: a namespace, and an object of the template, if there is one.
pub(super) async fn rehearse(plan: &Plan, shared: &Arc<Shared>) -> Result<(), RunError> {
    if plan.read_only() {
        return Ok(());
    }
    if !shared.fixtures.makes_up_namespaces() {
        shared.fixtures.rehearse().await.map_err(|why| shared.survey.advise_subject(why))?;
    }
    if let Some(shape) = plan.subject() {
        let namespace = shape.namespaced.then(|| shared.fixtures.namespace_of_rehearsal());
        let checking = shared.check_template(shape, namespace.as_deref());
        // What an interruption leaves is removed at the end of the run, which it ends.
        let checked = shared.settings.stop.run_until_cancelled(checking).await;
        if let Some(Err(why)) = checked {
            return Err(shared.leave(why).await);
        }
    }
    let shared = shared.clone();
    tokio::spawn(async move { shared.fixtures.controller().await });
    Ok(())
}

impl Shared {
    /// Sends a request before the first scenario, and again if the server is too busy. A write goes on as in
    /// [`Self::carry`].
    pub(crate) async fn arrange(self: &Arc<Self>, request: Request) -> Result<Exchange, Obstacle> {
        if request.method == http::Method::GET {
            return self.fixtures.send(request).await;
        }
        let shared = self.clone();
        let writing = self.writes.spawn(async move { shared.fixtures.send(request).await });
        writing.await.unwrap_or_else(|why| Err(Obstacle::new("send a request", why.to_string())))
    }

    /// Removes what was created before the first scenario, and says what is left of it.
    async fn leave(&self, why: RunError) -> RunError {
        let left = self.fixtures.sweep().await;
        if left.is_empty() {
            return why;
        }
        let add = |obstacle: Obstacle| {
            let advice = format!("{}; remove what is left: {}", obstacle.advice, left.join(", "));
            obstacle.advise(advice.trim_start_matches("; "))
        };
        match why {
            RunError::Template(obstacle) => RunError::Template(add(obstacle)),
            RunError::Target(obstacle) => RunError::Target(add(obstacle)),
        }
    }
}
