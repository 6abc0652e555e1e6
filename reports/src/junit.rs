//! `junit.xml`: an area is a test suite, a scenario is a test case with the cause of its failure as a property.
//!
//! The crate that writes it escapes attributes and nothing else, so all text is made harmless before it gets there.

mod property;

use std::io::{self, Write};

use jiff::Timestamp;
use junit_report::{Duration, OffsetDateTime, Report, TestCase, TestSuite};
use model::{ScenarioFinished, Verdict};

use crate::cases::{self, Case, CaseResult, LONGEST_MESSAGE};
use crate::causes::Causes;
use crate::escape::{clip, escape, one_line};
use crate::failure;
use crate::page::{Ink, Page};
use crate::record::Record;

/// The maximum length of a test case's output, in characters.
const LONGEST_OUTPUT: usize = 200_000;

/// Longer durations, which no run has, would overflow where they are added up.
const LONGEST_MS: u128 = 1_000_000_000_000;

/// Writes the whole document.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let (mut report, causes) = (Report::new(), Causes::of(record));
    let mut of_cases = Vec::new();
    for (name, cases) in cases::groups(record) {
        let testcases = cases.iter().map(|case| testcase(record, case)).collect();
        report.add_testsuite(suite_of_run(record, name, testcases));
        of_cases.extend(cases.iter().map(|case| Some(attribute(&case.cause(&causes)?.name()))));
    }
    let mut xml = Vec::new();
    report.write_xml(&mut xml).map_err(io::Error::other)?;
    property::write(&xml, "cause", of_cases, out)?;
    writeln!(out)
}

fn suite_of_run(record: &Record, name: &str, testcases: Vec<TestCase>) -> TestSuite {
    let address = record.tally.started().map_or("", |started| &started.target.address);
    suite_of(address, name, record.area_began(name), testcases)
}

/// A test suite of the server at an address.
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

fn testcase(record: &Record, case: &Case) -> TestCase {
    let (name, took) = (attribute(case.name()), time(case.elapsed(record)));
    let (word, message) = (case.word(record), attribute(&case.message()));
    let mut testcase = match case.result(record) {
        CaseResult::Success => TestCase::success(&name, took),
        CaseResult::Failure => TestCase::failure(&name, took, word, &message),
        CaseResult::Error => TestCase::error(&name, took, word, &message),
        CaseResult::Skipped => TestCase::skipped_with_cause(&name, word, &message),
    };
    match case {
        Case::Scenario(finished) => testcase.system_out = output(record, finished),
        Case::Stale(stale) => {
            let known = &stale.entry.why;
            testcase.set_system_out(&character_data(&format!("{}\n{}\n", known.reason, known.tracked())));
        }
        Case::SkippedClause(..) | Case::Run(_) => {}
    }
    testcase
}

/// The output of a case, if it has any.
fn output(record: &Record, finished: &ScenarioFinished) -> Option<String> {
    let verdict = record.verdict_of(finished);
    if verdict == Verdict::Passed && finished.notes.is_empty() {
        return None;
    }
    let mut page = Page::plain();
    if verdict == Verdict::Warning || verdict == Verdict::NotSupported {
        page.paragraph(0, Ink::Plain, &format!("{}: {}", verdict.word(), message_of_success(verdict)));
    }
    failure::scenario(&mut page, record, finished);
    Some(character_data(&page.into_text()))
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
