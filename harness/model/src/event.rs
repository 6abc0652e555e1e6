//! Events: all that leaves a run.
//!
//! Events are neutral, serializable and replayable: every report is a function of them, now or a year later.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::clause::{Clause, ClauseId, Level};
use crate::exchange::Transcript;
use crate::invocation::Invocation;
use crate::known_failure::{FailureReason, KnownFailure, Stale};
use crate::outcome::{Outcome, Repetitions};
use crate::scenario_id::ScenarioId;
use crate::target_info::TargetInfo;
use crate::verdict::Verdict;

/// The version of the format of `events.jsonl` and `summary.json`; a reader refuses any other.
pub const FORMAT: u32 = 2;

/// Something that happened, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The wall-clock instant.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What can happen in a conformance run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum EventKind {
    /// The first event: all that is known before the first scenario.
    RunStarted(Box<RunStarted>),
    /// A scenario begins; of one that is repeated, its first repetition.
    ScenarioStarted {
        /// Which one.
        scenario: ScenarioId,
    },
    /// A scenario has ended, with its last repetition if it is repeated, or is known not to be asked. Comes once for
    /// each.
    ScenarioFinished(Box<ScenarioFinished>),
    /// The last event.
    RunFinished(RunFinished),
}

impl EventKind {
    /// The event as it may leave the program, every text of it passed through `redact`.
    pub fn redacted(self, redact: impl Fn(&str) -> String) -> Self {
        let hide = |text: &mut String| *text = redact(text);
        let mut finished = match self {
            Self::ScenarioFinished(finished) => finished,
            Self::RunStarted(mut started) => {
                started.invocation.flags.iter_mut().for_each(hide);
                return Self::RunStarted(started);
            }
            other => return other,
        };
        match &mut finished.outcome {
            Outcome::Failed { failure } => {
                [&mut failure.expected, &mut failure.actual].into_iter().for_each(hide);
            }
            Outcome::Errored { test_error } => {
                [&mut test_error.action, &mut test_error.cause].into_iter().for_each(hide);
            }
            Outcome::Skipped { reason } => hide(reason),
            Outcome::Passed => {}
        }
        for transcript in &mut finished.evidence {
            [&mut transcript.curl, &mut transcript.request, &mut transcript.response]
                .into_iter()
                .for_each(hide);
        }
        finished.notes.iter_mut().for_each(hide);
        Self::ScenarioFinished(finished)
    }
}

/// What is asked of whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// Name and version of the program.
    pub tool: String,
    /// The run's own id, part of the name of everything that it creates.
    pub run: String,
    /// Gives the same order of scenarios again.
    pub seed: u64,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// What the server says of itself.
    pub target: TargetInfo,
    /// Every clause in scope, observable or not, in the catalogue's order.
    pub clauses: Vec<Clause>,
    /// The observable clauses in scope that no suite has a scenario for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_scenario: Vec<ClauseId>,
    /// How many scenarios will finish.
    pub scenarios: usize,
    /// What the user asked for, and of which build of the program.
    #[serde(default)]
    pub invocation: Invocation,
    /// The known failures that apply to this target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_failures: Vec<KnownFailure>,
}

/// What came of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioFinished {
    /// Which one.
    pub scenario: ScenarioId,
    /// The clauses that it answers.
    pub clauses: Vec<ClauseId>,
    /// What came of it; of several repetitions the gravest outcome, and what goes with that one.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Why it was expected to fail, if it failed and the list of known failures has an entry for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_failure: Option<FailureReason>,
    /// What came of all repetitions, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<Repetitions>,
    /// Of a rule for every exchange that is broken: the scenario that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_in: Option<ScenarioId>,
    /// How long it took, all repetitions together.
    #[serde(with = "milliseconds", rename = "elapsed_ms")]
    pub elapsed: Duration,
    /// How many exchanges it made, in all repetitions.
    pub exchanges: usize,
    /// Legal but noteworthy: known deviations from the text, features not supported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The exchanges of a scenario that did not pass, the telling one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Transcript>,
}

impl ScenarioFinished {
    /// What a scenario says that was neither repeated nor known to fail, and asked nothing.
    pub fn new(scenario: ScenarioId, clauses: Vec<ClauseId>, outcome: Outcome) -> Self {
        Self {
            scenario,
            clauses,
            outcome,
            known_failure: None,
            repetitions: None,
            seen_in: None,
            elapsed: Duration::ZERO,
            exchanges: 0,
            notes: Vec::new(),
            evidence: Vec::new(),
        }
    }

    /// Whether it failed or ended in a test error, so that reports explain it.
    pub fn is_unsuccessful(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. } | Outcome::Errored { .. })
    }

    /// Whether it was not answered alike whenever it was asked.
    pub fn flaky(&self) -> bool {
        self.repetitions.is_some_and(Repetitions::flaky)
    }

    /// The verdict on a clause of this level. A flaky scenario is flaky, even if it is a known failure.
    pub fn verdict(&self, level: Level) -> Verdict {
        match self.as_known_failure() {
            _ if self.flaky() => Verdict::Flaky,
            Some(_) => Verdict::KnownFailure,
            None => Verdict::of(&self.outcome, level),
        }
    }

    /// Why it was expected to fail, if it failed, each time, as a known failure.
    pub fn as_known_failure(&self) -> Option<&FailureReason> {
        let failed = matches!(self.outcome, Outcome::Failed { .. });
        self.known_failure.as_ref().filter(|_| failed && !self.flaky())
    }
}

/// How the run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFinished {
    /// Wall time of the whole run.
    #[serde(with = "milliseconds", rename = "elapsed_ms")]
    pub elapsed: Duration,
    /// Why the run stopped before its end: the user, the deadline, or a server that no longer responds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// How many objects the run created, and removed again.
    pub fixtures: usize,
    /// Paths of what could not be removed from the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<String>,
    /// Known failures that must be removed from their list, or changed: they fail the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Stale>,
}

mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(elapsed: &Duration, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u64(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
        u64::deserialize(input).map(Duration::from_millis)
    }
}
