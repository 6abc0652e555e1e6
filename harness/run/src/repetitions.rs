//! Folds the repetitions of a scenario into one event: it starts with the first, and finishes with the last.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use model::{EventKind, Level, Outcome, Repetitions, ScenarioFinished, ScenarioId, Verdict};

use crate::plan::Plan;

/// Holds back the events of unfinished scenarios.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    times: BTreeMap<ScenarioId, usize>,
    started: HashSet<ScenarioId>,
    so_far: BTreeMap<ScenarioId, Vec<Arc<ScenarioFinished>>>,
}

impl Repeated {
    /// The repetitions of a plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        let times = plan.scenarios.iter().map(|scenario| (scenario.id.clone(), plan.times(scenario)));
        Self { times: times.filter(|(_, times)| *times > 1).collect(), ..Self::default() }
    }

    /// The events to emit after this one. The end of the run finishes scenarios with missing repetitions.
    pub(crate) fn take(&mut self, kind: EventKind) -> Vec<EventKind> {
        match kind {
            EventKind::ScenarioStarted { scenario } if self.times.contains_key(&scenario) => {
                let first = self.started.insert(scenario.clone());
                first.then_some(EventKind::ScenarioStarted { scenario }).into_iter().collect()
            }
            EventKind::ScenarioFinished(finished) if self.times.contains_key(&finished.scenario) => {
                self.add(finished).into_iter().collect()
            }
            EventKind::RunFinished(_) => {
                let rest = std::mem::take(&mut self.so_far);
                rest.into_values().filter_map(combine).chain([kind]).collect()
            }
            other => vec![other],
        }
    }

    fn add(&mut self, finished: Arc<ScenarioFinished>) -> Option<EventKind> {
        let id = finished.scenario.clone();
        let known = self.so_far.entry(id.clone()).or_default();
        known.push(finished);
        if known.len() < self.times[&id] {
            return None;
        }
        combine(self.so_far.remove(&id)?)
    }
}

/// All repetitions as one event: the gravest outcome with its evidence, and the sum of durations and exchanges.
fn combine(all: Vec<Arc<ScenarioFinished>>) -> Option<EventKind> {
    let mut repetitions = Repetitions::default();
    for one in &all {
        repetitions.add(&one.outcome);
    }
    let (elapsed, exchanges) =
        all.iter().fold((std::time::Duration::ZERO, 0), |(elapsed, exchanges), one| {
            (elapsed + one.elapsed, exchanges + one.exchanges)
        });
    let mut notes: Vec<String> = Vec::new();
    for note in all.iter().flat_map(|one| &one.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let gravest = all
        .into_iter()
        .reduce(|worst, next| if graver(&next.outcome, &worst.outcome) { next } else { worst })?;
    let gravest = Arc::unwrap_or_clone(gravest);
    let repetitions = Some(repetitions);
    let finished = ScenarioFinished { repetitions, elapsed, exchanges, notes, ..gravest };
    Some(EventKind::ScenarioFinished(Arc::new(finished)))
}

/// The level does not matter: it is the same for all repetitions.
fn graver(one: &Outcome, other: &Outcome) -> bool {
    Verdict::of(one, Level::Must) > Verdict::of(other, Level::Must)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use model::{Failure, RunFinished, TestError};

    fn repeated(times: usize) -> Repeated {
        Repeated { times: BTreeMap::from([("a".into(), times)]), ..Repeated::default() }
    }

    fn ended(id: &str, outcome: Outcome) -> EventKind {
        let finished = ScenarioFinished::new(id.into(), vec!["a".into()], outcome);
        let (elapsed, notes) = (Duration::from_secs(2), vec!["n".to_owned()]);
        EventKind::ScenarioFinished(Arc::new(ScenarioFinished { elapsed, notes, exchanges: 3, ..finished }))
    }

    fn failed(actual: &str) -> Outcome {
        let (expected, actual) = (String::new(), actual.to_owned());
        Outcome::Failed { failure: Failure { expected, actual, exchange: None } }
    }

    fn finished_in(kinds: &[EventKind]) -> Option<&ScenarioFinished> {
        kinds.iter().find_map(|kind| match kind {
            EventKind::ScenarioFinished(finished) => Some(&**finished),
            _ => None,
        })
    }

    #[test]
    fn repetitions_finish_as_one_with_the_first_of_the_gravest_outcomes() {
        let mut repeated = repeated(4);
        let start = || EventKind::ScenarioStarted { scenario: "a".into() };
        assert_eq!((repeated.take(start()).len(), repeated.take(start()).len()), (1, 0));
        let test_error = Outcome::Errored { test_error: TestError::new("a", "b") };
        for outcome in [Outcome::Passed, failed("first"), failed("second")] {
            assert!(repeated.take(ended("a", outcome)).is_empty());
        }
        let all = repeated.take(ended("a", test_error));
        let finished = finished_in(&all).unwrap();
        assert_eq!(finished.outcome, failed("first"));
        assert_eq!((finished.elapsed, finished.exchanges), (Duration::from_secs(8), 12));
        assert_eq!(finished.notes, ["n"]);
        assert_eq!(finished.repetitions, Some(Repetitions { passed: 1, failed: 2, errored: 1, skipped: 0 }));
        assert_eq!(finished.verdict(Level::Must), Verdict::Flaky);
    }

    #[test]
    fn a_scenario_without_repetitions_finishes_at_once() {
        let all = repeated(3).take(ended("b", Outcome::Passed));
        assert_eq!(finished_in(&all).unwrap().repetitions, None);
    }

    #[test]
    fn the_end_of_the_run_finishes_incomplete_repetitions() {
        let mut repeated = repeated(3);
        repeated.take(ended("a", failed("x")));
        let end = RunFinished {
            elapsed: Duration::ZERO,
            stopped: Some("interrupted".to_owned()),
            server_change: None,
            fixtures: 0,
            kept: Vec::new(),
            leftovers: Vec::new(),
            terminating: 0,
            refused_removal: None,
            stale: Vec::new(),
        };
        let all = repeated.take(EventKind::RunFinished(end));
        assert_eq!(finished_in(&all).unwrap().repetitions.unwrap().total(), 1);
        assert!(matches!(all.last(), Some(EventKind::RunFinished(_))));
    }
}
