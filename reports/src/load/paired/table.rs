//! The table of pairs: a row for each number.

use model::load::comparison::{Finding, PairedChange};

use super::{PairedReport, USUAL_LIMIT};
use crate::escape::one_line;
use crate::load::compare::percent;
use crate::load::rows::full_title;

/// The heads of the columns.
pub(in crate::load) const HEAD: [&str; 6] =
    ["median of pairs", "change", "at least", "at most", "visible from", ""];

/// The median ratio of a number, its interval, the smallest rise that would have shown, and the finding.
pub(in crate::load) fn row(report: &PairedReport, change: &PairedChange) -> [String; 6] {
    let name = one_line(&format!("{} {}", full_title(&change.series), change.measure.name()));
    let limit = report.limit.unwrap_or(USUAL_LIMIT);
    let unknown = || "?".to_owned();
    let median = change.ratios.as_ref().map_or_else(unknown, |ratios| percent(ratios.median()));
    let (Some(paired), Some(at_most)) = (change.paired, change.at_most) else {
        let word = format!("inconclusive, measured in {} of {} pairs", change.known, report.expected_pairs());
        return [name, median, unknown(), unknown(), unknown(), word];
    };
    let word = match change.finding(limit) {
        Finding::Worse => "worse",
        _ if paired.is_better(limit) => "better",
        Finding::Unclear if report.limit.is_some() => "unclear",
        _ => "",
    };
    let seen = 1.0 + paired.smallest_effect(limit);
    [name, median, percent(paired.low), percent(at_most), percent(seen), word.to_owned()]
}
