//! One run of the chosen scenarios on the right server, which all test cases share, and a row for each fault played.

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

/// How long an event may take that a fault may hold back: as long as `kube-assay prove` gives it.
const EVENT_TIMEOUT: Duration = Duration::from_secs(4);

/// What the test cases share.
pub(crate) struct Proof {
    began: Instant,
    runtime: Handle,
    trials: Trials,
    /// What the right server is asked.
    selection: Selection,
    /// How that went; the first test case that needs it runs it.
    right: OnceLock<Right>,
    rows: Mutex<Vec<Row>>,
    matrix: OnceLock<Matrix>,
    /// Whether nothing was filtered out.
    pub(crate) is_whole: bool,
}

impl Proof {
    /// Of these scenarios, and those that must notice these faults.
    pub(crate) fn new(runtime: Handle, chosen: &[ScenarioId], cases: &[Case], is_whole: bool) -> Self {
        let suites = suites::all();
        let concerned = suites.iter().flat_map(|suite| &suite.scenarios);
        let concerned = concerned.filter(|one| cases.iter().any(|case| case.concerns(&one.clauses)));
        let only: HashSet<_> = concerned.map(|one| one.id.clone()).chain(chosen.iter().cloned()).collect();
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

    /// How a scenario ended on the right server.
    pub(crate) fn judge(&self, id: &ScenarioId) -> Result<Completion, Failed> {
        let right = self.right();
        if let Some(test_error) = &right.unknown {
            return Err(test_error.to_string().into());
        }
        let one = right.scenario(id.as_str()).ok_or("it did not run")?;
        match &one.outcome {
            Outcome::Passed => Ok(Completion::Completed),
            Outcome::Skipped { reason } if right.accepts(&one.outcome) || self.may_see_nothing(id) => {
                Ok(Completion::ignored_with(reason))
            }
            _ => Err(explained(one).into()),
        }
    }

    /// Whether a scenario may be skipped because only some run: an invariant check may then see no exchange that it
    /// applies to.
    fn may_see_nothing(&self, id: &ScenarioId) -> bool {
        !self.is_whole && *id == ScenarioId::of_invariant(&id.clause().into())
    }

    /// Plays a fault, and keeps its row.
    pub(crate) fn play(self: &Arc<Self>, case: Case) -> Result<Completion, Failed> {
        self.right();
        // As a task, so that no test case keeps a thread from the servers of the others.
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
        let left = &self.right().left_behind;
        if left.is_empty() { Ok(()) } else { Err(left.join("\n").into()) }
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
        let (seen, page) = unlike.unwrap_or(("the other lines are the same", "one of them is longer"));
        Err(format!("docs/matrix.md is stale: run `cargo ci matrix`\n seen: {seen}\n docs: {page}").into())
    }

    /// Of all rows: it is asked for when all faults have been played.
    fn matrix(&self) -> &Matrix {
        self.matrix.get_or_init(|| {
            let rows = std::mem::take(&mut *self.rows.lock().unwrap_or_else(PoisonError::into_inner));
            Matrix::new(true, self.right().clone(), rows, self.began.elapsed())
        })
    }
}

/// An outcome with all exchanges that are kept of it, and the command that shows it again.
fn explained(one: &ScenarioFinished) -> String {
    let mut text = match &one.outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed { failure } => format!("expected {}\nactual {}", failure.expected, failure.actual),
        Outcome::Skipped { reason } => format!("skipped: {reason}"),
        Outcome::Errored { test_error } => test_error.to_string(),
    };
    for shown in &one.evidence {
        let _ = write!(text, "\n\n{}\n\n{}\n\n{}", shown.request, shown.response, shown.curl);
    }
    text
}
