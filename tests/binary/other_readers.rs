//! Readers of other projects, where they are installed: junitparser and tap.py read what a run writes.

use serde_json::Value;

use crate::support::python::python;
use crate::support::{Proxy, Reference, kube_assay};

/// Prints tests, failures, errors and skipped tests, and whether each failure has a text and each case a level.
const JUNITPARSER: &str = "
import sys
from junitparser import JUnitXml, Failure
xml = JUnitXml.fromfile(sys.argv[1])
cases = [case for suite in xml for case in suite]
failures = [one for case in cases for one in case.result if isinstance(one, Failure)]
level = lambda case: any(one.get('name') == 'level' for one in case._elem.iter('property'))
print([xml.tests, xml.failures, xml.errors, sum(suite.skipped for suite in xml)])
print(all('expected' in one.text and 'kube-assay run' in one.text for one in failures))
print(all(level(case) for case in cases))
";

/// Prints the number of tests, and of those that fail.
const TAP: &str = "
import sys
from tap.parser import Parser
tests = [line for line in Parser().parse_file(sys.argv[1]) if line.category == 'test']
print([len(tests), sum(not test.ok for test in tests)])
";

#[test]
fn junitparser_reads_the_totals_the_explanations_and_the_levels() {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--server", &proxy.url(), "--token", reference.token()];
    let run = kube_assay(&server).with(&["--clause", "rv-list-*"]).end().ended_with(1);
    let Some(read) = python("junitparser", JUNITPARSER, &run.reports().join("junit.xml")) else { return };
    let junit = run.report("junit.xml");
    let count = |element: &str| junit.matches(element).count();
    let counts = ["<testcase ", "<failure ", "<error ", "<skipped "].map(count);
    assert!(counts[1] > 0);
    assert_eq!(read, format!("{counts:?}\nTrue\nTrue\n"));
}

#[test]
fn tap_py_reads_every_test() {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--tap", "--server", &proxy.url(), "--token", reference.token()];
    let run = kube_assay(&server).with(&["--clause", "rv-list-*"]).end().ended_with(1);
    let stream = run.folder().join("run.tap");
    std::fs::write(&stream, &run.out).unwrap();
    let Some(read) = python("tap.parser", TAP, &stream) else { return };
    let starting = |start: &str| run.out.lines().filter(|line| line.starts_with(start)).count();
    let (failed, passed) = (starting("not ok "), starting("ok "));
    assert!(failed > 0);
    // Without its optional modules it prints a warning first.
    let counts: Value = serde_json::from_str(read.lines().last().unwrap()).unwrap();
    assert_eq!(counts, serde_json::json!([failed + passed, failed]));
}
