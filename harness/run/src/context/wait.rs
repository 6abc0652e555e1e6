//! Waiting: for a condition, a deadline, the expiry of old versions, or an operator.

use std::sync::PoisonError;
use std::time::Duration;

use model::{Checked, Exchange, Halt, Request};
use target::Instant;

use super::Context;

/// Longer than any run: a scenario that waits for all others has no deadline of its own.
const LONGEST_RUN: Duration = Duration::from_hours(24);

/// How long a server may take to notice a compaction of its store: kube-apiserver checks every 15 s.
const AFTER_COMPACTION: Duration = Duration::from_secs(40);

impl Context {
    /// Skips if [`Context::compaction`] would, before the scenario creates its fixture.
    pub fn may_expire(&self) -> Result<(), Halt> {
        let settings = &self.inner.session.settings;
        if settings.hooks.get("compact").is_some() || settings.wait_for_compaction.is_some() {
            return Ok(());
        }
        let reason = "needs an expired version: give --hook compact=CMD or --wait-for-compaction TIME";
        Err(Halt::Skipped(reason.to_owned()))
    }

    /// Waits until all other scenarios have ended, and the `compact` hook, if any, has run.
    ///
    /// Skips without the hook and without `--wait-for-compaction`. Returns the deadline for the versions to expire.
    pub async fn compaction(&self) -> Result<Instant, Halt> {
        let session = &self.inner.session;
        self.may_expire()?;
        let wait = session.settings.wait_for_compaction;
        self.extend_deadline(LONGEST_RUN);
        self.record_action("the versions so far expired");
        let since = self.inner.pass.wait_for_compaction().await?;
        let limit = wait.unwrap_or(AFTER_COMPACTION);
        self.extend_deadline(session.settings.scenario_timeout + limit);
        Ok(since + limit)
    }

    /// Waits for the server's own actions, and lets another scenario run meanwhile.
    pub async fn yield_place_while<T>(&self, waiting: impl Future<Output = T>) -> T {
        self.inner.pass.yield_place_while(waiting).await
    }

    /// The deadline for an expected event or change: the event timeout from now.
    pub fn soon(&self) -> Instant {
        Instant::now() + self.event_timeout()
    }

    /// Runs a hook of the operator. Skips the scenario without that hook.
    ///
    /// If a scenario leaves the store broken, the run mends it when the scenario ends, in any way.
    pub async fn run_hook(&self, hook: &str) -> Result<(), Halt> {
        let Some(outcome) = self.inner.session.run_hook(hook).await else {
            return Err(Halt::Skipped(format!("needs the operator's help: give --hook {hook}=CMD")));
        };
        self.record_action(format!("the hook {hook} ran"));
        outcome.map_err(Halt::from)
    }

    /// Polls until `check` returns a value or the deadline passes.
    pub async fn poll<T, F>(&self, deadline: Instant, mut check: impl FnMut() -> F) -> Result<Option<T>, Halt>
    where
        F: Future<Output = Result<Option<T>, Halt>>,
    {
        let mut pause = Duration::from_millis(20);
        loop {
            if let Some(value) = check().await? {
                return Ok(Some(value));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// Polls until `check` returns a value or the event timeout is over.
    pub async fn eventually<T, F>(&self, check: impl FnMut() -> F) -> Result<Option<T>, Halt>
    where
        F: Future<Output = Result<Option<T>, Halt>>,
    {
        self.poll(self.soon(), check).await
    }

    /// Waits until the server serves a type: before, it may refuse a list of it with any code.
    ///
    /// Whether the response is a list is for the scenario to judge.
    pub async fn wait_until_served(&self, list: &Request) -> Checked {
        let is_served = |listed: &Exchange| {
            listed.succeeded() && listed.json().is_some_and(|json| json["kind"] != "Status")
        };
        let served = self
            .eventually(|| async { Ok(is_served(&*self.send(list.clone()).await?).then_some(())) })
            .await?;
        let why = "it was not served in time";
        served.ok_or_else(|| self.late(format!("use the type at {}", list.path), why).into())
    }

    fn extend_deadline(&self, from_now: Duration) {
        *self.inner.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + from_now;
    }

    /// How long this scenario may still take, unless something extends its deadline.
    pub fn time_left(&self) -> Duration {
        self.deadline() - Instant::now()
    }

    pub(crate) fn deadline(&self) -> Instant {
        *self.inner.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
