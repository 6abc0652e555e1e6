//! The tables of a run on a terminal.

use model::load::DurationKind;

use super::figures::{bytes, count, rate};
use super::grid::{grid, width};
use super::rows::{QUANTILES, Row, error_classes, kind, raised, title};
use crate::page::{Ink, Page};
use crate::terminal::Look;

/// The columns of amounts.
const AMOUNTS: [&str; 4] = ["count", "errors", "rate", "bytes"];

/// A line: a name, counts and rates. A missing value is an empty cell.
struct Line<'a> {
    name: String,
    amounts: Option<&'a Row<'a>>,
    times: Option<&'a Row<'a>>,
}

/// Requests: one table where it fits, and two where it does not: how much, and how fast.
pub(super) fn requests(page: &mut Page, rows: &[Row], look: Look) {
    let lines = lines(rows);
    if lines.is_empty() {
        return;
    }
    let head = [&["requests"][..], &AMOUNTS, &QUANTILES.map(|(name, _)| name)].concat();
    let cells = |line: &Line| [vec![line.name.clone()], amounts(line), times_of(line)].concat();
    let whole = grid(&head, &lines.iter().map(cells).collect::<Vec<_>>(), look.colour);
    if width(&whole) <= look.width {
        page.block(&whole);
    } else {
        let counted = lines.iter().filter(|line| line.amounts.is_some());
        let cells = counted.map(|line| [vec![line.name.clone()], amounts(line)].concat());
        let head = [&["requests"][..], &AMOUNTS].concat();
        page.block(&grid(&head, &cells.collect::<Vec<_>>(), look.colour));
        page.gap();
        times(page, "latency", rows, look);
    }
    for row in rows.iter().filter(|row| !row.part && !row.series.errors.is_empty()) {
        let classes = error_classes(row.series);
        page.paragraph(2, Ink::Dim, &format!("errors of {}: {classes}", title(&row.series.key)));
    }
    for row in rows.iter().filter(|row| !row.part && row.series.conflicts > 0) {
        let text = format!(
            "conflicts of {}: {}, which count as responses",
            title(&row.series.key),
            count(row.series.conflicts)
        );
        page.paragraph(2, Ink::Dim, &text);
    }
    page.gap();
}

/// Only how fast.
pub(super) fn times(page: &mut Page, name: &str, rows: &[Row], look: Look) {
    let lines = lines(rows);
    if lines.is_empty() {
        return;
    }
    let cells: Vec<Vec<String>> =
        lines.iter().map(|line| [vec![line.name.clone()], times_of(line)].concat()).collect();
    let head = [&[name][..], &QUANTILES.map(|(name, _)| name)].concat();
    page.block(&grid(&head, &cells, look.colour));
    page.gap();
}

/// A latency is in the line of its requests; everything else has a line below.
fn lines<'a>(rows: &'a [Row<'a>]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for row in rows {
        let key = &row.series.key;
        if key.kind == DurationKind::Latency {
            lines.push(Line { name: marked(&title(key), row), amounts: Some(row), times: Some(row) });
            continue;
        }
        if !row.part {
            lines.push(Line { name: title(key), amounts: Some(row), times: None });
        }
        let name = marked(&format!("  {}", kind(key.kind)), row);
        lines.push(Line { name, amounts: None, times: Some(row) });
    }
    lines
}

/// A name with the numbers of its warnings.
fn marked(name: &str, row: &Row) -> String {
    if row.warnings.is_empty() { name.to_owned() } else { format!("{name} {}", raised(&row.warnings)) }
}

fn amounts(line: &Line) -> Vec<String> {
    let Some(row) = line.amounts else { return vec![String::new(); AMOUNTS.len()] };
    let series = row.series;
    let errors = if series.failed() == 0 { "·".to_owned() } else { count(series.failed()) };
    vec![count(series.count), errors, rate(row.rate), bytes(series.bytes)]
}

fn times_of(line: &Line) -> Vec<String> {
    let Some(row) = line.times else { return vec![String::new(); QUANTILES.len()] };
    row.quantiles.iter().map(|one| one.map_or("·".to_owned(), |one| one.to_string())).collect()
}
