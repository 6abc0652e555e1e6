//! The rows of the tables of a run: a name, its numbers, and the warnings about them.

use model::load::{DurationKind, LoadRun, Quantile, Series, SeriesKey, Warning};

use super::figures::count;
use crate::escape::one_line;

/// The quantiles that every report shows.
pub(super) const QUANTILES: [(&str, f64); 5] =
    [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

/// A series and its cells.
pub(super) struct Row<'a> {
    pub(super) series: &'a Series,
    /// Attempts a second, over the time that counts.
    pub(super) rate: f64,
    /// `None` without enough values.
    pub(super) quantiles: [Option<Quantile>; 5],
    /// The numbers, from 1, of the warnings that it is named in.
    pub(super) warnings: Vec<usize>,
    /// Whether the row before is of the same requests, and this one a part of them.
    pub(super) part: bool,
}

/// All series of a run, in three tables, and the warnings.
pub(super) struct Rows<'a> {
    /// Requests, and the parts of their times.
    pub(super) requests: Vec<Row<'a>>,
    /// The ways of events from writers to watchers.
    pub(super) lags: Vec<Row<'a>>,
    /// Whatever else was measured.
    pub(super) others: Vec<Row<'a>>,
    /// Doubts, in the order of their numbers.
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(run: &'a LoadRun) -> Self {
        let warnings = run.all_warnings();
        let mut sorted: Vec<&Series> = run.series.iter().collect();
        sorted.sort_by(|one, other| order(&one.key).cmp(&order(&other.key)));
        let table = |belongs: fn(DurationKind) -> bool| rows(run, &warnings, &sorted, belongs);
        let (requests, lags) = (table(is_of_requests), table(DurationKind::is_lag));
        let others = table(|kind| !is_of_requests(kind) && !kind.is_lag());
        Self { requests, lags, others, warnings }
    }
}

fn is_of_requests(kind: DurationKind) -> bool {
    matches!(
        kind,
        DurationKind::Latency
            | DurationKind::Service
            | DurationKind::FirstByte
            | DurationKind::FirstEvent
            | DurationKind::Synced
    )
}

fn order(key: &SeriesKey) -> (&str, &str, model::load::Scope, &str, DurationKind) {
    (&key.verb, &key.resource, key.scope, &key.variant, key.kind)
}

fn rows<'a>(
    run: &LoadRun,
    warnings: &[Warning],
    sorted: &[&'a Series],
    belongs: fn(DurationKind) -> bool,
) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for series in sorted.iter().filter(|series| belongs(series.key.kind)) {
        let part = rows.last().is_some_and(|last| title(&last.series.key) == title(&series.key));
        rows.push(Row {
            series,
            rate: series.rate(run.measured()).unwrap_or(0.0),
            quantiles: quantiles(series),
            warnings: numbers(warnings, &series.key),
            part,
        });
    }
    rows
}

/// Each quantile for which there are enough values.
pub(super) fn quantiles(series: &Series) -> [Option<Quantile>; 5] {
    QUANTILES.map(|(_, q)| series.quantile(q).filter(|_| series.carries(q)))
}

fn numbers(warnings: &[Warning], key: &SeriesKey) -> Vec<usize> {
    let named = warnings.iter().zip(1..).filter(|(warning, _)| warning.about.contains(key));
    named.map(|(_, number)| number).collect()
}

/// The name of requests, for every kind of duration.
pub(super) fn title(key: &SeriesKey) -> String {
    let name = format!("{} {} {} {}", key.verb, key.resource, key.scope, key.variant);
    one_line(name.trim_end())
}

/// The name of a series: its requests and the kind of duration.
pub(super) fn full_title(key: &SeriesKey) -> String {
    format!("{}, {}", title(key), kind(key.kind))
}

/// Its errors by class: `429 × 30, timeout × 2`.
pub(super) fn error_classes(series: &Series) -> String {
    let classes = series.errors.iter().map(|(class, number)| format!("{class} × {}", count(*number)));
    classes.collect::<Vec<_>>().join(", ")
}

/// The word for a stretch of time.
pub(super) fn kind(kind: DurationKind) -> &'static str {
    match kind {
        DurationKind::Latency => "latency",
        DurationKind::Service => "service time",
        DurationKind::FirstByte => "first byte",
        DurationKind::FirstEvent => "first event",
        DurationKind::Synced => "synced",
        DurationKind::LagIntended => "from the plan",
        DurationKind::LagSent => "from sending",
        DurationKind::LagAcknowledged => "from the response",
        DurationKind::SendError => "send error",
        DurationKind::Resumption => "resumption",
    }
}

/// The row's first cell: its title, or only which part of the row above it is.
pub(super) fn label(row: &Row) -> String {
    let key = &row.series.key;
    match key.kind {
        DurationKind::Latency => title(key),
        other if row.part => format!("  {}", kind(other)),
        _ => full_title(key),
    }
}

/// Several numbers of warnings as one raised mark: `¹ ³`.
pub(super) fn raised(numbers: &[usize]) -> String {
    let raise = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit);
    let marks: Vec<String> =
        numbers.iter().map(|number| number.to_string().chars().map(raise).collect()).collect();
    marks.join(" ")
}
