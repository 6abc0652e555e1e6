//! Runs with every outcome, in which every string is as bad as a server or a damaged file can make it.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use model::{
    Clause, Conditions, Curl, Event, EventKind, FORMAT, Failure, FailureReason, Invocation, KnownFailure,
    Listed, Outcome, Repetitions, RunFinished, RunStarted, ScenarioFinished, Stale, Staleness, TargetInfo,
    TestError, Transcript,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

/// What breaks terminals, XML, Markdown and JSON.
const BAD: &[&str] = &[
    "]]>",
    "]]",
    ">",
    "<![CDATA[",
    "</testcase>",
    "&amp;",
    "&",
    "<",
    "\"",
    "'",
    "\u{0}",
    "\u{1b}[2J",
    "\r\n",
    "\r",
    "\n",
    "\t",
    "\u{7f}",
    "\u{85}",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "|",
    "`",
    "é",
    "🦀",
    "日本",
    "{",
    "}",
    "[",
    "\\",
    "\n\n",
    " ",
    "word",
];

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => vec(select(BAD), 0..8).prop_map(|parts| parts.concat()),
        2 => any::<String>(),
        1 => select(BAD).prop_map(|part| part.repeat(500)),
    ]
}

fn clause(number: usize, area: &str, level: &str, statement: &str, observable: bool) -> Clause {
    let observe = if observable { "GET" } else { "" };
    serde_json::from_value(json!({
        "id": format!("c{number}-{statement}"), "area": area, "level": level,
        "statement": statement, "upstream": statement, "observe": observe,
    }))
    .unwrap()
}

