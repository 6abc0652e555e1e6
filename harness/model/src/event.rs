//! Events: the output of a run.
//!
//! Events are neutral, serializable and replayable: every report is a function of them, now or a year later.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::clause::{Clause, ClauseId, Level};
use crate::curl::Curl;
use crate::exchange::Transcript;
use crate::invocation::Invocation;
use crate::known_failure::{FailureReason, KnownFailure, Stale};
use crate::outcome::{Outcome, Repetitions, TestError};
use crate::recorded_step::RecordedStep;
use crate::scenario_id::ScenarioId;
use crate::target_info::TargetInfo;
use crate::verdict::Verdict;

/// The version of the format of `events.jsonl` and `summary.json`; a reader refuses any other.
pub const FORMAT: u32 = 2;

/// An event of a run, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The wall-clock instant.
    #[serde(deserialize_with = "time")]
    pub at: Timestamp,
    /// Its kind, with the data of that kind.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The time in a recording. The errors of its parser are about single digits.
fn time<'de, D: Deserializer<'de>>(input: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(input)?;
    text.parse().map_err(|_| D::Error::custom(format_args!("{text:?} is no time (RFC 3339)")))
}

/// The events of a conformance run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum EventKind {
    /// The first event: everything known before the first scenario.
    RunStarted(Arc<RunStarted>),
    /// A scenario starts, or the first repetition of one.
    ScenarioStarted {
        /// Its id.
        scenario: ScenarioId,
    },
    /// A scenario ended, with its last repetition, or was skipped. One event per scenario.
    ScenarioFinished(Arc<ScenarioFinished>),
    /// The last event.
    RunFinished(RunFinished),
}

impl EventKind {
    /// The event for output, with every text passed through `redact`.
    pub fn redacted(mut self, redact: impl Fn(&str) -> String) -> Self {
        self.for_each_text(|text| *text = redact(text));
        self
    }

    /// Changes every text that a server or a user may have sent.
    pub fn for_each_text(&mut self, mut change: impl FnMut(&mut String)) {
        let finished = match self {
            Self::ScenarioFinished(finished) => Arc::make_mut(finished),
            Self::RunStarted(started) => {
                return Arc::make_mut(started).invocation.flags.iter_mut().for_each(change);
            }
            Self::RunFinished(finished) => {
                let paths = finished.kept.iter_mut().chain(&mut finished.leftovers);
                let reasons =
                    [&mut finished.stopped, &mut finished.server_change, &mut finished.refused_removal];
                return reasons.into_iter().flatten().chain(paths).for_each(change);
            }
            Self::ScenarioStarted { .. } => return,
        };
        match &mut finished.outcome {
            Outcome::Failed { failure } => {
                [&mut failure.expected, &mut failure.actual].into_iter().for_each(&mut change);
            }
            Outcome::Errored { test_error } => {
                let TestError { action, cause, hint } = test_error;
                [action, cause, hint].into_iter().for_each(&mut change);
            }
            Outcome::Skipped { reason } => change(reason),
            Outcome::Passed => {}
        }
        for transcript in &mut finished.evidence {
            [&mut transcript.curl, &mut transcript.request, &mut transcript.response]
                .into_iter()
                .for_each(&mut change);
        }
        finished.steps.iter_mut().flat_map(RecordedStep::texts).for_each(&mut change);
        finished.notes.iter_mut().for_each(change);
    }
}

