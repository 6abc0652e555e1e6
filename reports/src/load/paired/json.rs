//! Pairs of load runs on two servers, for programs.

use std::io::{self, Write};

use model::load::comparison::{Finding, PairedChange, PairedConclusion, Ratios};
use serde_json::{Value, json};

use super::sentences::of_number;
use super::{PairedOutcome, PairedReport, USUAL_LIMIT, conclusion, sentences};

/// Writes the pairs as a JSON document: `reports/schema/load-pairs.json` describes it.
pub fn write_paired_json(report: &PairedReport, out: &mut dyn Write) -> io::Result<()> {
    let changes: Vec<Value> = report.changes.iter().map(|change| of_change(report, change)).collect();
    let document = json!({
        "kind": "load-pairs",
        "base": report.servers.0,
        "new": report.servers.1,
        "pairs": report.pairs,
        "measured_pairs": report.measured,
        "stopped_early": report.stopped_early(),
        "duration_ms": u64::try_from(report.length.as_millis()).unwrap_or(u64::MAX),
        "limit": report.limit,
        "changes": changes,
        "conclusion": word(&report.outcome),
        "sentences": sentences(report),
        "message": conclusion(report).1,
    });
    writeln!(out, "{document:#}")?;
    out.flush()
}

fn of_change(report: &PairedReport, change: &PairedChange) -> Value {
    let limit = report.limit.unwrap_or(USUAL_LIMIT);
    json!({
        "series": change.series,
        "measure": change.measure.name(),
        "pairs": change.known,
        "median": change.ratios.as_ref().map(Ratios::median),
        "at_least": change.paired.map(|paired| paired.low),
        "at_most": change.at_most,
        "visible_from": change.paired.map(|paired| 1.0 + paired.smallest_effect(limit)),
        "finding": match change.finding(limit) {
            Finding::Worse => "worse",
            _ if change.paired.is_some_and(|paired| paired.is_better(limit)) => "better",
            Finding::NotWorse => "not worse",
            Finding::Unclear => "unclear",
            Finding::Unknown => "inconclusive",
        },
        "sentence": of_number(change),
    })
}

fn word(outcome: &PairedOutcome) -> &'static str {
    match outcome {
        PairedOutcome::Shown => "not judged",
        PairedOutcome::Judged(PairedConclusion::Worse(_)) => "worse",
        PairedOutcome::Judged(PairedConclusion::NotWorse) => "not worse",
        PairedOutcome::Broken(_) => "failed",
        PairedOutcome::Judged(PairedConclusion::Doubtful | PairedConclusion::Inconclusive { .. })
        | PairedOutcome::NotCompared(_) => "inconclusive",
    }
}
