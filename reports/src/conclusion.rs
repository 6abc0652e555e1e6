//! The conclusion in words.

use model::{Conclusion, Level, Outcome, RunFinished, ScenarioFinished, Verdict};

use crate::page::Ink;
use crate::record::Record;
use crate::words::{plural, thousands};

/// The colour of a conclusion.
pub(crate) fn ink(conclusion: Conclusion) -> Ink {
    match conclusion {
        Conclusion::Conformant => Ink::Green,
        Conclusion::Incomplete | Conclusion::KnownFailures => Ink::Yellow,
        Conclusion::Inconclusive => Ink::Magenta,
        Conclusion::Nonconformant => Ink::Red,
    }
}

/// The reason for the conclusion, in one sentence.
pub(crate) fn reason(record: &Record) -> String {
    match record.tally.conclusion() {
        Conclusion::Conformant => conformant(record),
        Conclusion::Incomplete => incomplete(record),
        Conclusion::KnownFailures => [known_failures(record), Some(incomplete(record))]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; "),
        Conclusion::Inconclusive => inconclusive(record).join("; "),
        Conclusion::Nonconformant => nonconformant(record),
    }
}

fn conformant(record: &Record) -> String {
    let areas = plural(record.tally.areas().len(), "area");
    if record.tally.verdicts().any(|(clause, _)| clause.level == Level::Must) {
        format!("every clause tested and every must clause passed, in {areas}")
    } else {
        format!("nothing failed in {areas}, no must clause in scope")
    }
}

/// How many clauses were tested and skipped; of the skipped ones, how many have no scenario, and how many are `must`.
fn incomplete(record: &Record) -> String {
    let skipped = record.with_verdict(Verdict::Skipped);
    let all = record.tally.counts().total();
    let musts = skipped.iter().filter(|clause| clause.level == Level::Must).count();
    let without = skipped.iter().filter(|clause| !record.tally.has_scenario(&clause.id)).count();
    let tested = format!("{} of {} tested", thousands(all - skipped.len()), plural(all, "clause"));
    let without = (without > 0).then(|| format!("{} without a scenario", thousands(without)));
    let musts = (musts > 0).then(|| plural(musts, "must clause"));
    let details = [without, musts].into_iter().flatten().collect::<Vec<_>>().join(", ");
    match (skipped.len(), details.as_str()) {
        (0, _) => tested,
        (skipped, "") => format!("{tested}, {} skipped", thousands(skipped)),
        (skipped, details) => format!("{tested}, {} skipped ({details})", thousands(skipped)),
    }
}

/// How many clauses are known failures, and how many of them have a test error, if there are any.
fn known_failures(record: &Record) -> Option<String> {
    let known = record.with_verdict(Verdict::KnownFailure);
    let (fail, count) = (if known.len() == 1 { "fails" } else { "fail" }, plural(known.len(), "clause"));
    let errored = |finished: &ScenarioFinished| matches!(finished.outcome, Outcome::Errored { .. });
    let inconclusive =
        known.iter().filter(|clause| record.tally.scenarios_of(&clause.id).any(errored)).count();
    let inconclusive = match inconclusive {
        0 => String::new(),
        some => format!(" ({} of them by a test error)", thousands(some)),
    };
    (!known.is_empty()).then(|| format!("{count} {fail} as expected{inconclusive}"))
}

/// The failures, and the inconclusive clauses in addition.
fn nonconformant(record: &Record) -> String {
    let counts = record.tally.counts();
    let of = |level| record.tally.verdicts().filter(|(clause, _)| clause.level == level).count();
    let mut failed = Vec::new();
    if counts.failed > 0 {
        failed.push(format!("{} of {}", thousands(counts.failed), plural(of(Level::Must), "must clause")));
    }
    if record.strict() && counts.warning > 0 {
        let shoulds = plural(of(Level::Should), "should clause");
        failed.push(format!("{} of {shoulds} (strict)", thousands(counts.warning)));
    }
    let failed = (!failed.is_empty()).then(|| format!("{} failed", failed.join(" and ")));
    let flaky = (counts.flaky > 0).then(|| format!("{} flaky", plural(counts.flaky, "clause")));
    let stale = record.tally.stale().len();
    let stale = (stale > 0).then(|| format!("{} stale", plural(stale, "known failure")));
    let reasons =
        [failed, flaky, stale, known_failures(record)].into_iter().flatten().chain(inconclusive(record));
    reasons.collect::<Vec<_>>().join("; ")
}

/// All reasons for which the run is inconclusive.
fn inconclusive(record: &Record) -> Vec<String> {
    let mut warnings = Vec::new();
    let inconclusive = record.tally.counts().inconclusive;
    if inconclusive > 0 {
        warnings.push(format!("test errors in {}", plural(inconclusive, "clause")));
    }
    warnings.extend(run_warnings(record));
    warnings
}

/// The reasons that make the run itself inconclusive, apart from its scenarios.
pub(crate) fn run_warnings(record: &Record) -> Vec<String> {
    let mut warnings = Vec::new();
    if !record.complete() {
        warnings.push(cut_short(record));
    }
    let finished = record.tally.finished();
    if let Some(change) = finished.and_then(|finished| finished.server_change.as_ref()) {
        warnings.push(format!("the server changed during the run: {change}"));
    }
    let lost = record.tally.lost_results();
    if lost > 0 {
        warnings.push(format!("the recording has lost the results of {}", plural(lost, "scenario")));
    }
    warnings.extend(finished.into_iter().flat_map(left));
    if record.tally.executed() == 0 {
        warnings.push("no scenario ran".to_owned());
    }
    warnings
}

/// How many objects are left on the server, and how many of them it is still removing.
fn left(finished: &RunFinished) -> Vec<String> {
    let terminating = finished.terminating.min(finished.leftovers.len());
    let others = finished.leftovers.len() - terminating;
    // Whatever stopped the run, such as a server that is gone, may have kept it from looking.
    let how = if finished.stopped.is_some() { "may be left" } else { "could not be removed" };
    // One reason is enough: most objects have the same one.
    let why = finished.refused_removal.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    let others = (others > 0).then(|| format!("{} {how}{why}", plural(others, "object")));
    let terminating =
        (terminating > 0).then(|| format!("the server is still removing {}", plural(terminating, "object")));
    others.into_iter().chain(terminating).collect()
}

fn cut_short(record: &Record) -> String {
    match record.tally.finished().and_then(|finished| finished.stopped.as_ref()) {
        Some(why) => format!("the run stopped early: {why}"),
        None => "the run did not finish".to_owned(),
    }
}