/// Everything known before the first scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// Name and version of the program.
    pub tool: String,
    /// The run's id, part of the name of every object that it creates.
    pub run: String,
    /// The seed of the order of scenarios.
    pub seed: u64,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// The server under test.
    pub target: TargetInfo,
    /// Every clause in scope, observable or not, in the catalogue's order.
    pub clauses: Vec<Clause>,
    /// The observable clauses in scope without a scenario.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_scenario: Vec<ClauseId>,
    /// The number of scenarios that will finish.
    pub scenarios: usize,
    /// The user's flags, and the build of the program.
    #[serde(default)]
    pub invocation: Invocation,
    /// How curl reaches the target.
    #[serde(default)]
    pub curl: Curl,
    /// The known failures that apply to this target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_failures: Vec<KnownFailure>,
}

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioFinished {
    /// Its id.
    pub scenario: ScenarioId,
    /// The clauses that it tests.
    pub clauses: Vec<ClauseId>,
    /// Its outcome; of several repetitions the gravest, with the evidence of that one.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Why the failure or test error was expected, if the list of known failures has an entry for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_failure: Option<FailureReason>,
    /// The outcomes of all repetitions, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions: Option<Repetitions>,
    /// The scenario whose exchange breaks the clause, if an invariant check found the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_in: Option<ScenarioId>,
    /// Its duration, over all repetitions.
    #[serde(with = "milliseconds", rename = "elapsed_ms")]
    pub elapsed: Duration,
    /// The number of its exchanges, over all repetitions.
    pub exchanges: usize,
    /// Legal but noteworthy: known deviations from the text, features not supported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The exchanges of a scenario that did not pass, the decisive one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Transcript>,
    /// All steps of a failed scenario, for a script that repeats them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<RecordedStep>,
}

impl ScenarioFinished {
    /// The result of a scenario without exchanges, repetitions and known failure.
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
            steps: Vec::new(),
        }
    }

    /// Whether it failed or ended in a test error: reports explain these two.
    pub fn is_unsuccessful(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. } | Outcome::Errored { .. })
    }

    /// Whether it failed.
    pub fn is_failure(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. })
    }

    /// Whether its repetitions differ in outcome.
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

    /// Why the failure or test error was expected; `None` unless it is a known failure and not flaky.
    pub fn as_known_failure(&self) -> Option<&FailureReason> {
        self.known_failure.as_ref().filter(|_| self.is_unsuccessful() && !self.flaky())
    }
}

/// How the run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFinished {
    /// Wall time of the whole run.
    #[serde(with = "milliseconds", rename = "elapsed_ms")]
    pub elapsed: Duration,
    /// Why the run stopped before its end: the user, the deadline, or a server that no longer responds or refuses the
    /// credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// How the server differed at the end of the run: another one or another version responded at its address, or it had other
    /// groups of Kubernetes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_change: Option<String>,
    /// How many objects the run created, and removed again.
    pub fixtures: usize,
    /// Paths of the objects that the run left on the server at the user's request (`--keep`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Paths of objects that the run failed to remove from the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<String>,
    /// How many of the leftovers the server is still removing: terminating namespaces, and objects in them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub terminating: usize,
    /// What keeps one of the leftovers: its path, and the request that the server refused, or the condition of a
    /// namespace that hinders its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_removal: Option<String>,
    /// Known failures to remove from their list, or to change: they fail the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Stale>,
}

impl RunFinished {
    /// How many of the results that are missing in a recording it has lost: a run that stopped early had none.
    pub fn lost_results(&self, missing: usize) -> usize {
        if self.stopped.is_none() { missing } else { 0 }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Failure;

    #[track_caller]
    fn assert_hides(kind: EventKind) {
        let redacted = kind.redacted(|text| text.replace("secret", "-"));
        let written = serde_json::to_string(&redacted).unwrap();
        assert!(written.contains('-') && !written.contains("secret"), "{written}");
    }

    #[test]
    fn what_a_server_said_is_hidden_in_every_event() {
        let text = || "secret".to_owned();
        for outcome in [
            Outcome::Failed { failure: Failure { expected: text(), actual: text(), exchange: None } },
            Outcome::Errored { test_error: TestError::new(text(), text()).hint(text()) },
            Outcome::Skipped { reason: text() },
        ] {
            let transcript = Transcript { curl: text(), request: text(), response: text(), elapsed_ms: 1 };
            let id = ScenarioId::of_invariant(&"a-b".into());
            assert_hides(EventKind::ScenarioFinished(Arc::new(ScenarioFinished {
                notes: vec![text()],
                evidence: vec![transcript],
                steps: vec![RecordedStep::action(text())],
                ..ScenarioFinished::new(id, Vec::new(), outcome)
            })));
        }
        assert_hides(EventKind::RunFinished(RunFinished {
            elapsed: Duration::ZERO,
            stopped: Some(text()),
            server_change: Some(text()),
            fixtures: 0,
            kept: vec![text()],
            leftovers: vec![text()],
            terminating: 0,
            refused_removal: Some(text()),
            stale: Vec::new(),
        }));
    }
}
