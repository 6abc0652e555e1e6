//! The differences between load runs, for the terminal.

use std::io::{self, Write};

use model::TargetInfo;
use model::load::comparison::{Change, Effect, Measure};
use model::load::{LoadRun, Quantile};
use serde_json::json;

use super::figures::{limit, rate};
use super::grid::grid;
use super::rows::full_title;
use crate::page::{Ink, Page};
use crate::terminal::Look;

/// The limits of a comparison of two runs.
const ONE_RUN_EACH: &str = "One run of each server shows how much the numbers differ, and not why: two runs of the same \
                            server differ as well. To tell a change from chance, run pairs: `load --against`.";

/// Writes every number of two runs with its change, the limits of the comparison, and with a tolerance the numbers that
/// differ by more.
pub fn write_comparison(
    (base, new): (&LoadRun, &LoadRun),
    changes: &[Change],
    tolerance: Option<f64>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    page.line(&[(Ink::Bold, &base.workload.name)]);
    for (name, run) in [("base", base), ("new", new)] {
        page.field(
            name,
            Ink::Plain,
            &format!("{} {}, run {}, {}", run.target.address, run.target.release, run.run, run.began),
        );
    }
    page.gap();
    page.block(&table(changes, tolerance, look));
    page.gap();
    only_in_one(&mut page, base, new);
    for (name, run) in [("base", base), ("new", new)] {
        for warning in run.all_warnings() {
            page.titled(
                if warning.grave { Ink::Red } else { Ink::Yellow },
                &format!("warning, {name}"),
                &warning.says,
            );
        }
    }
    page.gap();
    if let Some(tolerance) = tolerance {
        beyond(&mut page, changes, tolerance);
        page.gap();
    }
    page.paragraph(0, Ink::Plain, ONE_RUN_EACH);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

/// Writes the same as a JSON document: `reports/schema/load-comparison.json` describes it.
pub fn write_comparison_json(
    (base, new): (&LoadRun, &LoadRun),
    changes: &[Change],
    out: &mut dyn Write,
) -> io::Result<()> {
    let run = |run: &LoadRun| {
        let TargetInfo { address, release, .. } = &run.target;
        json!({ "address": address, "release": release, "run": run.run, "began": run.began })
    };
    let bounds = |value: Quantile| json!({ "at_least": value.at_least, "at_most": value.at_most });
    let change = |change: &Change| {
        json!({
            "series": change.series, "measure": change.measure.name(), "unit": unit(change.measure),
            "base": bounds(change.base), "new": bounds(change.new), "firm": change.firm,
        })
    };
    let changes: Vec<_> = changes.iter().map(change).collect();
    let workload = &base.workload.name;
    let document = json!({
        "kind": "load", "workload": workload, "base": run(base), "new": run(new), "changes": changes,
    });
    writeln!(out, "{document:#}")?;
    out.flush()
}

fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Percentile(_) | Measure::Max => "microseconds",
        Measure::Rate => "attempts in 1000 s",
        Measure::Failures => "failures per million attempts",
    }
}

/// A line for each series, and under it one for each number.
fn table(changes: &[Change], tolerance: Option<f64>, look: Look) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut latest = None;
    for change in changes {
        if latest != Some(&change.series) {
            latest = Some(&change.series);
            rows.push(
                [full_title(&change.series)]
                    .into_iter()
                    .chain(std::iter::repeat_n(String::new(), 4))
                    .collect(),
            );
        }
        rows.push(vec![
            format!("  {}", change.measure.name()),
            value(change.measure, change.base),
            value(change.measure, change.new),
            ratio(change),
            word(change, tolerance).to_owned(),
        ]);
    }
    grid(&["", "base", "new", "change", ""], &rows, look.colour)
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn value(measure: Measure, value: Quantile) -> String {
    match measure {
        Measure::Rate => rate(value.micros() as f64 / 1e3),
        Measure::Failures => format!("{} %", value.micros() as f64 / 1e4),
        Measure::Percentile(_) | Measure::Max => value.to_string(),
    }
}

fn ratio(change: &Change) -> String {
    match (change.measure, change.ratio()) {
        (Measure::Failures, _) => String::new(),
        (_, Some(ratio)) => percent(ratio),
        (_, None) => "?".to_owned(),
    }
}

/// `+12.3 %` of a ratio.
pub(super) fn percent(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

fn word(change: &Change, tolerance: Option<f64>) -> &'static str {
    match tolerance.map(|tolerance| change.effect(tolerance)) {
        Some(Effect::Worse) => "worse?",
        Some(Effect::Better) => "better?",
        _ if change.measure == Measure::Max => "",
        _ if !change.firm => "too few",
        Some(Effect::Unknown) => "unknown",
        Some(Effect::Same) | None => "",
    }
}

fn only_in_one(page: &mut Page, base: &LoadRun, new: &LoadRun) {
    for (name, run, other) in [("base", base, new), ("new run", new, base)] {
        let alone = run.series.iter().filter(|series| other.series(&series.key).is_none());
        for series in alone {
            page.titled(Ink::Yellow, &format!("only in the {name}"), &series.key.to_string());
        }
    }
}

/// The numbers that are worse by more than a tolerance; the cause may be the server or chance.
fn beyond(page: &mut Page, changes: &[Change], tolerance: f64) {
    let worse: Vec<&Change> = changes
        .iter()
        .filter(|change| change.is_of_server() && change.effect(tolerance) == Effect::Worse)
        .collect();
    for change in &worse {
        let name = format!("{} {}", full_title(&change.series), change.measure.name());
        let moved =
            format!("  {} to {}", value(change.measure, change.base), value(change.measure, change.new));
        page.line(&[(Ink::Yellow, "worse? "), (Ink::Plain, &name), (Ink::Dim, &moved)]);
    }
    let text = format!(
        "{} of {} numbers are worse by more than {} in the new run.",
        worse.len(),
        changes.iter().filter(|change| change.is_of_server()).count(),
        limit(tolerance)
    );
    page.line(&[(Ink::Plain, &text)]);
}
