//! The session of a run, shared by all scenarios: client, target info, fixtures, probe results.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use model::{Curl, Request, Resource, Response, TargetInfo, TestError, Timing};
use target::{Client, Unlike, branch, in_turn, is_turned_away};
use tokio::sync::{Mutex, OnceCell};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::availability::Availability;
use crate::created_versions::CreatedVersions;
use crate::fixture::Fixtures;
use crate::hooks::Hooks;
use crate::invariant::InvariantChecks;
use crate::other_writer::Unchanged;
use crate::probe::Findings;
use crate::refusal_series::RefusalSeries;
use crate::settings::Settings;
use crate::shared_values::SharedValues;

const FEWER_CONNECTIONS: &str = "give a smaller --parallel: the server, or a proxy before it, responds to some \
    requests and turns others away, as with a limit of connections";

/// The status of a response to refused credentials.
const UNAUTHORIZED: u16 = 401;

/// The state that all scenarios of a run share.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) client: Client,
    pub(crate) curl: Curl,
    pub(crate) target_info: TargetInfo,
    pub(crate) settings: Settings,
    pub(crate) fixtures: Fixtures,
    pub(crate) invariant_checks: InvariantChecks,
    pub(crate) definitions: Definitions,
    /// The values that scenarios of suites share.
    pub(crate) shared_values: SharedValues,
    /// The plurals that discovery lists, by group and version; `None` without a valid document.
    pub(crate) discovered: Mutex<HashMap<String, Option<Vec<String>>>>,
    pub(crate) findings: Findings,
    /// The object that shows whether another writer changes objects of the run; absent where the server refuses it.
    pub(crate) unchanged: OnceLock<Unchanged>,
    /// The first object of the run that somebody else has deleted, in words, as a failed scenario has found.
    pub(crate) lost_object: OnceLock<String>,
    pub(crate) created_versions: CreatedVersions,
    /// The labels and annotations that admission changes with each write.
    pub(crate) admission_changes: OnceCell<BTreeSet<String>>,
    pub(crate) published: OnceCell<Vec<&'static str>>,
    pub(crate) deployments_change: OnceCell<bool>,
    pub(crate) writes: TaskTracker,
    /// The number of writes that the run has sent.
    pub(crate) writes_sent: AtomicUsize,
    /// The hooks that mend what other hooks have damaged.
    pub(crate) to_mend: std::sync::Mutex<Vec<&'static str>>,
    pub(crate) availability: Availability,
    pub(crate) refused_credentials: RefusalSeries,
    /// The writes that the server refuses because its store is full.
    pub(crate) full_store: RefusalSeries,
    /// Cancelled to end the run early.
    pub(crate) stop: CancellationToken,
    /// Why the run ends early, unless the user ends it.
    pub(crate) stopped: OnceLock<String>,
}

impl Session {
    /// Runs a hook of the server's operator; `None` without that hook.
    pub(crate) async fn run_hook(&self, hook: &str) -> Option<Result<(), TestError>> {
        let command = self.settings.hooks.get(hook)?;
        let mending = Hooks::MENDED_BY.iter().find(|(damaging, _)| *damaging == hook);
        self.to_mend().extend(mending.map(|(_, mending)| *mending));
        let ran = command().await.map_err(|why| TestError::new(format!("run the hook {hook}"), why));
        if ran.is_ok() {
            self.to_mend().retain(|mending| *mending != hook);
        }
        Some(ran)
    }

    /// Mends what a scenario left damaged: the scenario failed, was stopped or timed out.
    pub(crate) async fn mend(&self) {
        let hooks = self.to_mend().clone();
        for hook in hooks {
            // The scenario has reported a hook that fails, or later scenarios will show it.
            let _ = self.run_hook(hook).await;
        }
    }

