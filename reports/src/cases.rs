//! The cases of `JUnit` and TAP: every scenario, every clause without a scenario, every stale
//! entry among the known failures, and the run itself if something is wrong with it as a whole.

use std::time::Duration;

use model::{Clause, Outcome, ScenarioFinished, Stale, Verdict};

use crate::causes::{Cause, Causes};
use crate::conclusion;
use crate::escape::clip;
use crate::progress::why;
use crate::record::Record;

/// The name of a test in `JUnit` and TAP.
pub(crate) enum Case<'a> {
    /// A scenario that has finished.
    Scenario(&'a ScenarioFinished),
    /// A clause without a scenario, and why.
    SkippedClause(&'a Clause, &'a str),
    /// A known failure that is stale fails the run as a scenario does.
    Stale(&'a Stale),
    /// The run is incomplete, for this reason: an interrupted run must not look green.
    Run(String),
}

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaseResult {
    Success,
    Failure,
    Error,
    Skipped,
}

/// The maximum length of a message, in characters.
pub(crate) const LONGEST_MESSAGE: usize = 500;

impl Case<'_> {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Scenario(finished) => finished.scenario.as_str(),
            Self::SkippedClause(clause, _) => clause.id.as_str(),
            Self::Stale(stale) => stale.entry.of.as_str(),
            Self::Run(_) => RUN,
        }
    }

    pub(crate) fn result(&self, record: &Record) -> CaseResult {
        match self {
            Self::Scenario(finished) => match record.verdict_of(finished) {
                Verdict::Inconclusive => CaseResult::Error,
                Verdict::Skipped | Verdict::KnownFailure => CaseResult::Skipped,
                verdict if verdict.fails(record.strict()) => CaseResult::Failure,
                Verdict::Passed
                | Verdict::Warning
                | Verdict::NotSupported
                | Verdict::Failed
                | Verdict::Flaky => CaseResult::Success,
            },
            Self::SkippedClause(..) => CaseResult::Skipped,
            Self::Stale(_) => CaseResult::Failure,
            Self::Run(_) => CaseResult::Error,
        }
    }

    /// The one word for it.
    pub(crate) fn word(&self, record: &Record) -> &'static str {
        match self {
            Self::Scenario(finished) => record.verdict_of(finished).word(),
            Self::SkippedClause(..) => Verdict::Skipped.word(),
            Self::Stale(_) => "stale",
            Self::Run(_) => Verdict::Inconclusive.word(),
        }
    }

    /// Why it is so, in a sentence.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Scenario(finished) => message(finished),
            Self::SkippedClause(_, reason) => (*reason).to_owned(),
            Self::Stale(stale) => stale.to_string(),
            Self::Run(warnings) => warnings.clone(),
        }
    }

    /// Why it fails, if it does and others may fail for the same reason.
    pub(crate) fn cause<'a>(&self, causes: &'a Causes<'a>) -> Option<&'a Cause<'a>> {
        match self {
            Self::Scenario(finished) => causes.cause_of(finished),
            Self::SkippedClause(..) | Self::Stale(_) | Self::Run(_) => None,
        }
    }

    pub(crate) fn elapsed(&self, record: &Record) -> Duration {
        match self {
            Self::Scenario(finished) => finished.elapsed,
            Self::SkippedClause(..) | Self::Stale(_) => Duration::ZERO,
            Self::Run(_) => record.elapsed(),
        }
    }
}

/// A failure has expected and actual.
fn message(finished: &ScenarioFinished) -> String {
    match &finished.outcome {
        Outcome::Failed { failure } if !finished.flaky() && finished.known_failure.is_none() => {
            let half = LONGEST_MESSAGE / 2;
            format!("expected {}, got {}", clip(&failure.expected, half), clip(&failure.actual, half))
        }
        _ => why(finished),
    }
}

/// The name of the case of the run itself.
const RUN: &str = "run";

/// All cases under the names of their groups, in the catalogue's order, and then those without an area, which only a
/// damaged recording has.
pub(crate) fn groups(record: &Record) -> Vec<(&str, Vec<Case<'_>>)> {
    let mut groups: Vec<_> = areas(record).into_iter().map(|area| (area, of_area(record, area))).collect();
    let stale: Vec<_> = record.tally.stale().iter().map(Case::Stale).collect();
    let warnings = conclusion::run_warnings(record);
    let run: Vec<_> = (!warnings.is_empty()).then(|| Case::Run(warnings.join("; "))).into_iter().collect();
    groups.extend([("known-failures", stale), (RUN, run)].into_iter().filter(|(_, cases)| !cases.is_empty()));
    groups
}

/// The areas of clauses and scenarios.
pub(crate) fn areas(record: &Record) -> Vec<&str> {
    let of_clauses = record.tally.areas().into_iter().map(|(area, _)| area);
    let of_scenarios = record.tally.scenarios().map(|finished| record.area_of(finished));
    let mut areas: Vec<&str> = Vec::new();
    for area in of_clauses.chain(of_scenarios) {
        if !areas.contains(&area) {
            areas.push(area);
        }
    }
    areas
}

fn of_area<'a>(record: &'a Record, area: &str) -> Vec<Case<'a>> {
    let scenarios = record.tally.scenarios().filter(|finished| record.area_of(finished) == area);
    let unasked = record
        .tally
        .verdicts()
        .map(|(clause, _)| clause)
        .filter(|clause| clause.area == area && record.tally.scenarios_of(&clause.id).next().is_none());
    let reason = |clause| record.reason(clause).unwrap_or_default();
    scenarios
        .map(Case::Scenario)
        .chain(unasked.map(|clause| Case::SkippedClause(clause, reason(clause))))
        .collect()
}
