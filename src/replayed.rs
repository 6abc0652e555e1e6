//! The comparison of a replay with the recorded run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harness::{Outcome, ScenarioFinished, ScenarioId, Tally, Unlike};

use crate::exit::Exit;
use crate::replay::Replayed;

/// The longest list of differences.
const MOST_SHOWN: usize = 20;

/// What differs between a run and its replay.
pub(crate) struct Comparison {
    exchanges: usize,
    scenarios: usize,
    clauses: usize,
    /// Verdicts that differ, each in one sentence.
    different: Vec<String>,
    /// Requests that only the replay or only the record has, each in one sentence.
    unanswered: Vec<String>,
}

impl Comparison {
    /// Compares every scenario, and every clause.
    pub(crate) fn of(replayed: &Replayed) -> Self {
        let (recorded, again) = (&replayed.recorded, &replayed.again);
        let mut different = clauses(recorded, again);
        different.extend(scenarios(recorded, again));
        if recorded.finished().is_none() {
            different.push("the record has no end of the run".to_owned());
        }
        Self {
            exchanges: replayed.exchanges,
            scenarios: recorded.scenarios().len(),
            clauses: recorded.verdicts().count(),
            different,
            unanswered: replayed.unlike.iter().map(unanswered).collect(),
        }
    }

    /// The first request that the record does not answer, or else the first difference; `None` if there is none.
    pub(crate) fn first_difference(&self) -> Option<&str> {
        self.unanswered.first().or(self.different.first()).map(String::as_str)
    }

    /// The result in words.
    pub(crate) fn text(&self) -> String {
        let Self { exchanges, scenarios, clauses, different, unanswered } = self;
        let mut text = format!("replayed {scenarios} scenarios on {exchanges} recorded exchanges\n");
        list(&mut text, "requests that are not as recorded", unanswered);
        list(&mut text, "differences", different);
        // Writing to a string cannot fail.
        let _ = if different.is_empty() {
            writeln!(text, "all {clauses} clauses have the recorded verdict")
        } else {
            writeln!(text, "the verdicts differ from the recorded ones")
        };
        text
    }

    /// 1 for other verdicts, 3 for other requests.
    pub(crate) fn exit(&self) -> Exit {
        match (self.unanswered.is_empty(), self.different.is_empty()) {
            (true, true) => Exit::Passed,
            (true, false) => Exit::Failed,
            (false, _) => Exit::Inconclusive,
        }
    }
}

fn list(text: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(text, "{} {title}:", entries.len());
    for entry in entries.iter().take(MOST_SHOWN) {
        let _ = writeln!(text, "  {entry}");
    }
    if entries.len() > MOST_SHOWN {
        let _ = writeln!(text, "  and {} more", entries.len() - MOST_SHOWN);
    }
}

fn clauses(recorded: &Tally, again: &Tally) -> Vec<String> {
    let verdicts = |tally: &Tally| -> BTreeMap<String, String> {
        tally
            .verdicts()
            .map(|(clause, verdict)| (clause.id.as_str().to_owned(), verdict.word().to_owned()))
            .collect()
    };
    differences("clause", &verdicts(recorded), &verdicts(again))
}

fn scenarios(recorded: &Tally, again: &Tally) -> Vec<String> {
    let outcomes = |tally: &Tally| -> BTreeMap<String, String> {
        let outcome = |finished: &ScenarioFinished| (key(&finished.scenario), outcome(finished));
        tally.scenarios().map(outcome).collect()
    };
    differences("scenario", &outcomes(recorded), &outcomes(again))
}

fn key(scenario: &ScenarioId) -> String {
    scenario.as_str().to_owned()
}

/// The outcome of a scenario; of one that did not run also the reason.
fn outcome(finished: &ScenarioFinished) -> String {
    let repetitions = finished.repetitions.map(|all| format!(" {all:?}")).unwrap_or_default();
    match &finished.outcome {
        Outcome::Passed => format!("passed{repetitions}"),
        Outcome::Failed { .. } => format!("failed{repetitions}"),
        Outcome::Errored { .. } => format!("a test error{repetitions}"),
        Outcome::Skipped { reason } => format!("skipped, because {reason}"),
    }
}

fn differences(
    what: &str,
    recorded: &BTreeMap<String, String>,
    again: &BTreeMap<String, String>,
) -> Vec<String> {
    const NONE: &str = "not there";
    let mut names: Vec<&String> = recorded.keys().chain(again.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |all: &BTreeMap<String, String>, name: &String| {
        all.get(name).map_or_else(|| NONE.to_owned(), String::clone)
    };
    let pairs = names.into_iter().map(|name| (name, of(recorded, name), of(again, name)));
    pairs
        .filter(|(_, recorded, again)| recorded != again)
        .map(|(name, recorded, again)| format!("{what} {name}: recorded {recorded}; replayed {again}"))
        .collect()
}

fn unanswered(unlike: &Unlike) -> String {
    let recorded = unlike.recorded.as_deref().unwrap_or("no further request");
    let asked = unlike.asked.as_deref().unwrap_or("nothing more");
    let place =
        if unlike.scenario == 0 { "the run".to_owned() } else { format!("execution {}", unlike.scenario) };
    format!("{place}: the replay asked {asked}, the record has {recorded}")
}
