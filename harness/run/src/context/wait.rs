//! How a scenario waits: for a condition, for its deadline, for old versions to expire, for an operator.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::Instant;

use super::Context;
use model::Halt;

/// Longer than any run: while a scenario waits for all others it has no deadline of its own.
const LONGEST_RUN: Duration = Duration::from_hours(24);

/// How long a server may take to notice that its store was compacted: kube-apiserver looks every 15 s.
const AFTER_COMPACTION: Duration = Duration::from_secs(40);

impl Context {
    /// Skips where [`Context::compaction`] will, so that nothing is arranged in vain.
    pub fn may_expire(&self) -> Result<(), Halt> {
        let settings = &self.inner.session.settings;
        if settings.hooks.get("compact").is_some() || settings.wait_for_compaction.is_some() {
            return Ok(());
        }
        let reason = "needs an expired version: give --hook compact=CMD or --wait-for-compaction TIME";
        Err(Halt::Skipped(reason.to_owned()))
    }

    /// Waits until all other scenarios are done, and has the server forget its old versions where a hook allows.
    ///
    /// Skips where there is neither a hook nor leave to wait. Returns until when to wait for the versions to expire.
    pub async fn compaction(&self) -> Result<Instant, Halt> {
        let session = &self.inner.session;
        self.may_expire()?;
        let wait = session.settings.wait_for_compaction;
        self.extend_deadline(LONGEST_RUN);
        let since = self.inner.pass.wait_for_compaction().await?;
        let limit = wait.unwrap_or(AFTER_COMPACTION);
        self.extend_deadline(session.settings.scenario_timeout + limit);
        Ok(since + limit)
    }

    /// Waits for what the server does by itself, and lets another scenario run meanwhile.
    pub async fn aside<T>(&self, waiting: impl Future<Output = T>) -> T {
        self.inner.pass.aside(waiting).await
    }

    /// Until when something that is due may take to show: the event timeout, counted from now.
    pub fn soon(&self) -> Instant {
        Instant::now() + self.event_timeout()
    }

    /// Runs a hook of the operator. Skips the scenario without that hook.
    ///
    /// A store that a scenario breaks and does not mend is mended when the scenario ends, however it ends.
    pub async fn run_hook(&self, hook: &str) -> Result<(), Halt> {
        let Some(pulled) = self.inner.session.run_hook(hook).await else {
            return Err(Halt::Skipped(format!("needs the operator's help: give --hook {hook}=CMD")));
        };
        pulled.map_err(Halt::from)
    }

    /// Asks again and again until the response is there or the deadline passes, and returns the last response.
    pub async fn poll<T, F>(&self, deadline: Instant, mut ask: impl FnMut() -> F) -> Result<Option<T>, Halt>
    where
        F: Future<Output = Result<Option<T>, Halt>>,
    {
        let mut pause = Duration::from_millis(20);
        loop {
            if let Some(response) = ask().await? {
                return Ok(Some(response));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    /// Asks again and again until the response is there or the event timeout is over.
    pub async fn eventually<T, F>(&self, ask: impl FnMut() -> F) -> Result<Option<T>, Halt>
    where
        F: Future<Output = Result<Option<T>, Halt>>,
    {
        self.poll(self.soon(), ask).await
    }

    fn extend_deadline(&self, from_now: Duration) {
        *self.inner.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + from_now;
    }

    /// How long this scenario may still take, if nothing extends it.
    pub fn time_left(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }

    pub(crate) fn deadline(&self) -> Instant {
        *self.inner.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
