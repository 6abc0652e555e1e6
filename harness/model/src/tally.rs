//! Folds events into verdicts: every report counts from them, so that all reports agree.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use crate::clause::{Clause, ClauseId};
use crate::event::{Event, EventKind, RunFinished, RunStarted, ScenarioFinished};
use crate::known_failure::{FailureReason, Stale};
use crate::outcome::Outcome;
use crate::verdict::{Counts, NO_SCENARIO, NOT_OBSERVABLE, Verdict};

/// The events of a run so far. All tallies of a run share what its large events have.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    started: Option<Arc<RunStarted>>,
    finished: Option<RunFinished>,
    scenarios: Vec<Arc<ScenarioFinished>>,
    by_clause: HashMap<ClauseId, Vec<usize>>,
}

/// The conclusion of a run, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// A scenario ran for every observable clause in scope, and every `must` clause passed.
    Conformant,
    /// Nothing failed or is inconclusive, but a clause in scope was skipped: it has no scenario, or none applies to
    /// this target.
    Incomplete,
    /// Only known failures: some `must` clause (under `--strict` also a `should`) fails as its list expects. The run
    /// succeeds, but the server does not conform.
    KnownFailures,
    /// A clause is inconclusive, the run did not end, or its recording has lost results.
    Inconclusive,
    /// A `must` clause (under `--strict` also a `should`) failed, a clause is flaky, or a known failure is stale.
    Nonconformant,
}

impl Conclusion {
    /// Its name in reports for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Conformant => "conformant",
            Self::Incomplete => "incomplete",
            Self::KnownFailures => "known failures",
            Self::Inconclusive => "inconclusive",
            Self::Nonconformant => "nonconformant",
        }
    }
}

