//! `summary.json`: the conclusion, the counts, the causes of failures and every clause's verdict, for programs.

use std::io::{self, Write};

use jiff::Timestamp;
use model::{
    Clause, Conclusion, Counts, FORMAT, FailureReason, Invocation, Level, Outcome, Repetitions, Stale,
    TargetInfo, Verdict,
};
use serde::Serialize;

use crate::causes::{Cause, Causes};
use crate::conclusion;
use crate::coverage::{Coverage, Share};
use crate::escape::clip;
use crate::progress::why;
use crate::record::Record;
use crate::warnings;
use crate::words::milliseconds;

/// Maximum length of the explanation of a scenario, in characters: the rest is in the events.
const LONGEST_REASON: usize = 300;

#[derive(Serialize)]
struct Summary<'a> {
    format: u32,
    tool: &'a str,
    conclusion: Conclusion,
    because: String,
    server: String,
    warnings: Vec<String>,
    run: Run<'a>,
    target: Option<&'a TargetInfo>,
    invocation: Option<&'a Invocation>,
    coverage: Share,
    counts: Counted,
    levels: Vec<OfLevel>,
    areas: Vec<OfArea<'a>>,
    stale: &'a [Stale],
    causes: Vec<OfCause<'a>>,
    clauses: Vec<OfClause<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    id: &'a str,
    seed: u64,
    strict: bool,
    started: Timestamp,
    ended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_change: Option<&'a str>,
    elapsed_ms: u64,
    scenarios: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_results: Option<usize>,
    executed: usize,
    exchanges: usize,
    fixtures: usize,
    leftovers: &'a [String],
}

#[derive(Serialize)]
struct Counted {
    #[serde(flatten)]
    counts: Counts,
    total: usize,
}

#[derive(Serialize)]
struct OfLevel {
    level: Level,
    counts: Counted,
    coverage: Share,
}

#[derive(Serialize)]
struct OfArea<'a> {
    area: &'a str,
    counts: Counted,
    coverage: Share,
}

/// Scenarios that fail for one reason: the gravest cause first.
#[derive(Serialize)]
struct OfCause<'a> {
    id: &'a str,
    verdict: Verdict,
    title: &'a str,
    example: &'a str,
    kinds: &'a [&'a str],
    clauses: Vec<&'a str>,
    scenarios: Vec<&'a str>,
}

#[derive(Serialize)]
struct OfClause<'a> {
    id: &'a str,
    area: &'a str,
    level: Level,
    observable: bool,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_failure: Option<&'a FailureReason>,
    scenarios: Vec<OfScenario<'a>>,
}

#[derive(Serialize)]
struct OfScenario<'a> {
    id: &'a str,
    outcome: &'static str,
    verdict: Verdict,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_failure: Option<&'a FailureReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repetitions: Option<Repetitions>,
    elapsed_ms: u64,
    exchanges: usize,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl From<Counts> for Counted {
    fn from(counts: Counts) -> Self {
        Self { counts, total: counts.total() }
    }
}

/// Writes the document.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let started = record.tally.started();
    let (coverage, causes) = (Coverage::of_run(record), Causes::of(record));
    let areas = record.tally.areas().into_iter().map(|(area, counts)| OfArea {
        area,
        counts: counts.into(),
        coverage: coverage.areas.iter().find(|row| row.area == area).map(|row| row.all).unwrap_or_default(),
    });
    let summary = Summary {
        format: FORMAT,
        tool: started.map_or("", |started| &started.tool),
        conclusion: record.tally.conclusion(),
        because: conclusion::reason(record),
        server: record.server(),
        warnings: warnings::of(record),
        run: run(record),
        target: started.map(|started| &started.target),
        invocation: started.map(|started| &started.invocation),
        coverage: coverage.total.all,
        counts: record.tally.counts().into(),
        levels: levels(record, &coverage),
        areas: areas.collect(),
        stale: record.tally.stale(),
        causes: causes.all().iter().map(of_cause).collect(),
        clauses: record.tally.clauses().iter().map(|clause| of_clause(record, &causes, clause)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &summary)?;
    writeln!(out)
}

fn run(record: &Record) -> Run<'_> {
    let (started, finished) = (record.tally.started(), record.tally.finished());
    Run {
        id: started.map_or("", |started| &started.run),
        seed: started.map_or(0, |started| started.seed),
        strict: record.strict(),
        started: record.began(),
        ended: finished.is_some(),
        stopped: finished.and_then(|finished| finished.stopped.as_deref()),
        server_change: finished.and_then(|finished| finished.server_change.as_deref()),
        elapsed_ms: milliseconds(record.elapsed()),
        scenarios: record.tally.scenarios().len(),
        lost_results: Some(record.tally.lost_results()).filter(|lost| *lost > 0),
        executed: record.tally.executed(),
        exchanges: record.exchanges(),
        fixtures: finished.map_or(0, |finished| finished.fixtures),
        leftovers: finished.map_or(&[], |finished| &finished.leftovers),
    }
}

fn levels(record: &Record, coverage: &Coverage) -> Vec<OfLevel> {
    let count = |level| -> Counts {
        let verdicts = record.tally.verdicts().filter(|(clause, _)| clause.level == level);
        verdicts.map(|(_, verdict)| verdict).collect()
    };
    let shares = Level::ALL.into_iter().zip(coverage.total.levels);
    shares.map(|(level, coverage)| OfLevel { level, counts: count(level).into(), coverage }).collect()
}

fn of_cause<'a>(cause: &'a Cause<'a>) -> OfCause<'a> {
    OfCause {
        id: &cause.id,
        verdict: cause.verdict,
        title: &cause.title,
        example: cause.example().scenario.as_str(),
        kinds: &cause.kinds,
        clauses: cause.clauses.iter().map(|clause| clause.id.as_str()).collect(),
        scenarios: cause.scenarios.iter().map(|finished| finished.scenario.as_str()).collect(),
    }
}

fn of_clause<'a>(record: &'a Record, causes: &'a Causes<'a>, clause: &'a Clause) -> OfClause<'a> {
    let scenarios = record.tally.scenarios_of(&clause.id).map(|finished| OfScenario {
        id: finished.scenario.as_str(),
        outcome: word(&finished.outcome),
        verdict: record.verdict_of(finished),
        why: clip(&why(finished), LONGEST_REASON).into_owned(),
        cause: causes.cause_of(finished).map(|cause| cause.id.as_str()),
        known_failure: finished.known_failure.as_ref(),
        repetitions: finished.repetitions,
        elapsed_ms: milliseconds(finished.elapsed),
        exchanges: finished.exchanges,
        notes: &finished.notes,
    });
    OfClause {
        id: clause.id.as_str(),
        area: &clause.area,
        level: clause.level,
        observable: clause.observable(),
        verdict: record.tally.verdict(clause),
        reason: record.reason(clause),
        known_failure: record.tally.known_failure(clause),
        scenarios: scenarios.collect(),
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed { .. } => "failed",
        Outcome::Skipped { .. } => "skipped",
        Outcome::Errored { .. } => "errored",
    }
}