    fn to_mend(&self) -> MutexGuard<'_, Vec<&'static str>> {
        self.to_mend.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request. A write continues even if its scenario is stopped: the pending writes of an interrupted run
    /// must happen before its cleanup, not after.
    pub(crate) async fn carry(
        &self,
        client: &Client,
        request: Request,
        agent: String,
    ) -> Result<(Response, Timing), TestError> {
        let sent_at = Instant::now();
        let sent = if request.method == http::Method::GET {
            client.send(&request, &agent).await
        } else {
            self.writes_sent.fetch_add(1, Ordering::SeqCst);
            let (client, count) = (client.clone(), self.fixtures.count(&request));
            let writing = self.writes.spawn(branch(async move {
                let sent = client.send(&request, &agent).await;
                sent.inspect(|(response, _)| count.responded(response.status))
            }));
            let written = writing.await;
            in_turn().await;
            written.unwrap_or_else(|why| Err(TestError::new("send a request", why.to_string())))
        };
        self.note(&sent, sent_at).await;
        sent.map_err(|why| self.advise(why))
    }

    /// Adds the advice for a server that takes too few connections at a time, if it looks like one.
    pub(crate) fn advise(&self, why: TestError) -> TestError {
        let is_limit = self.settings.parallel > 1 && self.availability.is_unsteady();
        if is_limit && is_turned_away(&why.cause) { why.hint(FEWER_CONNECTIONS) } else { why }
    }

    /// The number of writes that the run has sent.
    pub(crate) fn writes_sent(&self) -> usize {
        self.writes_sent.load(Ordering::SeqCst)
    }

    /// Records whether the server responded to a request that was sent at an instant. If it stays away, the run stops.
    pub(crate) async fn note<T>(&self, sent: &Result<T, TestError>, sent_at: Instant) {
        if sent.as_ref().is_err_and(Unlike::is_cause_of) {
            // No server was asked.
            return;
        }
        let limit = self.settings.request_timeout;
        let attempt = || async {
            let request = Request::get("/version");
            self.client.send(&request, "kube-assay availability").await.map(drop)
        };
        if let Err(why) = self.availability.note(sent, sent_at, limit, attempt).await {
            self.stop_because(why);
        }
    }

    /// Records whether the server refused the credentials of the run. If it goes on to do so, the run stops.
    pub(crate) async fn note_credentials(&self, request: &Request, status: u16) {
        if !request.is_in_own_name() {
            return;
        }
        let limit = self.settings.request_timeout;
        let are_refused = || self.are_credentials_refused();
        let noted = self.refused_credentials.note(status == UNAUTHORIZED, limit, are_refused).await;
        if let Some(lasted) = noted {
            let since = self.instant_before(lasted);
            self.stop_because(format!("the server has refused the credentials (401) since {since}"));
        }
    }

    /// Whether the server refuses the credentials of the run for the core group: another group may have an extension server
    /// that cannot check them.
    pub(crate) async fn are_credentials_refused(&self) -> bool {
        let request = if self.target_info.has_namespaces() {
            Request::get("/api/v1/namespaces").query("limit", 1)
        } else {
            Request::get("/version")
        };
        let sent = self.client.send(&request, "kube-assay credentials").await;
        sent.is_ok_and(|(response, _)| response.status == UNAUTHORIZED)
    }

    /// The instant so long before now, such as `2026-07-01T12:00:00Z`.
    pub(crate) fn instant_before(&self, lasted: Duration) -> String {
        let now = self.settings.clock.now();
        now.checked_sub(lasted).unwrap_or(now).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// Ends the run early.
    pub(crate) fn stop_because(&self, why: String) {
        // The first reason is the cause of others.
        let _ = self.stopped.set(why);
        self.stop.cancel();
    }

    /// Why the run ended early; `None` if it did not.
    pub(crate) fn stopped(&self) -> Option<String> {
        let interrupted = || self.stop.is_cancelled().then(|| "interrupted".to_owned());
        self.stopped.get().cloned().or_else(interrupted)
    }

    /// Waits for all writes.
    pub(crate) async fn written(&self) {
        self.writes.close();
        self.writes.wait().await;
    }
}

/// The custom resources that the scenarios of a run share, each defined at first use.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// The custom resource of generic scenarios.
    pub(crate) gadgets: OnceCell<Resource>,
    /// The custom resource that preserves unknown fields.
    pub(crate) vessels: OnceCell<Resource>,
    /// The custom resource with every type of list and map.
    pub(crate) gizmos: OnceCell<Resource>,
    /// The custom resource with a version that is not served.
    pub(crate) editions: OnceCell<Resource>,
    /// The custom resource with many versions.
    pub(crate) releases: OnceCell<Resource>,
}

impl Definitions {
    /// The custom resources that exist.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Resource> {
        [&self.gadgets, &self.vessels, &self.gizmos, &self.editions, &self.releases]
            .into_iter()
            .filter_map(OnceCell::get)
    }
}