impl Tally {
    /// Adds the next event.
    pub fn add(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted(started) => self.started = Some(started.clone()),
            EventKind::ScenarioStarted { .. } => {}
            EventKind::ScenarioFinished(finished) => self.add_scenario(finished),
            EventKind::RunFinished(finished) => self.finished = Some(finished.clone()),
        }
    }

    fn add_scenario(&mut self, finished: &Arc<ScenarioFinished>) {
        for clause in &finished.clauses {
            self.by_clause.entry(clause.clone()).or_default().push(self.scenarios.len());
        }
        self.scenarios.push(finished.clone());
    }

    /// The first event, once received.
    pub fn started(&self) -> Option<&RunStarted> {
        self.started.as_deref()
    }

    /// The last event, once received.
    pub fn finished(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// The scenarios that have finished, in that order.
    pub fn scenarios(&self) -> impl ExactSizeIterator<Item = &ScenarioFinished> + Clone {
        self.scenarios.iter().map(|finished| &**finished)
    }

    /// Every clause in scope, in the catalogue's order.
    pub fn clauses(&self) -> &[Clause] {
        self.started.as_ref().map_or(&[], |started| &started.clauses)
    }

    /// Whether a suite has a scenario for a clause in scope, run or skipped.
    pub fn has_scenario(&self, clause: &ClauseId) -> bool {
        self.started.as_ref().is_some_and(|started| !started.without_scenario.contains(clause))
    }

    /// The finished scenarios of a clause.
    pub fn scenarios_of(&self, clause: &ClauseId) -> impl Iterator<Item = &ScenarioFinished> {
        self.by_clause.get(clause).into_iter().flatten().map(|&at| &*self.scenarios[at])
    }

    /// The verdict on a clause: the gravest of its scenarios.
    pub fn verdict(&self, clause: &Clause) -> Verdict {
        if !clause.observable() {
            return Verdict::Skipped;
        }
        Verdict::fold(self.scenarios_of(&clause.id).map(|finished| finished.verdict(clause.level)))
    }

    /// Why a clause was skipped: the reason of its first scenario; `None` if it was not.
    pub fn skip_reason(&self, clause: &Clause) -> Option<&str> {
        if self.verdict(clause) != Verdict::Skipped {
            return None;
        }
        if !clause.observable() {
            return Some(NOT_OBSERVABLE);
        }
        let first = self.scenarios_of(&clause.id).next().map(|finished| &finished.outcome);
        Some(if let Some(Outcome::Skipped { reason }) = first { reason } else { NO_SCENARIO })
    }

    /// Why the failure of a clause was expected, from its first known failure; `None` for any other verdict.
    pub fn known_failure(&self, clause: &Clause) -> Option<&FailureReason> {
        if self.verdict(clause) != Verdict::KnownFailure {
            return None;
        }
        self.scenarios_of(&clause.id).find_map(ScenarioFinished::as_known_failure)
    }

    /// The observable clauses in scope with their verdicts, in the catalogue's order.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Clause, Verdict)> {
        self.clauses()
            .iter()
            .filter(|clause| clause.observable())
            .map(|clause| (clause, self.verdict(clause)))
    }

    /// Whether a scenario fails the run: in a strict run a warning does too.
    pub fn fails_run(&self, finished: &ScenarioFinished) -> bool {
        let strict = self.started.as_ref().is_some_and(|started| started.strict);
        let mut in_scope = self.clauses().iter().filter(|clause| finished.clauses.contains(&clause.id));
        in_scope.any(|clause| finished.verdict(clause.level).fails(strict))
    }

    /// Counts per area, in the catalogue's order.
    pub fn areas(&self) -> Vec<(&str, Counts)> {
        let mut areas: Vec<(&str, Counts)> = Vec::new();
        for (clause, verdict) in self.verdicts() {
            if areas.last().is_none_or(|(name, _)| *name != clause.area) {
                areas.push((&clause.area, Counts::default()));
            }
            if let Some((_, counts)) = areas.last_mut() {
                counts.add(verdict);
            }
        }
        areas
    }

    /// Counts over all areas.
    pub fn counts(&self) -> Counts {
        self.verdicts().map(|(_, verdict)| verdict).collect()
    }

    /// The conclusion of the run.
    pub fn conclusion(&self) -> Conclusion {
        let counts = self.counts();
        let strict = self.started.as_ref().is_some_and(|started| started.strict);
        if counts.failed > 0 || (strict && counts.warning > 0) || counts.flaky > 0 || !self.stale().is_empty()
        {
            Conclusion::Nonconformant
        } else if counts.inconclusive > 0 || !self.ended_cleanly() || self.executed() == 0 {
            Conclusion::Inconclusive
        } else if self
            .verdicts()
            .any(|(clause, verdict)| clause.level.binds(strict) && verdict == Verdict::KnownFailure)
        {
            Conclusion::KnownFailures
        } else if self.verdicts().any(|(_, verdict)| verdict == Verdict::Skipped) {
            Conclusion::Incomplete
        } else {
            Conclusion::Conformant
        }
    }

    /// Known failures to remove from their list, or to change.
    pub fn stale(&self) -> &[Stale] {
        self.finished.as_ref().map_or(&[], |finished| &finished.stale)
    }

    /// The number of scenarios that ran.
    pub fn executed(&self) -> usize {
        self.scenarios.iter().filter(|scenario| !matches!(scenario.outcome, Outcome::Skipped { .. })).count()
    }

    /// The number of scenarios without a result in a run that ended by itself: a recording has lost their events.
    pub fn lost_results(&self) -> usize {
        let announced = self.started.as_ref().map_or(0, |started| started.scenarios);
        let missing = announced.saturating_sub(self.scenarios.len());
        self.finished.as_ref().map_or(0, |finished| finished.lost_results(missing))
    }

    fn ended_cleanly(&self) -> bool {
        let ended_cleanly = |finished: &RunFinished| {
            finished.stopped.is_none() && finished.server_change.is_none() && finished.leftovers.is_empty()
        };
        self.finished.as_ref().is_some_and(ended_cleanly) && self.lost_results() == 0
    }
}