/// Two areas, so that clauses stay sorted by area as they are in a catalogue.
fn clauses() -> impl Strategy<Value = Vec<Clause>> {
    let one = (any::<bool>(), select(&["must", "should", "may"][..]), text(), prop::bool::weighted(0.9));
    (vec(one, 0..12), text()).prop_map(|(mut rows, bad)| {
        rows.sort_by_key(|row| row.0);
        let rows = rows.into_iter().enumerate();
        rows.map(|(number, (second, level, statement, observable))| {
            clause(number, &format!("{}{bad}", u8::from(second)), level, &statement, observable)
        })
        .collect()
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        3 => Just(Outcome::Passed),
        3 => (text(), text(), any::<Option<usize>>()).prop_map(|(expected, actual, exchange)| Outcome::Failed {
            failure: Failure { expected, actual, exchange }
        }),
        1 => text().prop_map(|reason| Outcome::Skipped { reason }),
        1 => (text(), text(), text()).prop_map(|(attempted, why, advice)| Outcome::Errored {
            test_error: TestError { action: attempted, cause: why, hint: advice }
        }),
    ]
}

fn transcript() -> impl Strategy<Value = Transcript> {
    (text(), text(), text(), any::<u64>()).prop_map(|(curl, request, response, elapsed_ms)| Transcript {
        curl,
        request,
        response,
        elapsed_ms,
    })
}

fn known() -> impl Strategy<Value = Option<FailureReason>> {
    prop::option::weighted(0.3, (text(), text()).prop_map(|(reason, link)| FailureReason { reason, link }))
}

/// Counts need not agree with the outcome: a file may be damaged.
fn repetitions() -> impl Strategy<Value = Option<Repetitions>> {
    let counts = (0_usize..3, 0_usize..3, 0_usize..3, 0_usize..3);
    let counts = counts.prop_map(|(passed, failed, errored, skipped)| Repetitions {
        passed,
        failed,
        errored,
        skipped,
    });
    prop::option::weighted(0.3, counts)
}

fn entry() -> impl Strategy<Value = KnownFailure> {
    let condition = || prop::option::weighted(0.2, text());
    let only = (condition(), condition(), condition());
    (any::<bool>(), text(), text(), text(), any::<bool>(), only).prop_map(
        |(of_clause, id, reason, link, ends, (server, feature, no_feature))| {
            let (clause, scenario) = (Listed::Clause(id.clone()), Listed::Scenario(id));
            KnownFailure {
                of: if of_clause { clause } else { scenario },
                why: FailureReason { reason, link },
                until: ends.then_some(jiff::civil::Date::MAX),
                inconclusive: false,
                only: Conditions { server, version: None, feature, no_feature },
            }
        },
    )
}

fn stale() -> impl Strategy<Value = Stale> {
    let why = select(&[Staleness::Passed, Staleness::Unknown, Staleness::Expired][..]);
    (entry(), why).prop_map(|(entry, why)| Stale { entry, why })
}

/// A scenario; its clauses are given as positions, and one may point beyond them.
fn scenario() -> impl Strategy<Value = (Vec<usize>, ScenarioFinished)> {
    let body = (text(), outcome(), any::<u64>(), 0_usize..50, vec(text(), 0..2), vec(transcript(), 0..3));
    (vec(0_usize..13, 1..3), body, known(), repetitions()).prop_map(
        |(positions, (id, outcome, elapsed, exchanges, notes, evidence), known_failure, repetitions)| {
            let elapsed = Duration::from_millis(elapsed);
            let finished = ScenarioFinished::new(id.as_str().into(), Vec::new(), outcome);
            let finished = ScenarioFinished {
                known_failure,
                repetitions,
                elapsed,
                exchanges,
                notes,
                evidence,
                ..finished
            };
            (positions, finished)
        },
    )
}

fn start(
    clauses: Vec<Clause>,
    words: &[String],
    strict: bool,
    scenarios: usize,
    known: Vec<KnownFailure>,
) -> EventKind {
    EventKind::RunStarted(Arc::new(RunStarted {
        format: FORMAT,
        tool: words[0].clone(),
        run: words[1].clone(),
        seed: u64::MAX,
        strict,
        target: TargetInfo { address: words[2].clone(), release: words[3].clone(), ..TargetInfo::default() },
        clauses,
        scenarios,
        invocation: Invocation {
            flags: words.to_vec(),
            tool_commit: words[0].clone(),
            ..Invocation::default()
        },
        without_scenario: Vec::new(),
        curl: Curl::default(),
        known_failures: known,
    }))
}

fn end() -> impl Strategy<Value = Option<EventKind>> {
    let listed = prop_oneof![4 => Just(Vec::new()), 1 => vec(stale(), 1..3)];
    let finished = (any::<u64>(), prop::option::weighted(0.2, text()), vec(text(), 0..2), listed);
    prop::option::weighted(
        0.8,
        finished.prop_map(|(elapsed, stopped, leftovers, stale)| {
            let elapsed = Duration::from_millis(elapsed);
            EventKind::RunFinished(RunFinished {
                elapsed,
                server_change: stopped.clone(),
                refused_removal: stopped.clone(),
                stopped,
                fixtures: 3,
                kept: leftovers.clone(),
                leftovers,
                terminating: 3,
                stale,
            })
        }),
    )
}

/// A run as it could be recorded, perhaps without its end.
pub(super) fn run() -> impl Strategy<Value = Vec<Event>> {
    let words = vec(text(), 4..5);
    let about = (clauses(), words, any::<bool>(), vec(entry(), 0..3));
    (about, vec(scenario(), 0..12), end(), any::<i32>()).prop_map(
        |((clauses, words, strict, known), scenarios, end, second)| {
            let ids: Vec<_> = clauses.iter().map(|clause| clause.id.clone()).collect();
            let mut kinds = vec![start(clauses, &words, strict, scenarios.len(), known)];
            for (positions, mut finished) in scenarios {
                let known = |at: usize| ids.get(at).cloned().unwrap_or_else(|| "unknown".into());
                finished.clauses = positions.into_iter().map(known).collect();
                finished.clauses.dedup();
                kinds.push(EventKind::ScenarioStarted { scenario: finished.scenario.clone() });
                kinds.push(EventKind::ScenarioFinished(Arc::new(finished)));
            }
            kinds.extend(end);
            // Every instant that the clock of some machine could show, from far before to far after.
            let at = Timestamp::from_second(i64::from(second) * 100).unwrap_or(Timestamp::MAX);
            kinds.into_iter().map(|kind| Event { at, kind }).collect()
        },
    )
}
