//! `junit.xml` of a load run: a test case for each threshold, one for each broken rule, and one for the run itself.

use std::io::{self, Write};

use model::load::threshold::ThresholdVerdict;
use model::load::{Breach, LoadRun, ThresholdResult};

use super::account;
use super::terminal::write_terminal;
use crate::cases::CaseResult;
use crate::junit::{
    Property, TestCase, TestSuite, attribute, host, simple, text, with_labels, write_document,
};
use crate::terminal::Look;

/// The output holds the tables, which need room.
const WIDTH: usize = 160;

/// Writes the whole document.
pub fn write_junit(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let mut cases = vec![of_run(run)?];
    cases.extend(run.breaches.iter().map(broken));
    cases.extend(run.thresholds.iter().map(|judged| threshold(judged, run.partial.is_some())));
    let suite = TestSuite {
        name: attribute(&format!("load.{}", run.workload.name)),
        host: host(&run.target.address),
        began: run.began,
        properties: properties(run),
        cases,
    };
    write_document("kube-assay load", &[suite], out)
}

fn properties(run: &LoadRun) -> Vec<Property> {
    let facts = [
        ("server", run.target.address.clone()),
        ("release", run.target.release.clone()),
        ("run", run.run.clone()),
        ("seed", run.seed.to_string()),
        ("workload", run.workload.name.clone()),
        ("workload-digest", run.workload.digest.clone()),
        ("host", account::host(&run.host)),
        ("tool", run.tool.clone()),
    ];
    with_labels(facts, &run.labels)
}

/// An error if the numbers of the run are incomplete: a truncated run must not look green.
fn of_run(run: &LoadRun) -> io::Result<TestCase> {
    let mut why: Vec<String> = run.partial.iter().map(|why| format!("the run is partial: {why}")).collect();
    why.extend(run.all_warnings().into_iter().filter(|warning| warning.grave).map(|warning| warning.says));
    why.extend(run.idle());
    why.extend(run.leftovers.iter().map(|path| format!("left on the server: {path}")));
    let result = if why.is_empty() { CaseResult::Success } else { CaseResult::Error };
    let mut tables = Vec::new();
    write_terminal(run, Look { width: WIDTH, colour: false }, &mut tables)?;
    Ok(TestCase {
        elapsed: run.elapsed(),
        text: text(&String::from_utf8_lossy(&tables)),
        ..simple("run", result, "inconclusive", &why.join("; "))
    })
}

fn broken(breach: &Breach) -> TestCase {
    let message = format!("expected {}, got {} ({} times)", breach.expected, breach.actual, breach.count);
    TestCase {
        text: text(&breach.evidence.join("\n")),
        ..simple(&format!("broken: {}", breach.rule), CaseResult::Failure, "failed", &message)
    }
}

fn threshold(judged: &ThresholdResult, is_partial: bool) -> TestCase {
    let preset = judged.preset.as_ref().map_or(String::new(), |preset| format!("{preset}: "));
    let name = format!("{preset}{}", judged.threshold);
    let result = match judged.verdict {
        ThresholdVerdict::Met => CaseResult::Success,
        ThresholdVerdict::Missed => CaseResult::Failure,
        ThresholdVerdict::NotJudged if !judged.lacks_value() => CaseResult::Skipped,
        ThresholdVerdict::Inconclusive | ThresholdVerdict::NotJudged => CaseResult::Error,
    };
    // The value alone may keep the limit.
    let is_open = is_partial && judged.verdict == ThresholdVerdict::Inconclusive;
    let why = if is_open { "; the run is partial" } else { "" };
    simple(&name, result, judged.verdict.word(), &format!("{judged}{why}"))
}
