//! The session of a run, shared by all scenarios: client, target info, fixtures, probe results.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{Curl, Request, Resource, Response, TargetInfo, TestError, Timing};
use target::Client;
use tokio::sync::{Mutex, OnceCell};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::availability::Availability;
use crate::fixture::Fixtures;
use crate::invariant::InvariantChecks;
use crate::probe::Findings;
use crate::settings::Settings;

/// What all scenarios of a run share.
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
    /// The plurals that discovery lists, by group and version; `None` where it does not say.
    pub(crate) discovered: Mutex<HashMap<String, Option<Vec<String>>>>,
    pub(crate) findings: Findings,
    pub(crate) published: OnceCell<Vec<&'static str>>,
    pub(crate) deployments_change: OnceCell<bool>,
    pub(crate) writes: TaskTracker,
    pub(crate) store_broken: AtomicBool,
    pub(crate) availability: Availability,
    /// Cancelled to end the run early.
    pub(crate) stop: CancellationToken,
    /// Why the run ends early, unless the user ends it.
    pub(crate) stopped: OnceLock<String>,
}

impl Session {
    /// Runs a hook of the server's operator; `None` if it was not given.
    pub(crate) async fn run_hook(&self, hook: &str) -> Option<Result<(), TestError>> {
        let command = self.settings.hooks.get(hook)?;
        if hook == "break-store" {
            self.store_broken.store(true, Ordering::SeqCst);
        }
        let ran = command().await.map_err(|why| TestError::new(format!("run the hook {hook}"), why));
        if hook == "mend-store" && ran.is_ok() {
            self.store_broken.store(false, Ordering::SeqCst);
        }
        Some(ran)
    }

    /// Mends the store if a scenario left it broken: it failed, was stopped or took too long.
    pub(crate) async fn mend(&self) {
        if self.store_broken.load(Ordering::SeqCst) {
            // A hook that does not work has been reported by the scenario, or what follows will show it.
            let _ = self.run_hook("mend-store").await;
        }
    }

    /// Sends a request. A write goes on even if its scenario is stopped: what is under way when a run is interrupted
    /// must have happened before the run cleans up, or it would come after.
    pub(crate) async fn carry(
        &self,
        request: Request,
        agent: String,
    ) -> Result<(Response, Timing), TestError> {
        let sent = if request.method == http::Method::GET {
            self.client.send(&request, &agent).await
        } else {
            let client = self.client.clone();
            let writing = self.writes.spawn(async move { client.send(&request, &agent).await });
            writing.await.unwrap_or_else(|why| Err(TestError::new("send a request", why.to_string())))
        };
        self.note(&sent).await;
        sent
    }

    /// Takes in whether the server responded. If it stays away, the run stops.
    pub(crate) async fn note<T>(&self, sent: &Result<T, TestError>) {
        let limit = self.settings.request_timeout;
        let attempt = || async {
            let request = Request::get("/version");
            self.client.send(&request, "kube-assay availability").await.map(drop)
        };
        if let Err(cause) = self.availability.note(sent, limit, attempt).await {
            self.stop_because(format!("the server did not respond for {limit:?}: {cause}"));
        }
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

    /// Until every write is done.
    pub(crate) async fn written(&self) {
        self.writes.close();
        self.writes.wait().await;
    }
}

/// The custom resources that the scenarios of a run share, each defined at first use.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// The one that generic scenarios are asked on.
    pub(crate) gadgets: OnceCell<Resource>,
    /// The one that keeps what its schema does not know.
    pub(crate) vessels: OnceCell<Resource>,
    /// The one with every type of list and map.
    pub(crate) gizmos: OnceCell<Resource>,
}
