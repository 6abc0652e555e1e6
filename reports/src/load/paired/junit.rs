//! `JUnit` of pairs of runs: a test case for the comparison, and one for each number.

use std::io::{self, Write};

use jiff::Timestamp;
use model::load::comparison::{Finding, PairedChange, PairedConclusion};

use super::sentences::{number_name, of_number};
use super::{PairedOutcome, PairedReport, conclusion, write_paired};
use crate::cases::CaseResult;
use crate::junit::{TestCase, TestSuite, attribute, simple, text, write_document};
use crate::terminal::Look;

/// The output holds the table, which needs room.
const WIDTH: usize = 160;

/// Writes the whole document.
pub(super) fn write(report: &PairedReport, began: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let mut cases = vec![of_comparison(report)?];
    cases.extend(report.changes.iter().map(|change| case(report, change)));
    let suite =
        TestSuite { name: attribute("pairs"), host: String::new(), began, properties: Vec::new(), cases };
    write_document("kube-assay load", &[suite], out)
}

fn of_comparison(report: &PairedReport) -> io::Result<TestCase> {
    let (result, word) = match &report.outcome {
        PairedOutcome::Shown => (CaseResult::Skipped, "not judged"),
        PairedOutcome::Judged(PairedConclusion::NotWorse) => (CaseResult::Success, "passed"),
        PairedOutcome::Judged(PairedConclusion::Worse(_)) | PairedOutcome::Broken(_) => {
            (CaseResult::Failure, "failed")
        }
        PairedOutcome::Judged(_) | PairedOutcome::NotCompared(_) => (CaseResult::Error, "inconclusive"),
    };
    let mut table = Vec::new();
    write_paired(report, Look { width: WIDTH, colour: false }, &mut table)?;
    let table = text(&String::from_utf8_lossy(&table));
    Ok(TestCase { text: table, ..simple("comparison", result, word, &conclusion(report).1) })
}

/// A number passes only in a comparison that judges it.
fn case(report: &PairedReport, change: &PairedChange) -> TestCase {
    let (result, word) = match (&report.outcome, report.limit) {
        (PairedOutcome::Judged(PairedConclusion::Doubtful), _) => (CaseResult::Error, "inconclusive"),
        (PairedOutcome::Judged(_), Some(limit)) => match change.finding(limit) {
            Finding::Worse => (CaseResult::Failure, "failed"),
            Finding::NotWorse => (CaseResult::Success, "passed"),
            Finding::Unclear | Finding::Unknown => (CaseResult::Error, "inconclusive"),
        },
        _ => (CaseResult::Skipped, "not judged"),
    };
    simple(&number_name(change), result, word, &of_number(change))
}
