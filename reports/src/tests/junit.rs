//! `junit.xml` is XML, whatever a server sends.

use proptest::prelude::*;
use quick_xml::events::{BytesStart, Event as Xml};
use quick_xml::{Reader, XmlVersion};

use crate::Format;
use crate::tests::example::{Example, clause, everything, failed};
use crate::tests::{hostile, record, rendered};
use model::Event;

/// A test case, read back.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) suite: String,
    pub(crate) name: String,
    pub(crate) class: String,
    /// `failure`, `error`, `skipped`, or empty.
    pub(crate) came: String,
    pub(crate) message: String,
    /// The value of the property of that name.
    pub(crate) cause: String,
    pub(crate) output: String,
}

fn attribute(element: &BytesStart, name: &str) -> String {
    let found = element.attributes().map(Result::unwrap).find(|one| one.key.as_ref() == name.as_bytes());
    found.map(|one| one.normalized_value(XmlVersion::Explicit1_0).unwrap().into_owned()).unwrap_or_default()
}

/// What was read of a document so far.
#[derive(Default)]
struct Reading {
    cases: Vec<Case>,
    /// Tests, failures and errors, as the suites claim.
    claimed: [usize; 3],
    suite: String,
}

impl Reading {
    fn element(&mut self, element: &BytesStart) {
        match element.name().as_ref() {
            b"testsuite" => {
                self.suite = attribute(element, "name");
                for (sum, name) in self.claimed.iter_mut().zip(["tests", "failures", "errors"]) {
                    *sum += attribute(element, name).parse::<usize>().unwrap();
                }
            }
            b"testcase" => self.cases.push(Case {
                suite: self.suite.clone(),
                name: attribute(element, "name"),
                class: attribute(element, "classname"),
                ..Case::default()
            }),
            came @ (b"failure" | b"error" | b"skipped") => {
                let latest = self.cases.last_mut().unwrap();
                latest.came = String::from_utf8(came.to_vec()).unwrap();
                latest.message = attribute(element, "message");
            }
            b"property" => {
                assert_eq!(attribute(element, "name"), "cause");
                self.cases.last_mut().unwrap().cause = attribute(element, "value");
            }
            b"testsuites" | b"system-out" | b"properties" => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Reads a document and checks the counts that its suites claim.
pub(crate) fn parse(xml: &str) -> Vec<Case> {
    let mut reader = Reader::from_str(xml);
    let (mut reading, mut depth) = (Reading::default(), 0);
    loop {
        let event = reader.read_event().unwrap();
        depth += i32::from(matches!(event, Xml::Start(_))) - i32::from(matches!(event, Xml::End(_)));
        match event {
            Xml::Eof => break,
            Xml::Start(element) | Xml::Empty(element) => reading.element(&element),
            Xml::CData(text) => {
                reading.cases.last_mut().unwrap().output += std::str::from_utf8(&text).unwrap();
            }
            Xml::Decl(_) | Xml::End(_) => {}
            Xml::Text(text) => assert_eq!(text.trim_ascii(), b"", "text outside of a section"),
            other => panic!("{other:?}"),
        }
    }
    let cases = reading.cases;
    let count = |came: &str| cases.iter().filter(|case| case.came == came).count();
    assert_eq!((depth, reading.claimed), (0, [cases.len(), count("failure"), count("error")]));
    cases
}

fn cases(events: &[Event]) -> Vec<Case> {
    parse(&rendered(Format::Junit, events))
}

/// The production `Char` of XML 1.0.
fn legal(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[test]
fn every_outcome_has_its_element() {
    let cases = cases(&everything());
    let shown: Vec<String> = cases
        .iter()
        .map(|case| format!("{:<24} {:<34} {:<8} {}", case.class, case.name, case.came, case.message))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn evidence_stands_in_the_output() {
    let cases = cases(&everything());
    let case = cases.iter().find(|case| case.name == "rv-list-exact-zero/custom-resource").unwrap();
    assert_eq!(case.suite, "resource-version");
    insta::assert_snapshot!(case.output);
}

#[test]
fn a_broken_should_is_a_failure_only_if_strict() {
    let came = |strict: bool| {
        let mut run = Example::new(vec![clause("watch", "w", "should", "s")]);
        run.start(1);
        if let model::EventKind::RunStarted(started) = &mut run.events[0].kind {
            started.strict = strict;
        }
        run.add("w", 1, failed("a", "b"));
        run.end(&[]);
        cases(&run.events).remove(0).came
    };
    assert_eq!((came(false).as_str(), came(true).as_str()), ("", "failure"));
}

#[test]
fn a_run_without_its_end_is_an_error() {
    let mut events = everything();
    events.pop();
    let cases = cases(&events);
    let run = cases.last().unwrap();
    assert_eq!((run.suite.as_str(), run.came.as_str()), ("run", "error"));
    assert_eq!(run.message, "the run did not finish");
}

#[test]
fn megabytes_are_cut() {
    let mut run = Example::new(vec![clause("watch", "w", "must", "s")]);
    run.start(1);
    run.add("w", 1, failed("a", &"]]>\u{1b}".repeat(1_000_000)));
    run.end(&[]);
    assert!(rendered(Format::Junit, &run.events).len() < 1_000_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_document_is_valid_and_has_every_text(events in hostile::run()) {
        let xml = rendered(Format::Junit, &events);
        prop_assert!(xml.chars().all(legal));
        let cases = parse(&xml);
        let record = record(&events);
        for finished in record.tally.scenarios() {
            let model::Outcome::Failed { failure } = &finished.outcome else { continue };
            if record.level_of(finished).is_none() {
                continue;
            }
            let name = crate::escape::one_line(&crate::escape::clip(finished.scenario.as_str(), 500));
            // Parsers turn tabs and line ends in attributes into spaces; there are none left.
            let is_reported = |case: &&Case| case.name == name && holds(&case.output, &failure.actual);
            prop_assert!(cases.iter().any(|case| is_reported(&case)), "{name:?} {failure:?}");
        }
    }
}

/// Every line of a server's text, as far as it was not cut.
fn holds(output: &str, text: &str) -> bool {
    let shown = crate::escape::escape(text).into_owned();
    shown.len() > 10_000 || shown.split('\n').all(|line| output.contains(line.trim_end_matches(' ')))
}
