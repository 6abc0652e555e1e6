//! The context of a scenario; cheap to clone.

mod cluster_scope;
mod custom_resources;
mod discovered;
mod exchange_log;
mod foreign_change;
mod namespace;
mod once;
pub(crate) mod open;
mod optional_requests;
mod own_objects;
mod policy;
mod streams;
mod subject;
mod throttling;
mod unjudged_parts;
mod unreadable_json;
mod unresponsive;
mod upgrade;
mod wait;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::{
    Cut, Exchange, Failure, Halt, Request, ScenarioId, Subject, TargetInfo, TestError, Transcript,
    retry_after,
};
use target::{Client, Instant, MemoryShare};
use tokio::sync::OnceCell;

use self::exchange_log::ExchangeLog;
pub(crate) use self::unreadable_json::unreadable_json;
use crate::gate::Pass;
use crate::session::Session;

/// A scenario's view of the run: it sends requests, keeps the exchanges, and provides fixtures.
#[derive(Debug, Clone)]
pub struct Context {
    inner: Arc<Inner>,
    server: u8,
}

#[derive(Debug)]
struct Inner {
    scenario: ScenarioId,
    subject: Subject,
    number: usize,
    session: Arc<Session>,
    pass: Pass,
    deadline: Mutex<Instant>,
    namespace: OnceCell<String>,
    client: Client,
    log: Mutex<ExchangeLog>,
    notes: Mutex<Vec<String>>,
    script: Mutex<Option<String>>,
    /// The test errors of the parts that the scenario could not test.
    unjudged: Mutex<Vec<TestError>>,
    /// Whether the server responded to nothing when something did not arrive in time.
    was_unresponsive: AtomicBool,
}

impl Context {
    pub(crate) fn new(
        scenario: ScenarioId,
        subject: Subject,
        number: usize,
        session: Arc<Session>,
        pass: Pass,
    ) -> Self {
        let deadline = Mutex::new(Instant::now() + session.settings.scenario_timeout);
        let client = session.client.with_own_memory();
        Self {
            server: 0,
            inner: Arc::new(Inner {
                scenario,
                subject,
                number,
                session,
                pass,
                deadline,
                namespace: OnceCell::new(),
                client,
                log: Mutex::default(),
                notes: Mutex::default(),
                script: Mutex::default(),
                unjudged: Mutex::default(),
                was_unresponsive: AtomicBool::default(),
            }),
        }
    }

    /// The same context, whose requests go through a server of the control plane: 0 is the target, others are its replicas.
    #[must_use]
    pub fn through(&self, server: u8) -> Self {
        Self { server, ..self.clone() }
    }

    /// The scenario's id.
    pub fn scenario(&self) -> &ScenarioId {
        &self.inner.scenario
    }

