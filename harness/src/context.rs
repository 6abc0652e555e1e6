//! All that a scenario is given; cheap to clone.

mod discovered;
mod offered;
mod outside;
mod own;
mod place;
mod policy;
mod subject;
mod wait;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::exchange::{Exchange, Transcript};
use crate::gate::Pass;
use crate::outcome::{Failure, Halt, Obstacle};
use crate::request::Request;
use crate::run::Shared;
use crate::scenario::{ScenarioId, Subject};
use crate::target::Survey;
use crate::watch::Watch;

pub(crate) use discovered::Discovered;

/// How often a 429 is waited out before it is an obstacle.
const TOO_MANY_REQUESTS_AT_MOST: usize = 20;

/// The longest that one 429 is waited out, whatever its Retry-After says.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A scenario's view of the run: it sends, it remembers what was sent, it provides what to ask about.
#[derive(Debug, Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    scenario: ScenarioId,
    subject: Subject,
    number: usize,
    shared: Arc<Shared>,
    pass: Pass,
    deadline: Mutex<Instant>,
    namespace: OnceCell<String>,
    log: Mutex<Vec<Option<Arc<Exchange>>>>,
    notes: Mutex<Vec<String>>,
    script: Mutex<Option<String>>,
}

impl Context {
    pub(crate) fn new(
        scenario: ScenarioId,
        subject: Subject,
        number: usize,
        shared: Arc<Shared>,
        pass: Pass,
    ) -> Self {
        let deadline = Mutex::new(Instant::now() + shared.settings.scenario_timeout);
        Self {
            inner: Arc::new(Inner {
                scenario,
                subject,
                number,
                shared,
                pass,
                deadline,
                namespace: OnceCell::new(),
                log: Mutex::default(),
                notes: Mutex::default(),
                script: Mutex::default(),
            }),
        }
    }

    /// The scenario's own name.
    pub fn scenario(&self) -> &ScenarioId {
        &self.inner.scenario
    }

