//! The number of failures that ends a run early.

use model::{EventKind, ScenarioFinished, ScenarioId, Tally};

use crate::settings::Settings;

/// Counts the scenarios that fail the run. Known failures and test errors do not count.
#[derive(Debug)]
pub(super) struct FailureLimit {
    most: Option<usize>,
    failed: usize,
}

impl FailureLimit {
    /// The limit of a run.
    pub(super) fn of(settings: &Settings) -> Self {
        Self { most: settings.max_failures, failed: 0 }
    }

    /// Why the run ends after this event; `None` if it goes on.
    pub(super) fn reached(&mut self, kind: &EventKind, tally: &Tally) -> Option<String> {
        let most = self.most?;
        let EventKind::ScenarioFinished(finished) = kind else { return None };
        self.failed += usize::from(!is_invariant_check(finished) && tally.fails_run(finished));
        let noun = if most == 1 { "scenario" } else { "scenarios" };
        (self.failed >= most).then(|| format!("{most} {noun} failed, the limit of this run"))
    }
}

/// Invariant checks finish when all scenarios have ended: nothing is left to stop.
fn is_invariant_check(finished: &ScenarioFinished) -> bool {
    finished.clauses.iter().any(|clause| finished.scenario == ScenarioId::of_invariant(clause))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{Event, Failure, Outcome, RunStarted};

    use super::*;

    fn failed(id: &str) -> ScenarioFinished {
        let failure = Failure { expected: String::new(), actual: String::new(), exchange: None };
        let scenario = ScenarioId::from(id);
        let clause = scenario.clause().into();
        ScenarioFinished::new(scenario, vec![clause], Outcome::Failed { failure })
    }

    /// A run with a clause `a` of this level.
    fn tally(level: &str) -> Tally {
        let clause = serde_json::json!({ "id": "a", "level": level, "statement": "s", "observe": "o" });
        let started = serde_json::json!({
            "format": 1, "tool": "", "run": "", "seed": 1, "strict": false, "scenarios": 2,
            "target": model::TargetInfo::default(), "clauses": [clause],
        });
        let started: RunStarted = serde_json::from_value(started).unwrap();
        let mut tally = Tally::default();
        let at = jiff::Timestamp::UNIX_EPOCH;
        tally.add(&Event { at, kind: EventKind::RunStarted(Arc::new(started)) });
        tally
    }

    fn reached(limit: &mut FailureLimit, finished: ScenarioFinished, level: &str) -> Option<String> {
        limit.reached(&EventKind::ScenarioFinished(Arc::new(finished)), &tally(level))
    }

    #[test]
    fn only_scenarios_that_fail_the_run_count() {
        let mut limit = FailureLimit { most: Some(2), failed: 0 };
        assert_eq!(reached(&mut limit, failed("a"), "must"), None);
        assert_eq!(reached(&mut limit, failed("a"), "should"), None);
        assert_eq!(reached(&mut limit, failed("a/invariant"), "must"), None);
        let known = Some(model::FailureReason { reason: "r".to_owned(), link: String::new() });
        let known = ScenarioFinished { known_failure: known, ..failed("a") };
        assert_eq!(reached(&mut limit, known, "must"), None);
        let why = reached(&mut limit, failed("a/custom-resource"), "must");
        assert_eq!(why.as_deref(), Some("2 scenarios failed, the limit of this run"));
    }
}
