//! One run of some scenarios against a server with a fault, or with none.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use harness::{Catalogue, Client, Obstacle, Plan, Selection, Settings, Survey, Tally, Verdict};
use jiff::Timestamp;
use reference::Fault;
use tokio_util::sync::CancellationToken;

use super::behind::Behind;
use super::result::{Outcome, Right, told};
use crate::run::{TOOL, run_id, unlike};

/// How long a right server may take on a busy machine.
const FOR_A_RIGHT_SERVER: Duration = Duration::from_secs(20);

/// How long one answer may take on a busy machine.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// How long one scenario may take there: random sequences play for as long as a third of it.
const SCENARIO_WITHIN: Duration = Duration::from_mins(3);

/// How many scenarios of one trial run at a time.
const PARALLEL: usize = 8;

/// All trials of a proof.
pub(super) struct Trials {
    catalogue: Catalogue,
    behind: Behind,
    patience: Duration,
    stop: CancellationToken,
    /// Each run has an id of its own: they may be made on the same server.
    next: AtomicU64,
}

impl Trials {
    /// `patience` is how long a scenario waits for what a fault may keep from it.
    pub(super) fn new(behind: Behind, patience: Duration, stop: CancellationToken) -> Self {
        Self { catalogue: suites::catalogue(), behind, patience, stop, next: AtomicU64::new(unlike()) }
    }

    /// Asks the right server all that was selected, so that what fails without a fault is known.
    pub(super) async fn right(&self, selection: &Selection) -> Right {
        let everything = Selection { full: true, ..selection.clone() };
        let patience = self.patience.max(FOR_A_RIGHT_SERVER);
        let asked = self.run(Vec::new(), &everything, patience).await;
        asked.map_or_else(Right::Unknown, |tally| Right::of(&tally, self.behind.is_reference()))
    }

    /// Asks a wrong server about the clause that its fault breaks.
    pub(super) async fn wrong(&self, fault: &'static Fault) -> Outcome {
        let clauses = vec![fault.name.to_owned()];
        let selection = Selection { clauses, full: true, ..Selection::default() };
        let began = Instant::now();
        match self.run(vec![fault], &selection, self.patience).await {
            Ok(tally) => judged(&tally, fault.name, began.elapsed()),
            Err(obstacle) => Outcome::Survived(obstacle.to_string()),
        }
    }

    async fn run(
        &self,
        faults: Vec<&'static Fault>,
        selection: &Selection,
        patience: Duration,
    ) -> Result<Tally, Obstacle> {
        let server = self.behind.with(faults).await?;
        let client = Client::new(server.access().await?, ANSWER_WITHIN);
        let survey = Box::pin(Survey::take(&client)).await?;
        let plan = Plan::new(&self.catalogue, suites::all(), selection, &survey);
        let settings = Settings {
            id: run_id(self.next.fetch_add(1, Ordering::Relaxed)),
            tool: TOOL.to_owned(),
            seed: 1,
            parallel: PARALLEL,
            timeout: SCENARIO_WITHIN,
            patience,
            answer_within: ANSWER_WITHIN,
            strict: true,
            levers: server.levers(),
            wait_for_compaction: None,
            features: Vec::new(),
            clock: Timestamp::now,
            stop: self.stop.clone(),
        };
        Box::pin(harness::run(plan, client, survey, settings, |_| {})).await
    }
}

fn judged(tally: &Tally, clause: &str, took: Duration) -> Outcome {
    let verdict = tally.verdicts().find(|(known, _)| known.id.as_str() == clause).map(|(_, verdict)| verdict);
    match verdict {
        Some(Verdict::Violated) => Outcome::Caught(took),
        Some(Verdict::Untested { .. }) => Outcome::NotAsked(told(tally.scenarios())),
        _ => Outcome::Survived(told(tally.scenarios())),
    }
}
