//! One run of the selected scenarios on the right server, shared by all test cases, and a row for each played fault.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use harness::{Outcome, ScenarioFinished, ScenarioId, Selection};
use kube_assay::prove::{Case, Fate, Matrix, Right, Row, Trials};
use libtest_mimic::{Completion, Failed};
use tokio::runtime::Handle;

/// The event timeout, as in `kube-assay prove`: a fault may hold events back.
const EVENT_TIMEOUT: Duration = Duration::from_secs(4);

/// The shared state of the test cases.
pub(crate) struct Proof {
    began: Instant,
    runtime: Handle,
    trials: Trials,
    /// The scenarios for the right server.
    selection: Selection,
    /// The run on the right server; the first test case that needs it starts it.
    right: OnceLock<Right>,
    rows: Mutex<Vec<Row>>,
    matrix: OnceLock<Matrix>,
    /// Whether no test case was filtered out.
    pub(crate) is_whole: bool,
}

impl Proof {
    /// A proof of these scenarios, and of those that must fail for these faults.
    pub(crate) fn new(runtime: Handle, selected: &[ScenarioId], cases: &[Case], is_whole: bool) -> Self {
        let suites = suites::all();
        let required = suites.iter().flat_map(|suite| &suite.scenarios);
        let required = required.filter(|one| cases.iter().any(|case| case.concerns(&one.clauses)));
        let only: HashSet<_> = required.map(|one| one.id.clone()).chain(selected.iter().cloned()).collect();
        Self {
            began: Instant::now(),
            runtime,
            trials: Trials::on_reference(EVENT_TIMEOUT),
            selection: Selection { only: Some(only), ..Selection::default() },
            right: OnceLock::new(),
            rows: Mutex::new(Vec::new()),
            matrix: OnceLock::new(),
            is_whole,
        }
    }

    fn right(&self) -> &Right {
        self.right.get_or_init(|| self.runtime.block_on(self.trials.right(&self.selection)))
    }

    /// The result of a scenario on the right server.
    pub(crate) fn judge(&self, id: &ScenarioId) -> Result<Completion, Failed> {
        let right = self.right();
        if let Some(test_error) = &right.unknown {
            return Err(test_error.to_string().into());
        }
        let finished = right.scenario(id.as_str()).ok_or("the scenario did not run")?;
        match &finished.outcome {
            Outcome::Passed => Ok(Completion::Completed),
            Outcome::Skipped { reason } if right.accepts(&finished.outcome) || self.may_be_idle(id) => {
                Ok(Completion::ignored_with(reason))
            }
            _ => Err(explain(finished).into()),
        }
    }

    /// Whether a filter may leave an invariant check without any exchange that it applies to.
    fn may_be_idle(&self, id: &ScenarioId) -> bool {
        !self.is_whole && *id == ScenarioId::of_invariant(&id.clause().into())
    }

    /// Plays a fault, and stores its row.
    pub(crate) fn play(self: &Arc<Self>, case: Case) -> Result<Completion, Failed> {
        self.right();
        // In a task of the runtime, so that no test case blocks a thread of the others' servers.
        let proof = self.clone();
        let playing = self.runtime.spawn(async move { proof.trials.wrong(case, proof.right()).await });
        let row = self.runtime.block_on(playing)?;
        let (fate, text) = (row.fate.clone(), row.to_string());
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
        match fate {
            Fate::Caught => Ok(Completion::Completed),
            Fate::NotApplicable => {
                Ok(Completion::ignored_with("its scenarios do not apply to the reference server"))
            }
            Fate::Survived | Fate::CannotBeShown(_) => Err(text.into()),
        }
    }

    pub(crate) fn leaves_nothing_behind(&self) -> Result<(), Failed> {
        let leftovers = &self.right().left_behind;
        if leftovers.is_empty() { Ok(()) } else { Err(leftovers.join("\n").into()) }
    }

    pub(crate) fn has_no_idle_scenario(&self) -> Result<(), Failed> {
        let idle = &self.matrix().idle;
        if idle.is_empty() { Ok(()) } else { Err(idle.join("\n").into()) }
    }

    pub(crate) fn is_documented(&self) -> Result<(), Failed> {
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/matrix.md"))?;
        let seen = self.matrix().page();
        if seen == page {
            return Ok(());
        }
        let unlike = seen.lines().zip(page.lines()).find(|(seen, page)| seen != page);
        let (seen, page) = unlike.unwrap_or(("the common lines are equal", "one of them is longer"));
        Err(format!("docs/matrix.md is stale: run `cargo ci matrix`\n seen: {seen}\n docs: {page}").into())
    }

    /// The matrix of all rows: requested after all faults were played.
    fn matrix(&self) -> &Matrix {
        self.matrix.get_or_init(|| {
            let rows = std::mem::take(&mut *self.rows.lock().unwrap_or_else(PoisonError::into_inner));
            Matrix::new(true, self.right().clone(), rows, self.began.elapsed())
        })
    }
}

/// An outcome with its evidence and the command that reproduces it.
fn explain(finished: &ScenarioFinished) -> String {
    let mut text = match &finished.outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("expected {}\nactual {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("skipped: {reason}"),
        Outcome::Errored { test_error } => test_error.to_string(),
    };
    for exchange in &finished.evidence {
        let _ = write!(text, "\n\n{}\n\n{}\n\n{}", exchange.request, exchange.response, exchange.curl);
    }
    text
}
