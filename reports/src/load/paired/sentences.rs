//! Pairs of runs in plain sentences: "LIST configmaps namespace p99 is 12 % slower (9.0 to 15 %, 99 % confidence, 10 pairs)".
//!
//! The error probability of an interval covers all numbers at each of its ends. So each number lies within its interval with
//! at least 99 % confidence, and "slower" is wrong about any number in at most 1 of 100 comparisons, and so is "faster".

use model::load::comparison::{Finding, Measure, Paired, PairedChange};
use model::load::{DurationKind, SeriesKey};

use super::{PairedReport, USUAL_LIMIT};
use crate::escape::one_line;
use crate::load::rows::{full_title, title};

/// A sentence for each number that changed, one about the rest, and one about an early end.
pub(in crate::load) fn sentences(report: &PairedReport) -> Vec<String> {
    let changed = report.changes.iter().filter(|change| has_changed(change)).map(of_number);
    changed.chain(of_rest(report)).chain(of_early_stop(report)).collect()
}

/// Whether the interval excludes that nothing changed.
fn has_changed(change: &PairedChange) -> bool {
    change.paired.is_some_and(|paired| paired.low > 1.0 || paired.high < 1.0)
}

/// The result for a number in one sentence.
pub(super) fn of_number(change: &PairedChange) -> String {
    let name = number_name(change);
    let Some(paired) = change.paired else {
        return format!("{name} has a value in only {} pairs, so its change is unknown", change.known);
    };
    let Paired { pairs, ratio, low, high } = paired;
    if !has_changed(change) {
        let (low, high) = (signed(low), signed(high));
        return format!("{name} shows no change ({low} to {high} %, 99 % confidence, {pairs} pairs)");
    }
    let word = direction(&change.series, change.measure, ratio > 1.0);
    let mut ends = [amount(low), amount(high)];
    if ratio < 1.0 {
        ends.reverse();
    }
    let [from, to] = ends;
    format!("{name} is {} % {word} ({from} to {to} %, 99 % confidence, {pairs} pairs)", amount(ratio))
}

/// `LIST configmaps namespace p99`, `WATCH configmaps namespace delivery lag p99`
pub(super) fn number_name(change: &PairedChange) -> String {
    let (key, measure) = (&change.series, change.measure.name());
    one_line(&match key.kind {
        DurationKind::Latency => format!("{} {measure}", title(key)),
        kind if kind.is_lag() => format!("{} delivery lag {measure}", title(key)),
        _ => format!("{} {measure}", full_title(key)),
    })
}

/// The word for a change to more or less.
pub(super) fn direction(key: &SeriesKey, measure: Measure, more: bool) -> &'static str {
    let is_speed = matches!(measure, Measure::Percentile(_) | Measure::Max) && !key.kind.is_lag();
    match (is_speed, more) {
        (true, true) => "slower",
        (true, false) => "faster",
        (false, true) => "higher",
        (false, false) => "lower",
    }
}

/// The numbers without a change, and the greatest that each of them can hide.
fn of_rest(report: &PairedReport) -> Option<String> {
    let same = report.changes.iter().filter(|change| change.paired.is_some() && !has_changed(change));
    let bounds: Vec<(f64, usize)> =
        same.filter_map(|change| Some((change.at_most?, change.paired?.pairs))).collect();
    let (_, pairs) = *bounds.first()?;
    let most = bounds.iter().map(|(at_most, _)| *at_most).fold(1.0, f64::max);
    let (none, all) = (bounds.len(), report.changes.len());
    Some(format!(
        "no change found in {none} of {all} numbers: none is worse by more than {} % (99 % confidence, {pairs} pairs)",
        amount(most)
    ))
}

/// After which pair the comparison ended, and why.
fn of_early_stop(report: &PairedReport) -> Option<String> {
    let limit = report.limit.unwrap_or(USUAL_LIMIT);
    let is_unknown = |change: &PairedChange| change.finding(limit) == Finding::Unknown;
    let why = if report.changes.iter().any(is_unknown) {
        "no further pair decides a number that has no value in some pair"
    } else {
        "every number is decided"
    };
    report
        .stopped_early()
        .then(|| format!("stopped early, after {} of {} pairs: {why}", report.measured, report.pairs))
}

/// `12` and `9.0` of a ratio, in percent and without a sign.
fn amount(ratio: f64) -> String {
    signed(ratio).trim_start_matches(['+', '-']).to_owned()
}

/// `+12` and `-9.0` of a ratio, in percent.
fn signed(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    if percent.abs() < 9.95 { format!("{percent:+.1}") } else { format!("{percent:+.0}") }
}

#[cfg(test)]
mod tests {
    use model::load::Scope;

    use super::*;

    #[test]
    fn the_word_for_a_change_suits_the_number() {
        let words = |kind, measure| {
            let key = SeriesKey::new("LIST", "pods", Scope::Cluster, kind, "");
            [true, false].map(|more| direction(&key, measure, more))
        };
        let p99 = Measure::Percentile(99.0);
        assert_eq!(words(DurationKind::Latency, p99), ["slower", "faster"]);
        assert_eq!(words(DurationKind::Synced, Measure::Max), ["slower", "faster"]);
        assert_eq!(words(DurationKind::LagSent, p99), ["higher", "lower"]);
        assert_eq!(words(DurationKind::Latency, Measure::Rate), ["higher", "lower"]);
        assert_eq!(words(DurationKind::Latency, Measure::Failures), ["higher", "lower"]);
    }

    #[test]
    fn small_percentages_have_a_decimal() {
        assert_eq!([1.124, 1.02, 1.0999, 1.0, 31.0].map(amount), ["12", "2.0", "10", "0.0", "3000"]);
        assert_eq!([0.8, 0.988].map(amount), ["20", "1.2"]);
        assert_eq!([0.8, 1.012].map(signed), ["-20", "+1.2"]);
    }
}