    /// Its number among all executions of the run: repetitions of one scenario have a number each.
    pub(crate) fn number(&self) -> usize {
        self.inner.number
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// What the server says of itself.
    pub fn survey(&self) -> &Survey {
        &self.inner.shared.survey
    }

    /// The run's seed: given again, everything random is the same again.
    pub fn run_seed(&self) -> u64 {
        self.inner.shared.settings.seed
    }

    /// What random choices of the scenario are made from.
    pub fn seed(&self) -> [u8; 32] {
        self.inner.scenario.seed(self.inner.shared.settings.seed)
    }

    /// How long an event or a change may take to show before it counts as missing.
    pub fn event_timeout(&self) -> Duration {
        self.inner.shared.settings.event_timeout
    }

    /// Sends a request and reads the answer.
    ///
    /// An answer 429 with Retry-After is waited out, visibly: every attempt is an exchange of the scenario.
    pub async fn send(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        self.send_unless(request, |_| false).await
    }

    /// Sends a request and reads the answer, as [`Self::send`] does, but takes a 429 that was meant to be provoked.
    pub async fn send_unless(
        &self,
        request: Request,
        mut meant: impl FnMut(&Exchange) -> bool,
    ) -> Result<Arc<Exchange>, Halt> {
        for _ in 0..TOO_MANY_REQUESTS_AT_MOST {
            let exchange = self.send_once(request.clone()).await?;
            let Some(wait) = retry_after(&exchange).filter(|_| !meant(&exchange)) else {
                return Ok(exchange);
            };
            tokio::time::sleep(wait).await;
        }
        let why = format!("the server answered 429 {TOO_MANY_REQUESTS_AT_MOST} times in a row");
        Err(self.obstacle(format!("{} {}", request.method, request.path), why).into())
    }

    /// Sends a request once and takes whatever comes, a 429 as well.
    pub async fn send_once(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let request = self.with_policy(request);
        self.may_send(&request)?;
        let (index, ledger) = (self.reserve(), self.inner.shared.watchdog.ledger());
        let begun = ledger.begin();
        let (response, timing) = self.inner.shared.carry(request.clone(), self.agent()).await?;
        let exchange = Exchange::new(index, request, response, timing).valued_at(self.value_at());
        let exchange = self.log(exchange);
        ledger.answered(&exchange, begun);
        Ok(exchange)
    }

    /// Opens a watch. An answer other than 200 is an exchange, not a watch: see [`Opening`].
    pub async fn open(&self, request: Request) -> Result<Opening, Halt> {
        for _ in 0..TOO_MANY_REQUESTS_AT_MOST {
            match self.open_once(request.clone()).await? {
                Opening::Refused(exchange) => match retry_after(&exchange) {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Ok(Opening::Refused(exchange)),
                },
                watch @ Opening::Watch(_) => return Ok(watch),
            }
        }
        Err(self.obstacle(format!("watch {}", request.path), "the server keeps answering 429").into())
    }

    /// Opens a watch; `None` if no answer begins within a time.
    pub async fn open_within(&self, request: Request, limit: Duration) -> Result<Option<Opening>, Halt> {
        tokio::time::timeout(limit, self.open(request)).await.ok().transpose()
    }

    async fn open_once(&self, request: Request) -> Result<Opening, Halt> {
        self.may_send(&request)?;
        let index = self.reserve();
        let (client, agent) = (&self.inner.shared.client, self.agent());
        let answer = async {
            let opened = client.open(&request, &agent).await?;
            if opened.response.status == 200 {
                return Ok(Opening::Watch(Box::new(Watch::new(
                    self.clone(),
                    request.clone(),
                    opened,
                    index,
                ))));
            }
            let (response, timing) = client.read(&request, opened).await?;
            Ok(Opening::Refused(self.log(Exchange::new(index, request.clone(), response, timing))))
        };
        let answered = tokio::time::timeout(self.inner.shared.settings.request_timeout, answer).await;
        answered.unwrap_or_else(|_| {
            Err(self.obstacle(format!("watch {}", request.path), "no answer in time").into())
        })
    }

    fn agent(&self) -> String {
        let shared = &self.inner.shared;
        format!(
            "{} run/{} scenario/{}",
            shared.settings.tool.replace(' ', "/"),
            shared.id,
            self.inner.scenario
        )
    }

    fn reserve(&self) -> usize {
        let mut log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push(None);
        log.len() - 1
    }

    fn log(&self, exchange: Exchange) -> Arc<Exchange> {
        let exchange = Arc::new(exchange);
        self.judge(&exchange);
        self.remember(&exchange);
        exchange
    }

    fn judge(&self, exchange: &Exchange) {
        self.inner.shared.watchdog.look(exchange, &self.inner.scenario, &self.inner.shared.curl);
    }

    pub(crate) fn log_stream(&self, exchange: Exchange, first: bool) -> Arc<Exchange> {
        let exchange = Arc::new(exchange);
        if first {
            self.judge(&exchange);
        }
        self.remember(&exchange);
        exchange
    }

    fn remember(&self, exchange: &Arc<Exchange>) {
        let mut log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        log[exchange.index] = Some(exchange.clone());
    }

    /// A failure, shown by an exchange of this scenario.
    pub fn failed(
        &self,
        expected: impl Into<String>,
        actual: impl Into<String>,
        exchange: Option<usize>,
    ) -> Halt {
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange })
    }

    /// An obstacle without advice.
    pub fn obstacle(&self, attempted: impl Into<String>, why: impl Into<String>) -> Obstacle {
        Obstacle::new(attempted, why)
    }

    /// The server does not offer an optional feature: the scenario is not asked,
    /// unless the user declared that it does.
    pub fn lacks(&self, feature: &str, why: impl Into<String>) -> Halt {
        if self.inner.shared.settings.features.iter().any(|declared| declared == feature) {
            return self.failed(format!("{feature}, as declared with --feature"), why, None);
        }
        Halt::Skipped(format!("this server does not offer {feature}: {}", why.into()))
    }

    /// Notes something legal but noteworthy, such as a known deviation from the text; once, however often it is seen.
    pub fn note(&self, note: impl Into<String>) {
        let (note, mut notes) =
            (note.into(), self.inner.notes.lock().unwrap_or_else(PoisonError::into_inner));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Commands that show what failed, in place of the one request that shows it.
    pub fn script(&self, commands: impl Into<String>) {
        *self.inner.script.lock().unwrap_or_else(PoisonError::into_inner) = Some(commands.into());
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.inner.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn exchanges(&self) -> usize {
        self.inner.log.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The last exchanges up to and with the telling one.
    pub(crate) fn evidence(&self, telling: Option<usize>) -> Vec<Transcript> {
        let log = self.inner.log.lock().unwrap_or_else(PoisonError::into_inner);
        let end = telling.map_or(log.len(), |index| (index + 1).min(log.len()));
        let start = end.saturating_sub(EVIDENCE);
        let transcripts =
            log[start..end].iter().flatten().map(|exchange| exchange.transcript(&self.inner.shared.curl));
        let mut transcripts: Vec<_> = transcripts.collect();
        let script = self.inner.script.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(last), Some(script)) = (transcripts.last_mut(), script) {
            last.curl = script;
        }
        transcripts
    }
}

/// How many exchanges are kept of a scenario that did not pass.
const EVIDENCE: usize = 5;

/// What came of asking for a watch.
#[derive(Debug)]
pub enum Opening {
    /// A stream.
    Watch(Box<Watch>),
    /// An answer that is no stream.
    Refused(Arc<Exchange>),
}

/// How long to wait, if the answer says that we come too often or too early.
///
/// A fresh custom resource answers "storage is (re)initializing" for a moment, in some releases not as a 429.
pub(crate) fn retry_after(exchange: &Exchange) -> Option<Duration> {
    let initializing = || exchange.status() >= 429 && exchange.text().contains("storage is (re)initializing");
    if exchange.status() == 429 || initializing() {
        let seconds = exchange.header("retry-after").and_then(|value| value.parse().ok());
        return Some(Duration::from_secs(seconds.unwrap_or(1)).min(LONGEST_WAIT));
    }
    None
}
