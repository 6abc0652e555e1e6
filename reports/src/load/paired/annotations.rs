//! Annotations of GitHub Actions about pairs of runs.

use std::io::{self, Write};

use model::load::comparison::{Finding, PairedChange, PairedConclusion};

use super::sentences::{direction, number_name, of_number};
use super::{PairedOutcome, PairedReport, conclusion};
use crate::annotations::{Annotation, Kind, write_kind};

/// Writes a command for each number that is worse, or one with the reason why there is no result.
pub fn write_paired_annotations(report: &PairedReport, out: &mut dyn Write) -> io::Result<()> {
    write_kind(Kind::Error, annotations(report), out)?;
    out.flush()
}

fn annotations(report: &PairedReport) -> Vec<Annotation> {
    let about_all = |title: &str| vec![(title.to_owned(), conclusion(report).1)];
    match &report.outcome {
        PairedOutcome::Shown | PairedOutcome::Judged(PairedConclusion::NotWorse) => Vec::new(),
        PairedOutcome::Judged(PairedConclusion::Worse(_)) => worse(report),
        PairedOutcome::Broken(_) => about_all("not compared"),
        PairedOutcome::NotCompared(_) | PairedOutcome::Judged(_) => about_all("inconclusive"),
    }
}

fn worse(report: &PairedReport) -> Vec<Annotation> {
    let is_worse = |limit| report.changes.iter().filter(move |one| one.finding(limit) == Finding::Worse);
    let of_change = |change: &PairedChange| {
        let word = direction(&change.series, change.measure, true);
        (format!("{word}: {}", number_name(change)), of_number(change))
    };
    report.limit.into_iter().flat_map(is_worse).map(of_change).collect()
}
