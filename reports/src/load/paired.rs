//! Pairs of load runs on two servers, for a person: a table, and one sentence at its end.

use std::io::{self, Write};
use std::time::Duration;

use super::compare::percent;
use super::figures;
use super::grid::grid;
use super::rows::full_title;
use crate::escape::one_line;
use crate::page::{Ink, Page};
use crate::terminal::Look;
use crate::words::duration;
use model::load::comparison::{Finding, MOST_PAIRS, Needed, PairedChange, PairedConclusion};

/// Without a limit a difference is still shown beside this one.
pub(super) const USUAL_LIMIT: f64 = 0.1;

/// Pairs of runs on two servers.
pub struct PairedReport<'a> {
    /// The names of the servers: the base and the new one.
    pub servers: (&'a str, &'a str),
    /// The number of pairs that the user wants.
    pub pairs: usize,
    /// How long each run was to measure.
    pub length: Duration,
    /// The comparison.
    pub changes: &'a [PairedChange],
    /// The limit that the user gave, such as 0.1 for 10 %.
    pub limit: Option<f64>,
    /// The conclusion.
    pub outcome: PairedOutcome,
}

/// The conclusion of pairs of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairedOutcome {
    /// No limit was given: nothing is judged.
    Shown,
    /// They were held against the limit.
    Judged(PairedConclusion),
    /// A run broke a rule or missed a threshold; where.
    Broken(String),
    /// They are not compared; why.
    NotCompared(String),
}

/// Writes the median ratio of each number, its interval, the smallest rise that would have shown, and the conclusion.
pub fn write_paired(report: &PairedReport, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    if !report.changes.is_empty() {
        let rows: Vec<Vec<String>> = report.changes.iter().map(|change| row(report, change)).collect();
        let head = ["median of pairs", "change", "at least", "at most", "visible from", ""];
        page.block(&grid(&head, &rows, look.colour));
        page.gap();
    }
    let (ink, text) = conclusion(report);
    page.paragraph(0, ink, &text);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

fn row(report: &PairedReport, change: &PairedChange) -> Vec<String> {
    let name = one_line(&format!("{} {}", full_title(&change.series), change.measure.name()));
    let limit = report.limit.unwrap_or(USUAL_LIMIT);
    let unknown = || "?".to_owned();
    let median = change.ratios.as_ref().map_or_else(unknown, |ratios| percent(ratios.median()));
    let (Some(paired), Some(at_most)) = (change.paired, change.at_most) else {
        let word = format!("inconclusive, measured in {} of {} pairs", change.known, report.pairs);
        return vec![name, median, unknown(), unknown(), unknown(), word];
    };
    let word = match change.finding(limit) {
        Finding::Worse => "worse",
        _ if paired.is_better(limit) => "better",
        Finding::Unclear if report.limit.is_some() => "unclear",
        _ => "",
    };
    let seen = 1.0 + paired.smallest_effect(limit);
    vec![name, median, percent(paired.low), percent(at_most), percent(seen), word.to_owned()]
}

/// One sentence, whatever the outcome.
pub(super) fn conclusion(report: &PairedReport) -> (Ink, String) {
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
