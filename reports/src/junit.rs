//! `junit.xml`: an area is a test suite, a scenario is a test case with its explanation and its properties.

mod document;

use std::collections::BTreeMap;
use std::io::{self, Write};

use model::{Clause, RunStarted, ScenarioFinished, Verdict};

use crate::cases::{self, Case, CaseResult, LONGEST_MESSAGE};
use crate::causes::{Cause, Causes};
use crate::command_line;
use crate::escape::{clip, escape, one_line};
use crate::failure;
use crate::page::{Ink, Page};
use crate::record::Record;

pub(crate) use self::document::{Property, TestCase, TestSuite, write as write_document};

/// The maximum length of the explanation of a test case, in characters.
const LONGEST_TEXT: usize = 200_000;

/// The maximum length of the value of a property, in characters.
const LONGEST_PROPERTY: usize = 10_000;

/// Writes the whole document.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let causes = Causes::of(record);
    let properties = of_run(record);
    let suites: Vec<TestSuite> = cases::groups(record)
        .into_iter()
        .map(|(name, cases)| TestSuite {
            name: attribute(name),
            host: host(record.tally.started().map_or("", |started| &started.target.address)),
            began: record.area_began(name),
            properties: properties.clone(),
            cases: cases.iter().map(|case| testcase(record, &causes, case)).collect(),
        })
        .collect();
    write_document("kube-assay", &suites, out)
}

/// Host and port of an address.
pub(crate) fn host(address: &str) -> String {
    attribute(address.split_once("://").map_or(address, |(_, host)| host))
}

/// The facts that a reader needs to run it again, and the labels of the run.
fn of_run(record: &Record) -> Vec<Property> {
    let Some(started) = record.tally.started() else { return Vec::new() };
    let RunStarted { tool, run, seed, target, invocation, .. } = started;
    let facts = [
        ("server", record.server()),
        ("release", target.release.clone()),
        ("run", run.clone()),
        ("seed", seed.to_string()),
        ("profile", invocation.profile.clone()),
        ("flags", invocation.flags.join(" ")),
        ("tool", tool.clone()),
    ];
    with_labels(facts, &invocation.labels)
}

/// The facts that are known, and the labels of a run, each with a name such as `label.team`.
pub(crate) fn with_labels<const N: usize>(
    facts: [(&'static str, String); N],
    labels: &BTreeMap<String, String>,
) -> Vec<Property> {
    let facts = facts.into_iter().map(|(name, value)| (name.into(), value));
    let labels = labels.iter().map(|(name, value)| (format!("label.{name}").into(), value.clone()));
    present(facts.chain(labels))
}

fn testcase(record: &Record, causes: &Causes, case: &Case) -> TestCase {
    TestCase {
        name: attribute(case.name()),
        elapsed: case.elapsed(record),
        result: case.result(record),
        word: case.word(record),
        message: attribute(&case.message()),
        text: explanation(record, case),
        properties: of_case(record, causes, case),
    }
}

/// The level, the published rule, the cause, and the command that runs the case again.
fn of_case(record: &Record, causes: &Causes, case: &Case) -> Vec<Property> {
    let clause = match case {
        Case::Scenario(finished) => record.clauses_of(finished).min_by_key(|clause| clause.level),
        Case::SkippedClause(clause, _) => Some(*clause),
        Case::Stale(_) | Case::Run(_) => None,
    };
    let of_clause = |fact: fn(&Clause) -> String| clause.map(fact).unwrap_or_default();
    let again = match case {
        Case::Scenario(finished) => command_line::run_again(record, finished),
        _ => None,
    };
    let facts = [
        ("level", of_clause(|clause| clause.level.to_string())),
        ("link", of_clause(|clause| clause.upstream.clone())),
        ("cause", case.cause(causes).map(Cause::name).unwrap_or_default()),
        ("rerun", again.unwrap_or_default()),
    ];
    present(facts.into_iter().map(|(name, value)| (name.into(), value)))
}

/// The facts that are known. Commands are longer than messages, and useless in part.
fn present(facts: impl Iterator<Item = Property>) -> Vec<Property> {
    let known = facts.filter(|(_, value)| !value.is_empty());
    let harmless = |text: &str| one_line(&clip(text, LONGEST_PROPERTY));
    known.map(|(name, value)| (harmless(&name).into(), harmless(&value))).collect()
}

/// All about a case that its message does not say; empty if there is nothing more.
fn explanation(record: &Record, case: &Case) -> String {
    match case {
        Case::Scenario(finished) => text(&of_scenario(record, finished)),
        Case::Stale(stale) => {
            let known = &stale.entry.why;
            text(&format!("{}\n{}\n", known.reason, known.tracked()))
        }
        Case::SkippedClause(..) | Case::Run(_) => String::new(),
    }
}

fn of_scenario(record: &Record, finished: &ScenarioFinished) -> String {
    let verdict = record.verdict_of(finished);
    if verdict == Verdict::Passed && finished.notes.is_empty() {
        return String::new();
    }
    let mut page = Page::plain();
    if verdict == Verdict::Warning || verdict == Verdict::NotSupported {
        page.paragraph(0, Ink::Plain, &format!("{}: {}", verdict.word(), message_of_success(verdict)));
    }
    failure::scenario(&mut page, record, finished);
    page.into_text()
}

fn message_of_success(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Warning => "a failed should clause fails the run only with --strict",
        _ => "a failed may clause never fails the run",
    }
}

/// Attributes are one line: a parser turns line ends into spaces anyway.
pub(crate) fn attribute(text: &str) -> String {
    one_line(&clip(text, LONGEST_MESSAGE))
}

/// Harmless and bounded.
pub(crate) fn text(text: &str) -> String {
    clip(&escape(text), LONGEST_TEXT).into_owned()
}

/// A test case without properties; a caller that measures its time adds it.
pub(crate) fn simple(name: &str, result: CaseResult, word: &'static str, message: &str) -> TestCase {
    TestCase {
        name: attribute(name),
        elapsed: std::time::Duration::ZERO,
        result,
        word,
        message: attribute(message),
        text: String::new(),
        properties: Vec::new(),
    }
}
