//! `junit.xml` is XML, whatever a server sends.

use std::sync::Arc;

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
    /// The explanation: the content of the result, or the output of a success.
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
    /// Tests, failures and errors, as the root claims.
    total: [usize; 3],
}

/// Tests, failures and errors of an element.
fn claims(element: &BytesStart) -> [usize; 3] {
    ["tests", "failures", "errors"].map(|name| attribute(element, name).parse().unwrap())
}

impl Reading {
    fn element(&mut self, element: &BytesStart) {
        match element.name().as_ref() {
            b"testsuite" => {
                self.suite = attribute(element, "name");
                for (sum, claimed) in self.claimed.iter_mut().zip(claims(element)) {
                    *sum += claimed;
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
            b"property" if attribute(element, "name") == "cause" => {
                self.cases.last_mut().unwrap().cause = attribute(element, "value");
            }
            b"testsuites" => self.total = claims(element),
            b"property" | b"system-out" | b"system-err" | b"properties" => {}
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
    let counts = [cases.len(), count("failure"), count("error")];
    assert_eq!((depth, reading.claimed, reading.total), (0, counts, counts));
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
fn a_failure_holds_its_explanation() {
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
            Arc::make_mut(started).strict = strict;
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
        assert_valid(&tree(&xml));
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

/// An element: its name, its attributes, and the elements in it.
#[derive(Debug)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Node>,
}

/// The elements of a document.
fn tree(xml: &str) -> Node {
    let mut reader = Reader::from_str(xml);
    let mut open = vec![Node { name: String::new(), attributes: Vec::new(), children: Vec::new() }];
    loop {
        let event = reader.read_event().unwrap();
        match &event {
            Xml::Start(element) | Xml::Empty(element) => {
                let name = String::from_utf8(element.name().as_ref().to_vec()).unwrap();
                let attributes = element.attributes().map(|one| {
                    let one = one.unwrap();
                    let value = one.normalized_value(XmlVersion::Explicit1_0).unwrap().into_owned();
                    (String::from_utf8(one.key.as_ref().to_vec()).unwrap(), value)
                });
                open.push(Node { name, attributes: attributes.collect(), children: Vec::new() });
            }
            Xml::Eof => return open.remove(0),
            _ => {}
        }
        if matches!(event, Xml::End(_) | Xml::Empty(_)) {
            let closed = open.pop().unwrap();
            open.last_mut().unwrap().children.push(closed);
        }
    }
}

/// Whether a value has the type that the schemas demand of the attribute.
fn fits(attribute: &str, value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match attribute {
        "id" | "tests" | "failures" | "errors" | "skipped" => digits(value),
        "time" => value
            .split_once('.')
            .is_some_and(|(whole, rest)| digits(whole) && digits(rest) && rest.len() == 3),
        "timestamp" => {
            value.len() == 19 && jiff::civil::DateTime::strptime("%Y-%m-%dT%H:%M:%S", value).is_ok()
        }
        "hostname" => !value.trim().is_empty(),
        _ => true,
    }
}

/// Checks the elements, their order, and their attributes.
#[track_caller]
fn assert_valid(node: &Node) {
    let (attributes, children): (&[&str], &[&str]) = match node.name.as_str() {
        "" => (&[], &["testsuites"]),
        "testsuites" => (&["name", "tests", "failures", "errors", "time"], &["testsuite"]),
        "testsuite" => (
            &[
                "id",
                "name",
                "package",
                "timestamp",
                "hostname",
                "skipped",
                "tests",
                "failures",
                "errors",
                "time",
            ],
            &["properties", "testcase", "system-out", "system-err"],
        ),
        "testcase" => {
            (&["name", "classname", "time"], &["properties", "failure", "error", "skipped", "system-out"])
        }
        "properties" => (&[], &["property"]),
        "property" => (&["name", "value"], &[]),
        "failure" | "error" => (&["type", "message"], &[]),
        "skipped" => (&["message"], &[]),
        "system-out" | "system-err" => (&[], &[]),
        other => panic!("{other:?}"),
    };
    let names: Vec<&str> = node.attributes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, attributes, "{}", node.name);
    for (name, value) in &node.attributes {
        assert!(fits(name, value), "{name}={value:?}");
    }
    let order = |child: &Node| children.iter().position(|name| *name == child.name);
    assert!(node.children.iter().all(|child| order(child).is_some()), "{node:?}");
    assert!(node.children.is_sorted_by_key(order), "{node:?}");
    let first = node.children.first().map(|child| child.name.as_str());
    assert!(node.name != "testsuite" || first == Some("properties"), "Ant's schema demands it: {node:?}");
    node.children.iter().for_each(assert_valid);
}

#[test]
fn a_case_has_its_level_its_link_and_its_command() {
    let xml = rendered(Format::Junit, &everything());
    for property in [
        "name=\"seed\" value=\"42\"",
        "name=\"profile\" value=\"core\"",
        "name=\"label.team\" value=\"storage\"",
        "name=\"level\" value=\"should\"",
        "name=\"link\" value=\"https://kubernetes.io/docs/reference/using-api/api-concepts/#watch\"",
        "name=\"rerun\" value=\"kube-assay run --server=https://127.0.0.1:6443 --token=&quot;$TOKEN&quot; \
         --clause rv-list-exact-zero/custom-resource --seed 42\"",
    ] {
        assert!(xml.contains(property), "no {property} in {xml}");
    }
}

/// Every line of a server's text, as far as it was not cut.
fn holds(output: &str, text: &str) -> bool {
    let shown = crate::escape::escape(text).into_owned();
    shown.len() > 10_000 || shown.split('\n').all(|line| output.contains(line.trim_end_matches(' ')))
}
