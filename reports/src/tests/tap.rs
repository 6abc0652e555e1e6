//! TAP 14, parsed by the rules of the protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{Clause, EventKind, Outcome};
use serde_json::Value;

use crate::Format;
use crate::tap::EXPECTED;
use crate::tests::example::{Example, clause, everything};
use crate::tests::rendered;

/// A test, read back.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) ok: bool,
    pub(super) name: String,
    /// `SKIP`, [`EXPECTED`] or empty.
    pub(super) directive: String,
    pub(super) reason: String,
    pub(super) fields: BTreeMap<String, Value>,
}

/// Reads a stream that holds nothing but what the protocol defines.
pub(super) fn parse(stream: &str) -> Vec<Test> {
    let mut lines = stream.lines().peekable();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let count: usize = lines.next().unwrap().strip_prefix("1..").unwrap().parse().unwrap();
    let mut tests: Vec<Test> = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("# ") {
            continue;
        }
        let mut test = test(line, tests.len() + 1);
        if lines.next_if_eq(&"  ---").is_some() {
            let yaml: Vec<&str> = lines.by_ref().take_while(|line| *line != "  ...").collect();
            let yaml: Vec<&str> = yaml.iter().map(|line| line.strip_prefix("  ").unwrap()).collect();
            test.fields = serde_saphyr::from_str(&yaml.join("\n")).unwrap();
        }
        tests.push(test);
    }
    assert_eq!(tests.len(), count);
    tests
}

fn test(line: &str, number: usize) -> Test {
    let (ok, rest) = line.strip_prefix("not ").map_or((true, line), |rest| (false, rest));
    let rest = rest.strip_prefix(&format!("ok {number} -")).unwrap_or_else(|| panic!("{number}: {line:?}"));
    let (mut name, mut characters) = (String::new(), rest.chars());
    let mut directive = String::new();
    while let Some(c) = characters.next() {
        match c {
            '\\' => name.extend(characters.next()),
            '#' => {
                directive = characters.collect();
                break;
            }
            c => name.push(c),
        }
    }
    let (directive, reason) = directive.trim().split_once(' ').unwrap_or((directive.trim(), ""));
    assert!(["", "SKIP", EXPECTED].contains(&directive), "{line:?}");
    let (directive, reason) = (directive.to_owned(), reason.to_owned());
    Test { ok, name: name.trim().to_owned(), directive, reason, fields: BTreeMap::new() }
}

#[test]
fn the_stream_reads_well() {
    insta::assert_snapshot!(rendered(Format::Tap, &everything()));
}

#[test]
fn a_failed_test_has_its_reason() {
    let tests = parse(&rendered(Format::Tap, &everything()));
    let broken = tests.iter().find(|test| test.name == "rv-list-exact-zero").unwrap();
    assert!(!broken.ok && broken.directive.is_empty());
    assert_eq!(broken.fields["actual"], "200 ConfigMapList of 2 items at version 31415");
    assert!(broken.fields["again"].as_str().unwrap().starts_with("curl -ksS -X GET "));
    let unasked = tests.iter().find(|test| test.name == "watch-since-next").unwrap();
    assert_eq!((unasked.ok, unasked.directive.as_str()), (true, "SKIP"));
    assert_eq!(unasked.reason, "since 1.37, and this server is 1.36");
}

#[test]
fn warnings_are_comments() {
    let newer = Clause { since: "1.20".parse().ok(), ..clause("a", "newer", "must", "It is new.") };
    let mut run = Example::new(vec![newer]);
    run.start(1);
    let EventKind::RunStarted(started) = &mut run.events[0].kind else { unreachable!() };
    Arc::make_mut(started).target.version = "1.2".parse().ok();
    run.add("newer", 3, Outcome::Passed);
    run.end(&[]);
    let stream = rendered(Format::Tap, &run.events);
    let warning = "\n# warning: 1 of 1 must clause are skipped because they are newer than 1.2, ";
    assert!(stream.contains(warning), "{stream}");
    assert!(parse(&stream)[0].ok, "{stream}");
}
