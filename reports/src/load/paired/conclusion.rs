//! The conclusion of pairs of runs: one sentence that names both servers.

use super::{PairedOutcome, PairedReport, USUAL_LIMIT};
use crate::load::figures;
use crate::page::Ink;
use crate::words::duration;
use model::load::comparison::{Finding, MOST_PAIRS, Needed, PairedConclusion};

/// One sentence, whatever the outcome.
pub(in crate::load) fn conclusion(report: &PairedReport) -> (Ink, String) {
    let (base, new) = report.servers;
    let limit = figures::limit(report.limit.unwrap_or(USUAL_LIMIT));
    let beyond = format!("of {} numbers by more than {limit}, at 99 % confidence", report.changes.len());
    let whether = format!("inconclusive whether {new} is worse than {base}");
    let judged = match &report.outcome {
        PairedOutcome::Shown => return (Ink::Plain, shown(report, &limit)),
        PairedOutcome::Broken(place) => {
            return (
                Ink::Red,
                format!(
                    "{new} and {base} are not compared: {place} broke a rule of the load or missed a threshold"
                ),
            );
        }
        PairedOutcome::NotCompared(why) => return (Ink::Magenta, format!("{whether}: {why}")),
        PairedOutcome::Judged(judged) => *judged,
    };
    match judged {
        PairedConclusion::Worse(worse) => (Ink::Red, format!("{new} is worse than {base}: {worse} {beyond}")),
        PairedConclusion::NotWorse => (Ink::Green, format!("{new} is not worse than {base}: none {beyond}")),
        PairedConclusion::Doubtful => {
            let why = "the generator was the bottleneck of a run, see its folder";
            (Ink::Magenta, format!("{whether} by more than {limit}: {why}"))
        }
        PairedConclusion::Inconclusive { unclear, unknown, needed } => {
            let (reasons, advice) = (reasons(report, unclear, unknown), advice(report, unclear, needed));
            (Ink::Magenta, format!("{whether} by more than {limit}: {reasons}; {advice}"))
        }
    }
}

fn reasons(report: &PairedReport, unclear: usize, unknown: usize) -> String {
    let all = report.changes.len();
    let reasons = [
        (all == 0).then(|| "no number is compared".to_owned()),
        (unclear > 0).then(|| format!("{unclear} of {all} numbers scatter too much")),
        (unknown > 0).then(|| format!("{unknown} of {all} numbers have no value in some pair")),
    ];
    reasons.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How the user may still find out.
fn advice(report: &PairedReport, unclear: usize, needed: Option<Needed>) -> String {
    match needed {
        Some(needed) => {
            let length = duration(report.length * needed.times_as_long);
            format!("{} pairs of {length} would tell, estimated from this spread", needed.pairs)
        }
        None if unclear > 0 => format!(
            "not even {MOST_PAIRS} much longer pairs would tell, estimated from this spread: \
             give a higher --max-regression"
        ),
        None => "measure for longer with --duration, or raise --rate".to_owned(),
    }
}

fn shown(report: &PairedReport, limit: &str) -> String {
    let (base, new) = report.servers;
    let (all, changes) = (report.changes.len(), report.changes.iter());
    let worse = changes.clone().filter(|change| change.finding(USUAL_LIMIT) == Finding::Worse).count();
    let better = changes.filter(|change| change.paired.is_some_and(|paired| paired.is_better(USUAL_LIMIT)));
    format!(
        "{new} beside {base}: of {all} numbers {worse} are worse and {} are better by more than {limit}, at 99 % \
         confidence; without --max-regression nothing is judged",
        better.count()
    )
}
