//! The conclusion on the newest results of a history, one sentence for each finding.

use std::io::{self, Write};

use model::load::history::{HistoryConclusion, Regression, TooFew};
use model::load::micros_text;

use super::dated;
use crate::annotations::{Kind, write_kind};
use crate::escape::one_line;
use crate::load::figures::limit;
use crate::load::rows::full_title;
use crate::page::{Ink, Page};
use crate::terminal::Look;

/// Writes a sentence for each regression and each group without a conclusion, and the conclusion.
pub fn write_check(
    conclusion: &HistoryConclusion,
    most: f64,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    for regression in &conclusion.regressions {
        page.titled(Ink::Red, "slower", &sentence(regression));
    }
    for regression in &conclusion.other_tools {
        page.titled(Ink::Yellow, "another kube-assay", &of_other_tools(regression));
    }
    for too_few in &conclusion.too_few {
        page.titled(Ink::Magenta, "inconclusive", &of_too_few(too_few));
    }
    page.gap();
    let (ink, text) = last_line(conclusion, most);
    page.paragraph(0, ink, &text);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

/// Writes a command for GitHub's runner for each regression.
pub fn write_check_annotations(conclusion: &HistoryConclusion, out: &mut dyn Write) -> io::Result<()> {
    let of_regression = |regression| (format!("slower: {}", name(regression)), sentence(regression));
    write_kind(Kind::Error, conclusion.regressions.iter().map(of_regression).collect(), out)?;
    out.flush()
}

fn last_line(conclusion: &HistoryConclusion, most: f64) -> (Ink, String) {
    let (numbers, most) = (conclusion.judged.len(), limit(most));
    match conclusion.regressions.len() {
        0 if numbers == 0 => (Ink::Magenta, "inconclusive: no number could be judged".to_owned()),
        0 if !conclusion.too_few.is_empty() => (
            Ink::Magenta,
            format!("inconclusive: none of {numbers} judged numbers is slower by more than {most}"),
        ),
        0 => (
            Ink::Green,
            format!("none of {numbers} numbers is slower by more than {most} since a change point"),
        ),
        worse => (
            Ink::Red,
            format!("{worse} of {numbers} numbers slower by more than {most} since a change point"),
        ),
    }
}

/// `crud-mix, LIST configmaps namespace, latency p50`
fn name(regression: &Regression) -> String {
    let (series, measure) = (full_title(&regression.series), regression.measure.name());
    one_line(&format!("{}, {series} {measure}", regression.workload))
}

/// Which series, by how much, and since which commit.
pub(super) fn sentence(regression: &Regression) -> String {
    let change = &regression.change;
    let slower = (regression.now / change.before - 1.0) * 100.0;
    format!(
        "{} is {slower:.0} % slower since {}: {} before, {} now; the last result before is {}",
        name(regression),
        one_line(&dated(regression.first)),
        micros_text(change.before),
        micros_text(regression.now),
        one_line(&regression.last_before.name()),
    )
}

fn of_other_tools(regression: &Regression) -> String {
    let (before, behind) = regression.change.tools.clone().unwrap_or_default();
    format!("{}; there {before} became {behind}, so it does not count", sentence(regression))
}

pub(super) fn of_too_few(too_few: &TooFew) -> String {
    let TooFew { workload, place, results, needed } = too_few;
    one_line(&format!(
        "{workload} on {place} has {results} results, and a change shows from {needed} results on"
    ))
}
