//! Events folded into verdicts: what every report counts from, so that all reports agree.

use std::collections::HashMap;

use crate::clause::{Clause, ClauseId, Level};
use crate::event::{Event, EventKind, RunFinished, RunStarted, ScenarioFinished};
use crate::known::Stale;
use crate::outcome::{Outcome, Verdict};

/// All that a run's events said so far.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    started: Option<RunStarted>,
    finished: Option<RunFinished>,
    scenarios: Vec<ScenarioFinished>,
    by_clause: HashMap<ClauseId, Vec<usize>>,
}

/// How many clauses have which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every scenario passed.
    pub upheld: usize,
    /// `must` clauses that the server breaks.
    pub violated: usize,
    /// `should` clauses that the server breaks.
    pub warned: usize,
    /// `may` clauses that the server does not offer.
    pub not_offered: usize,
    /// Clauses of any level that were not answered alike whenever they were asked.
    pub flaky: usize,
    /// Clauses of any level that the server breaks, as is known.
    pub known: usize,
    /// Could not be found out.
    pub undetermined: usize,
    /// Not asked, with a reason.
    pub untested: usize,
}

impl Counts {
    fn add(&mut self, level: Level, verdict: &Verdict) {
        *match (verdict, level) {
            (Verdict::Upheld, _) => &mut self.upheld,
            (Verdict::Violated, Level::Must) => &mut self.violated,
            (Verdict::Violated, Level::Should) => &mut self.warned,
            (Verdict::Violated, Level::May) => &mut self.not_offered,
            (Verdict::Flaky, _) => &mut self.flaky,
            (Verdict::Known { .. }, _) => &mut self.known,
            (Verdict::Undetermined, _) => &mut self.undetermined,
            (Verdict::Untested { .. }, _) => &mut self.untested,
        } += 1;
    }

    /// All clauses counted.
    pub fn total(&self) -> usize {
        let broken = self.violated + self.warned + self.not_offered + self.flaky + self.known;
        self.upheld + broken + self.undetermined + self.untested
    }
}

/// What the whole run says: the ground of the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Every observable clause in scope was asked, and every `must` clause is upheld.
    Conformant,
    /// Nothing is violated or undetermined, but some clause in scope was skipped: nobody wrote its scenario, or it could
    /// not be asked here.
    Incomplete,
    /// Nothing is violated or undetermined but what is known: some `must` clause (under `--strict` also a `should`).
    Known,
    /// Something could not be found out, or the run did not end.
    Undetermined,
    /// A `must` clause (under `--strict` also a `should`) is violated, a clause is flaky, or a known failure is stale.
    Violated,
}

impl Tally {
    /// Takes the next event in.
    pub fn add(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted(started) => self.started = Some((**started).clone()),
            EventKind::ScenarioStarted { .. } => {}
            EventKind::ScenarioFinished(finished) => self.add_scenario(finished),
            EventKind::RunFinished(finished) => self.finished = Some(finished.clone()),
        }
    }

    fn add_scenario(&mut self, finished: &ScenarioFinished) {
        for clause in &finished.clauses {
            self.by_clause.entry(clause.clone()).or_default().push(self.scenarios.len());
        }
        self.scenarios.push(finished.clone());
    }

    /// What was asked of whom, once known.
    pub fn started(&self) -> Option<&RunStarted> {
        self.started.as_ref()
    }

    /// How the run ended, once it has.
    pub fn finished(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// The scenarios that have finished, in that order.
    pub fn scenarios(&self) -> &[ScenarioFinished] {
        &self.scenarios
    }

    /// Every clause in scope, in the catalogue's order.
    pub fn clauses(&self) -> &[Clause] {
        self.started.as_ref().map_or(&[], |started| &started.clauses)
    }

    /// Whether a suite has a scenario for a clause in scope, asked or not.
    pub fn has_scenario(&self, clause: &ClauseId) -> bool {
        self.started.as_ref().is_some_and(|started| !started.without_scenario.contains(clause))
    }

    /// The scenarios that answered a clause.
    pub fn scenarios_of(&self, clause: &ClauseId) -> impl Iterator<Item = &ScenarioFinished> {
        self.by_clause.get(clause).into_iter().flatten().map(|&at| &self.scenarios[at])
    }

    /// A clause's verdict: the gravest of its scenarios, but that flaky ones outrank failed ones unless it is a `must`.
    /// One that cannot be observed over the API is untested for that reason.
    pub fn verdict(&self, clause: &Clause) -> Verdict {
        if !clause.observable() {
            return Verdict::Untested { reason: "cannot be observed over the API".to_owned() };
        }
        let verdict = Verdict::of(self.scenarios_of(&clause.id).map(ScenarioFinished::verdict));
        // What fails no run must not hide what does.
        let hides = verdict == Verdict::Violated && clause.level != Level::Must;
        if hides && self.scenarios_of(&clause.id).any(ScenarioFinished::flaky) {
            Verdict::Flaky
        } else {
            verdict
        }
    }

    /// The observable clauses in scope with their verdicts, in the catalogue's order.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Clause, Verdict)> {
        self.clauses()
            .iter()
            .filter(|clause| clause.observable())
            .map(|clause| (clause, self.verdict(clause)))
    }

    /// Counts per area, in the catalogue's order.
    pub fn areas(&self) -> Vec<(&str, Counts)> {
        let mut areas: Vec<(&str, Counts)> = Vec::new();
        for (clause, verdict) in self.verdicts() {
            if areas.last().is_none_or(|(name, _)| *name != clause.area) {
                areas.push((&clause.area, Counts::default()));
            }
            if let Some((_, counts)) = areas.last_mut() {
                counts.add(clause.level, &verdict);
            }
        }
        areas
    }

    /// Counts over all areas.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (clause, verdict) in self.verdicts() {
            counts.add(clause.level, &verdict);
        }
        counts
    }

    /// What the run says as a whole.
    pub fn judgement(&self) -> Judgement {
        let counts = self.counts();
        let strict = self.started.as_ref().is_some_and(|started| started.strict);
        if counts.violated > 0
            || (strict && counts.warned > 0)
            || counts.flaky > 0
            || !self.stale().is_empty()
        {
            Judgement::Violated
        } else if counts.undetermined > 0 || !self.ended_cleanly() || self.asked() == 0 {
            Judgement::Undetermined
        } else if self
            .verdicts()
            .any(|(clause, verdict)| clause.level.binds(strict) && matches!(verdict, Verdict::Known { .. }))
        {
            Judgement::Known
        } else if self.verdicts().any(|(_, verdict)| matches!(verdict, Verdict::Untested { .. })) {
            Judgement::Incomplete
        } else {
            Judgement::Conformant
        }
    }

    /// The known failures that must be removed from their list, or changed.
    pub fn stale(&self) -> &[Stale] {
        self.finished.as_ref().map_or(&[], |finished| &finished.stale)
    }

    /// How many scenarios were put to the server.
    pub fn asked(&self) -> usize {
        self.scenarios.iter().filter(|scenario| !matches!(scenario.outcome, Outcome::Skipped { .. })).count()
    }

    fn ended_cleanly(&self) -> bool {
        self.finished.as_ref().is_some_and(|finished| !finished.interrupted && finished.leftovers.is_empty())
    }
}
