//! `junit.xml`: an area is a test suite, a scenario is a test case.
//!
//! The crate that writes it escapes attributes and nothing else, so all text is made harmless before it gets there.

use std::io::{self, Write};

use harness::{Clause, Outcome, ScenarioFinished, Stale, Verdict};
use jiff::Timestamp;
use junit_report::{Duration, OffsetDateTime, Report, TestCase, TestSuite};

use crate::escape::{clip, escape, one_line};
use crate::failure;
use crate::judgement;
use crate::mark::Mark;
use crate::page::{Ink, Page};
use crate::progress::why;
use crate::record::Record;

/// What a message attribute holds at most, in characters.
const LONGEST_MESSAGE: usize = 500;

/// What one test case's output holds at most, in characters.
const LONGEST_OUTPUT: usize = 200_000;

/// Longer durations, which no run has, would overflow where they are added up.
const LONGEST_MS: u128 = 1_000_000_000_000;

/// Writes the whole document.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new();
    for area in areas(record) {
        report.add_testsuite(suite(record, area));
    }
    report.add_testsuites(stale_suite(record));
    report.add_testsuites(run_suite(record));
    report.write_xml(&mut *out).map_err(io::Error::other)?;
    writeln!(out)
}

/// In the catalogue's order; what is in no area, which only a damaged recording shows, comes last.
fn areas(record: &Record) -> Vec<&str> {
    let of_clauses = record.tally.areas().into_iter().map(|(area, _)| area);
    let of_scenarios = record.tally.scenarios().iter().map(|finished| record.area_of(finished));
    let mut areas: Vec<&str> = Vec::new();
    for area in of_clauses.chain(of_scenarios) {
        if !areas.contains(&area) {
            areas.push(area);
        }
    }
    areas
}

fn suite(record: &Record, area: &str) -> TestSuite {
    let asked = record.tally.scenarios().iter().filter(|finished| record.area_of(finished) == area);
    let unasked = record
        .tally
        .verdicts()
        .map(|(clause, _)| clause)
        .filter(|clause| clause.area == area && record.tally.scenarios_of(&clause.id).next().is_none());
    let testcases = asked
        .map(|finished| scenario(record, finished))
        .chain(unasked.map(|clause| not_asked(record, clause)));
    suite_of_run(record, area, record.area_began(area), testcases.collect())
}

fn suite_of_run(record: &Record, name: &str, began: Timestamp, testcases: Vec<TestCase>) -> TestSuite {
    let address = record.tally.started().map_or("", |started| &started.target.address);
    suite_of(address, name, began, testcases)
}

/// What was asked of the server at an address, under one name.
pub(crate) fn suite_of(
    address: &str,
    name: &str,
    began: Timestamp,
    mut testcases: Vec<TestCase>,
) -> TestSuite {
    let class = format!("kube-assay.{}", attribute(name));
    for testcase in &mut testcases {
        testcase.set_classname(&class);
    }
    TestSuite {
        name: attribute(name),
        package: class,
        timestamp: instant(began),
        hostname: attribute(address.split_once("://").map_or(address, |(_, host)| host)),
        testcases,
        system_out: None,
        system_err: None,
    }
}

/// A known failure that is stale fails the run as a scenario does.
fn stale_suite(record: &Record) -> Option<TestSuite> {
    let testcase = |stale: &Stale| {
        let name = attribute(stale.entry.of.as_str());
        let mut testcase = TestCase::failure(&name, Duration::ZERO, "stale", &attribute(&stale.to_string()));
        let known = &stale.entry.known;
        testcase.set_system_out(&character_data(&format!("{}\n{}\n", known.reason, known.link)));
        testcase
    };
    let testcases: Vec<TestCase> = record.tally.stale().iter().map(testcase).collect();
    (!testcases.is_empty()).then(|| suite_of_run(record, "known-failures", record.began(), testcases))
}

/// The run itself is an error if it cannot vouch for its scenarios: an interrupted run must not look green.
fn run_suite(record: &Record) -> Option<TestSuite> {
    let doubts = judgement::run_in_doubt(record);
    if doubts.is_empty() {
        return None;
    }
    let took = time(record.elapsed());
    let testcase = TestCase::error("run", took, "undetermined", &attribute(&doubts.join("; ")));
    Some(suite_of_run(record, "run", record.began(), vec![testcase]))
}

fn scenario(record: &Record, finished: &ScenarioFinished) -> TestCase {
    let (name, took) = (attribute(finished.scenario.as_str()), time(finished.elapsed));
    let message = attribute(&message(finished));
    let mark = record.mark_of(finished);
    let mut testcase = match mark {
        Mark::Undetermined => TestCase::error(&name, took, mark.word(), &message),
        Mark::Untested | Mark::Known => TestCase::skipped_with_cause(&name, mark.word(), &message),
        mark if mark.fails(record.strict()) => TestCase::failure(&name, took, mark.word(), &message),
        Mark::Upheld | Mark::Warned | Mark::NotOffered | Mark::Violated | Mark::Flaky => {
            TestCase::success(&name, took)
        }
    };
    let mut page = Page::plain();
    if mark == Mark::Warned || mark == Mark::NotOffered {
        page.paragraph(0, Ink::Plain, &format!("{}: {}", mark.word(), message_of_success(mark)));
    }
    if mark != Mark::Upheld || !finished.notes.is_empty() {
        failure::scenario(&mut page, record, finished);
        testcase.set_system_out(&character_data(&page.into_text()));
    }
    testcase
}

fn message_of_success(mark: Mark) -> &'static str {
    match mark {
        Mark::Warned => "the server breaks a should clause, which fails no run unless it is strict",
        _ => "the clause is a may, and this server does not offer it",
    }
}

/// A failure that calls for attention says also what was legal.
fn message(finished: &ScenarioFinished) -> String {
    match &finished.outcome {
        Outcome::Failed { failure } if finished.verdict() == Verdict::Violated => {
            let half = LONGEST_MESSAGE / 2;
            format!("expected {}, got {}", clip(&failure.expected, half), clip(&failure.actual, half))
        }
        _ => why(finished),
    }
}

fn not_asked(record: &Record, clause: &Clause) -> TestCase {
    let reason = record.reason(clause).unwrap_or_default();
    let word = Mark::Untested.word();
    TestCase::skipped_with_cause(&attribute(clause.id.as_str()), word, &attribute(&reason))
}

/// Attributes are one line: a parser turns line ends into spaces anyway.
pub(crate) fn attribute(text: &str) -> String {
    one_line(&clip(text, LONGEST_MESSAGE))
}

/// Harmless and bounded. The only sequence that ends a CDATA section is divided between two of them.
pub(crate) fn character_data(text: &str) -> String {
    clip(&escape(text), LONGEST_OUTPUT).replace("]]>", "]]]]><![CDATA[>")
}

pub(crate) fn time(elapsed: std::time::Duration) -> Duration {
    Duration::milliseconds(i64::try_from(elapsed.as_millis().min(LONGEST_MS)).unwrap_or_default())
}

/// RFC 3339, which is how it is written, knows the years 0 to 9999 only.
fn instant(at: Timestamp) -> OffsetDateTime {
    let seconds = at.as_second().clamp(-62_167_219_200, 253_402_300_799);
    let whole = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    whole + Duration::nanoseconds(at.subsec_nanosecond().max(0).into())
}