    /// Its number among all executions of the run; each repetition has its own.
    pub(crate) fn number(&self) -> usize {
        self.inner.number
    }

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.inner.session
    }

    /// The scenario's share of the memory for responses.
    pub(crate) fn memory(&self) -> &MemoryShare {
        self.inner.client.memory()
    }

    /// Version, groups and types of the server.
    pub fn target_info(&self) -> &TargetInfo {
        &self.inner.session.target_info
    }

    /// The run's seed, which reproduces all random choices.
    pub fn run_seed(&self) -> u64 {
        self.inner.session.settings.seed
    }

    /// The seed of the scenario's random choices.
    pub fn seed(&self) -> [u8; 32] {
        self.inner.scenario.seed(self.inner.session.settings.seed)
    }

    /// How long an event or a change may take before it counts as missing.
    pub fn event_timeout(&self) -> Duration {
        self.inner.session.settings.event_timeout
    }

    /// Sends a request and reads the response.
    ///
    /// It waits out a 429 with Retry-After, visibly: every attempt is an exchange of the scenario.
    pub async fn send(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        self.send_unless(request, |_| false).await
    }

    /// Sends a request as [`Self::send`] does, but returns a 429 that the scenario provokes.
    pub async fn send_unless(
        &self,
        request: Request,
        mut provoked: impl FnMut(&Exchange) -> bool,
    ) -> Result<Arc<Exchange>, Halt> {
        let mut attempts = 0;
        loop {
            let exchange = self.send_once(request.clone()).await?;
            attempts += 1;
            if retry_after(&exchange, self.time_left()).is_none() || provoked(&exchange) {
                return Ok(exchange);
            }
            self.wait_out(&exchange, attempts).await?;
        }
    }

    /// Sends a request once and returns every response, a 429 as well.
    pub async fn send_once(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let mut request = self.with_policy(self.addressed(request));
        self.may_send(&request)?;
        request.most_items = self.most_own(&request);
        let fixtures = &self.inner.session.fixtures;
        fixtures.register_place(&request);
        let (index, write_log) = (self.reserve(&request), self.inner.session.invariant_checks.write_log());
        let begun = write_log.begin(&request);
        let newest = self.inner.session.created_versions.newest();
        let (response, timing) =
            self.inner.session.carry(&self.inner.client, request.clone(), self.agent()).await?;
        let (cut, took) = (response.cut, timing.whole);
        let exchange = Exchange::new(index, request, response, timing).valued_at(self.value_at());
        let is_throttled = retry_after(&exchange, self.time_left()).is_some();
        self.inner.session.settings.slowdown.note(took, is_throttled);
        self.inner.session.note_credentials(&exchange.request, exchange.status()).await;
        self.inner.session.note_store(&exchange).await;
        match cut {
            Some(Cut::TooManyItems) => return Err(self.list_flood(&exchange)),
            Some(Cut::OthersLeftOut) => self.note_cut("list", &exchange.request),
            None => self.expect_readable(&exchange)?,
        }
        let exchange = self.log(exchange);
        write_log.record(&exchange, begun);
        self.inner.session.created_versions.note(&exchange, newest);
        fixtures.find_provided_namespace(&exchange);
        fixtures.find_misplaced(&exchange).await;
        Ok(exchange)
    }

    /// The request to the server of this context, unless it names a replica itself.
    pub(crate) fn addressed(&self, request: Request) -> Request {
        if request.connection.server == 0 { request.through(self.server) } else { request }
    }

    /// Notes that a list or a watch of a shared collection lacks objects.
    pub(crate) fn note_cut(&self, what: &str, request: &Request) {
        self.note(format!("the {what} {} is long: judged without the later objects of others", request.path));
    }

    fn agent(&self) -> String {
        let session = &self.inner.session;
        format!(
            "{} run/{} scenario/{}",
            session.settings.tool.replace(' ', "/"),
            session.id,
            self.inner.scenario
        )
    }

    fn exchange_log(&self) -> MutexGuard<'_, ExchangeLog> {
        self.inner.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve(&self, request: &Request) -> usize {
        self.exchange_log().reserve(request)
    }

    fn log(&self, exchange: Exchange) -> Arc<Exchange> {
        self.remember(&exchange, false);
        self.judge(&exchange);
        Arc::new(exchange)
    }

    fn judge(&self, exchange: &Exchange) {
        let session = &self.inner.session;
        session.invariant_checks.look(exchange, &self.inner.scenario, &session.curl, || self.steps());
    }

    pub(crate) fn log_stream(&self, exchange: &Exchange, first: bool) -> Transcript {
        let transcript = self.remember(exchange, true);
        if first {
            self.judge(exchange);
        }
        transcript
    }

    /// Keeps the exchange as evidence. The transcript is short, whatever the server sent.
    fn remember(&self, exchange: &Exchange, stream: bool) -> Transcript {
        let transcript = exchange.transcript(&self.inner.session.curl);
        self.exchange_log().respond(exchange, transcript.clone(), stream);
        transcript
    }

    /// A failure, with an exchange of this scenario as evidence.
    pub fn failed(
        &self,
        expected: impl Into<String>,
        actual: impl Into<String>,
        exchange: Option<usize>,
    ) -> Halt {
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange })
    }

    /// A test error without a hint.
    pub fn test_error(&self, action: impl Into<String>, cause: impl Into<String>) -> TestError {
        TestError::new(action, cause)
    }

    /// The test error of something that has not come within the event timeout.
    pub fn late(&self, action: impl Into<String>, cause: impl Into<String>) -> TestError {
        let limit = self.event_timeout().as_secs_f32();
        let hint = format!("a slow server may need more than {limit} s: --event-timeout gives it more time");
        self.test_error(action, cause).hint(hint)
    }

    /// Skips the scenario, as the server lacks an optional feature; fails it if the user declared the feature present.
    pub fn lacks(&self, feature: &str, why: impl Into<String>) -> Halt {
        if self.inner.session.settings.features.iter().any(|declared| declared == feature) {
            return self.failed(format!("{feature}, as declared with --feature"), why, None);
        }
        Halt::Skipped(format!("this server does not offer {feature}: {}", why.into()))
    }

    /// The same unless the server offers the feature.
    pub fn require_feature(&self, feature: &str, offered: bool, why: impl Into<String>) -> model::Checked {
        if offered { Ok(()) } else { Err(self.lacks(feature, why)) }
    }

    /// Adds a note, once: something legal but noteworthy, such as a known deviation from the text.
    pub fn note(&self, note: impl Into<String>) {
        let (note, mut notes) =
            (note.into(), self.inner.notes.lock().unwrap_or_else(PoisonError::into_inner));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Sets the commands that reproduce the failure, in place of a single request.
    pub fn script(&self, commands: impl Into<String>) {
        *self.inner.script.lock().unwrap_or_else(PoisonError::into_inner) = Some(commands.into());
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.inner.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn exchanges(&self) -> usize {
        self.exchange_log().len()
    }

    /// The last exchanges up to the decisive one.
    pub(crate) fn evidence(&self, decisive: Option<usize>) -> Vec<Transcript> {
        let mut transcripts = self.exchange_log().evidence(decisive);
        let script = self.inner.script.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(last), Some(script)) = (transcripts.last_mut(), script) {
            last.curl = script;
        }
        transcripts
    }
}
