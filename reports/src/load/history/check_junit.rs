//! `JUnit` of the conclusion on a history: a test case for each number.

use std::io::{self, Write};

use jiff::Timestamp;
use model::load::history::{HistoryConclusion, JudgedTrend};

use super::check::{of_too_few, sentence};
use crate::cases::CaseResult;
use crate::junit::{TestCase, TestSuite, attribute, simple, write_document};
use crate::load::rows::full_title;

/// Writes the whole document.
pub fn write_check_junit(
    conclusion: &HistoryConclusion,
    began: Timestamp,
    out: &mut dyn Write,
) -> io::Result<()> {
    let judged = conclusion.judged.iter().map(|one| case(conclusion, one));
    let too_few = conclusion.too_few.iter().map(|one| {
        let name = format!("{} on {}", one.workload, one.place);
        simple(&name, CaseResult::Error, "inconclusive", &of_too_few(one))
    });
    let mut cases: Vec<TestCase> = judged.chain(too_few).collect();
    if cases.is_empty() {
        cases.push(simple("results", CaseResult::Error, "inconclusive", "the store has no results"));
    }
    let suite =
        TestSuite { name: attribute("history"), host: String::new(), began, properties: Vec::new(), cases };
    write_document("kube-assay history", &[suite], out)
}

fn case(conclusion: &HistoryConclusion, judged: &JudgedTrend) -> TestCase {
    let (series, measure) = (full_title(&judged.series), judged.measure.name());
    let name = format!("{} on {}, {series} {measure}", judged.workload, judged.place);
    let worse: Vec<String> =
        conclusion.regressions.iter().filter(|one| one.is_of(judged)).map(sentence).collect();
    let result = if worse.is_empty() { CaseResult::Success } else { CaseResult::Failure };
    let word = if worse.is_empty() { "passed" } else { "failed" };
    simple(&name, result, word, &worse.join("; "))
}
