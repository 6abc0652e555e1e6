//! `junit.xml` of a load run: a test case for each threshold, one for each broken rule, and one for the run itself.

use std::io::{self, Write};

use junit_report::{Duration, Report, TestCase};
use model::load::threshold::ThresholdVerdict;
use model::load::{Breach, LoadRun, ThresholdResult};

use super::terminal::write_terminal;
use crate::junit::{attribute, character_data, suite_of, time};
use crate::terminal::Look;

/// The output holds the tables, which need room.
const WIDTH: usize = 160;

/// Writes the whole document.
pub fn write_junit(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let mut testcases = vec![of_run(run)?];
    testcases.extend(run.breaches.iter().map(broken));
    testcases.extend(run.thresholds.iter().map(threshold));
    let name = format!("load.{}", run.workload.name);
    let mut report = Report::new();
    report.add_testsuite(suite_of(&run.target.address, &name, run.began, testcases));
    report.write_xml(&mut *out).map_err(io::Error::other)?;
    writeln!(out)
}

/// An error if the numbers of the run are incomplete: a truncated run must not look green.
fn of_run(run: &LoadRun) -> io::Result<TestCase> {
    let took = time(run.elapsed());
    let mut why: Vec<String> = run.partial.iter().map(|why| format!("the run is partial: {why}")).collect();
    why.extend(run.all_warnings().into_iter().filter(|warning| warning.grave).map(|warning| warning.says));
    why.extend(run.leftovers.iter().map(|path| format!("left on the server: {path}")));
    let mut testcase = match why.as_slice() {
        [] => TestCase::success("run", took),
        why => TestCase::error("run", took, "inconclusive", &attribute(&why.join("; "))),
    };
    let mut tables = Vec::new();
    write_terminal(run, Look { width: WIDTH, colour: false }, &mut tables)?;
    testcase.set_system_out(&character_data(&String::from_utf8_lossy(&tables)));
    Ok(testcase)
}

fn broken(breach: &Breach) -> TestCase {
    let name = attribute(&format!("broken: {}", breach.rule));
    let message = format!("expected {}, got {} ({} times)", breach.expected, breach.actual, breach.count);
    let mut testcase = TestCase::failure(&name, Duration::ZERO, "failed", &attribute(&message));
    testcase.set_system_out(&character_data(&breach.evidence.join("\n")));
    testcase
}

fn threshold(judged: &ThresholdResult) -> TestCase {
    let preset = judged.preset.as_ref().map_or(String::new(), |preset| format!("{preset}: "));
    let name = attribute(&format!("{preset}{}", judged.threshold));
    let (word, message) = (judged.verdict.word(), attribute(&judged.to_string()));
    match judged.verdict {
        ThresholdVerdict::Met => TestCase::success(&name, Duration::ZERO),
        ThresholdVerdict::Missed => TestCase::failure(&name, Duration::ZERO, word, &message),
        // A preset has thresholds for more than any workload measures; a threshold of the user needs a value.
        ThresholdVerdict::NotJudged if judged.preset.is_some() => {
            TestCase::skipped_with_cause(&name, word, &message)
        }
        ThresholdVerdict::Inconclusive | ThresholdVerdict::NotJudged => {
            TestCase::error(&name, Duration::ZERO, word, &message)
        }
    }
}
