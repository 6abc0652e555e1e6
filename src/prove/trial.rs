//! One run of some scenarios against a server with a fault, or without one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use harness::{
    Catalogue, Client, Clock, Outcome, Plan, Profile, Selection, Settings, Suite, Tally, TargetInfo,
    TestError,
};
use reference::Fault;
use tokio_util::sync::CancellationToken;

use super::backend::{Backend, FaultyServer};
use super::case::Case;
use super::right::Right;
use super::row::{self, Cells, Fate, Row};
use super::sample;
use crate::clock;
use crate::run::{TOOL, run_id, unlike};

/// Event timeout for a correct server on a busy machine.
const FOR_A_RIGHT_SERVER: Duration = Duration::from_secs(20);

/// Timeout for one response on a busy machine.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout for one scenario on a busy machine: random sequences play for up to a third of it.
const SCENARIO_TIMEOUT: Duration = Duration::from_mins(3);

/// The number of concurrent scenarios of one trial.
const PARALLEL: usize = 8;

/// The maximum number of plays of a fault, until all its scenarios have failed: some fail only by chance.
const PLAYS: u64 = 3;

/// All trials of a proof.
pub struct Trials {
    catalogue: Catalogue,
    suites: Vec<Suite>,
    backend: Backend,
    event_timeout: Duration,
    sample: usize,
    stop: CancellationToken,
    /// The next run ID: several runs may use the same server.
    next: AtomicU64,
}

/// A server with its target info.
struct Met {
    server: FaultyServer,
    client: Client,
    target_info: TargetInfo,
}

impl Trials {
    /// Trials on the reference server, without scenarios of other clauses.
    pub fn on_reference(event_timeout: Duration) -> Self {
        Self::new(Backend::new(None), event_timeout, 0, CancellationToken::new())
    }

    /// `event_timeout` is the timeout for a watch event that a fault may delay, `sample` the number of scenarios of
    /// other clauses per fault.
    pub(super) fn new(
        backend: Backend,
        event_timeout: Duration,
        sample: usize,
        stop: CancellationToken,
    ) -> Self {
        Self {
            catalogue: suites::catalogue(),
            suites: suites::all(),
            backend,
            event_timeout,
            sample,
            stop,
            next: AtomicU64::new(unlike()),
        }
    }

    /// Runs all selected scenarios on the right server, to know those that fail without a fault.
    pub async fn right(&self, selection: &Selection) -> Right {
        let everything = Selection { profile: Profile::Full, ..selection.clone() };
        let event_timeout = self.event_timeout.max(FOR_A_RIGHT_SERVER);
        let running = async {
            let met = self.meet(Vec::new()).await?;
            self.run(&met, self.plan(self.suites.clone(), &everything, &met), event_timeout, 1).await
        };
        running.await.map_or_else(Right::unknown, |tally| Right::of(&tally, self.backend.is_reference()))
    }

    /// Runs the scenarios of the clauses that a fault breaks on a server with that fault.
    pub async fn wrong(&self, case: Case, right: &Right) -> Row {
        let began = Instant::now();
        let (mut own, mut sample, mut plays, mut effects) = (Cells::new(), Cells::new(), 0, None);
        while plays < PLAYS && (plays == 0 || is_open(&case, &own)) && !self.stop.is_cancelled() {
            plays += 1;
            match self.play(&case, plays).await {
                Ok((met, tally)) => {
                    row::add(&mut own, &tally);
                    effects = met.server.effects().map(|more| more + effects.unwrap_or_default());
                    if plays == 1 && self.sample > 0 {
                        sample = self.sampled(&met, &case).await;
                    }
                }
                Err(test_error) => drop(own.insert("(the run)".to_owned(), Outcome::Errored { test_error })),
            }
        }
        let fate = Fate::of(&own, right, hidden(case.fault, effects));
        Row { case, fate, own, sample, plays, took: began.elapsed() }
    }

    async fn play(&self, case: &Case, seed: u64) -> Result<(Met, Tally), TestError> {
        let met = self.meet(vec![case.fault]).await?;
        let tally = self
            .run(&met, self.plan(self.suites_of(case), &of(case), &met), self.event_timeout, seed)
            .await?;
        Ok((met, tally))
    }

    /// The outcomes of some scenarios of other clauses.
    async fn sampled(&self, met: &Met, case: &Case) -> Cells {
        let mut cells = Cells::new();
        let mut plan = self.plan(self.suites.clone(), &Selection::default(), met);
        sample::choose(&mut plan, case, self.sample);
        if !plan.scenarios.is_empty() {
            // An error here is no news: the scenarios of the fault's own clauses have run.
            if let Ok(tally) = self.run(met, plan, self.event_timeout, 1).await {
                row::add(&mut cells, &tally);
            }
        }
        cells
    }

    async fn meet(&self, faults: Vec<&'static Fault>) -> Result<Met, TestError> {
        let server = self.backend.with(faults).await?;
        let client = Client::new(server.access().await?, REQUEST_TIMEOUT);
        let target_info = Box::pin(client.target_info()).await?;
        Ok(Met { server, client, target_info })
    }

    fn plan(&self, suites: Vec<Suite>, selection: &Selection, met: &Met) -> Plan {
        Plan::new(&self.catalogue, suites, selection, &met.target_info)
    }

    /// The suites without the scenarios of other clauses: a plan of all of them takes longer than most faults.
    fn suites_of(&self, case: &Case) -> Vec<Suite> {
        let of_case = |suite: &Suite| Suite {
            area: suite.area,
            scenarios: suite.scenarios.iter().filter(|one| case.concerns(&one.clauses)).cloned().collect(),
            invariants: suite.invariants.clone(),
        };
        self.suites.iter().map(of_case).collect()
    }

    async fn run(
        &self,
        met: &Met,
        plan: Plan,
        event_timeout: Duration,
        seed: u64,
    ) -> Result<Tally, TestError> {
        let settings = Settings {
            id: run_id(self.next.fetch_add(1, Ordering::Relaxed)),
            tool: TOOL.to_owned(),
            seed,
            parallel: PARALLEL,
            scenario_timeout: SCENARIO_TIMEOUT,
            event_timeout,
            request_timeout: REQUEST_TIMEOUT,
            strict: true,
            keep: false,
            hooks: met.server.hooks(),
            deadline: None,
            max_failures: None,
            causes_of: |_| Vec::new(),
            wait_for_compaction: None,
            probe_first: false,
            features: Vec::new(),
            invocation: harness::Invocation::default(),
            clock: Clock::Wall(clock::now),
            slowdown: std::sync::Arc::default(),
            stop: self.stop.clone(),
        };
        let running = harness::run(plan, met.client.clone(), met.target_info.clone(), settings, |_| {});
        Box::pin(running).await.map_err(TestError::from)
    }
}

/// Whether another play may show more. One failed scenario is enough for a bug.
fn is_open(case: &Case, own: &Cells) -> bool {
    let caught = case.is_bug() && own.values().any(row::is_kill);
    !caught && own.values().any(row::is_open)
}

/// The scenarios of the clauses of a fault.
fn of(case: &Case) -> Selection {
    let clauses = case.clauses.iter().map(|clause| (*clause).to_owned()).collect();
    Selection { clauses, profile: Profile::Full, ..Selection::default() }
}

/// The reason why a fault may have no visible effect in front of a server.
fn hidden(fault: &Fault, effects: Option<usize>) -> Option<String> {
    match effects? {
        0 => Some("it changed no exchange with this server".to_owned()),
        _ => reference::needs(fault).map(|what| format!("it shows on a server with {what} only")),
    }
}
