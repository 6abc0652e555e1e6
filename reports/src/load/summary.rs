//! `summary.json` of a load run: figures for programs, and the whole run, which kube-assay can read again.
//!
//! `reports/schema/load-summary.json` describes it.

use std::io::{self, Write};

use model::load::threshold::ThresholdVerdict;
use model::load::{LOAD_FORMAT, LoadRun, Quantile, SeriesKey, Warning};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rows::{QUANTILES, Row, Rows};
use crate::words::milliseconds;

#[derive(Serialize)]
struct Summary<'a> {
    format: u32,
    kind: &'static str,
    tool: &'a str,
    verdict: ThresholdVerdict,
    because: String,
    unreliable: bool,
    partial: bool,
    measured_ms: u64,
    figures: Vec<Figures<'a>>,
    warnings: &'a [Warning],
    run: &'a LoadRun,
}

#[derive(Serialize)]
struct Figures<'a> {
    #[serde(flatten)]
    key: &'a SeriesKey,
    count: u64,
    failed: u64,
    rate: f64,
    bytes: u64,
    quantiles: Vec<Figure>,
    warnings: Vec<&'a str>,
}

/// A quantile in microseconds; if it is `open`, a lower bound.
#[derive(Serialize)]
struct Figure {
    name: &'static str,
    quantile: f64,
    micros: u64,
    open: bool,
    /// The upper bound of one that is open, if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<u64>,
}

/// The marker that tells the file from the summary of a conformance run.
const KIND: &str = "load";

/// The file cannot be read as the summary of a load run.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// Blanks at the most.
    #[error("it is empty")]
    Empty,
    /// Not JSON at all.
    #[error("it is no JSON ({0})")]
    NotJson(serde_json::Error),
    /// JSON of something else.
    #[error("it is no summary of a load run; hint: name the summary.json that `kube-assay load` wrote")]
    Other,
    /// The summary of a conformance run.
    #[error("it is the summary of a conformance run")]
    Conformance,
    /// Written by a later version.
    #[error(
        "its format is {0}, and this kube-assay reads format {LOAD_FORMAT}; hint: use a newer kube-assay"
    )]
    TooNew(u64),
    /// Written by an earlier version.
    #[error(
        "its format is {0}, and this kube-assay reads format {LOAD_FORMAT}; hint: repeat the run with this kube-assay"
    )]
    TooOld(u64),
    /// A load run with something wrong in it.
    #[error("it is damaged ({0})")]
    Damaged(serde_json::Error),
}

/// Writes the document.
pub fn write_summary(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let rows = Rows::of(run);
    let all = rows.requests.iter().chain(&rows.lags).chain(&rows.others);
    let summary = Summary {
        format: LOAD_FORMAT,
        kind: KIND,
        tool: &run.tool,
        verdict: run.verdict(),
        because: run.reason(),
        unreliable: run.is_unreliable(),
        partial: run.partial.is_some(),
        measured_ms: milliseconds(run.measured()),
        figures: all.map(|row| figures(row, &rows.warnings)).collect(),
        warnings: &rows.warnings,
        run,
    };
    serde_json::to_writer(&mut *out, &summary)?;
    writeln!(out)?;
    out.flush()
}

fn figures<'a>(row: &Row<'a>, warnings: &'a [Warning]) -> Figures<'a> {
    let known = QUANTILES.into_iter().zip(row.quantiles);
    let figure = |((name, quantile), known): ((&'static str, f64), Option<Quantile>)| {
        known.map(|known| {
            let (micros, open) = (known.micros(), known.is_open());
            Figure { name, quantile, micros, open, at_most: known.at_most.filter(|_| open) }
        })
    };
    Figures {
        key: &row.series.key,
        count: row.series.count,
        failed: row.series.failed(),
        rate: row.rate,
        bytes: row.series.bytes,
        quantiles: known.filter_map(figure).collect(),
        warnings: row
            .warnings
            .iter()
            .filter_map(|number| warnings.get(number - 1))
            .map(|warning| &*warning.name)
            .collect(),
    }
}

/// The run behind a summary.
pub fn read_summary(text: &str) -> Result<LoadRun, SummaryError> {
    if text.trim_ascii().is_empty() {
        return Err(SummaryError::Empty);
    }
    let mut summary: Value = serde_json::from_str(text).map_err(SummaryError::NotJson)?;
    if summary["kind"] != KIND {
        return Err(if summary["clauses"].is_array() {
            SummaryError::Conformance
        } else {
            SummaryError::Other
        });
    }
    match summary["format"].as_u64() {
        None => return Err(SummaryError::Other),
        Some(format) if format > u64::from(LOAD_FORMAT) => return Err(SummaryError::TooNew(format)),
        Some(format) if format < u64::from(LOAD_FORMAT) => return Err(SummaryError::TooOld(format)),
        Some(_) => {}
    }
    LoadRun::deserialize(summary["run"].take()).map_err(SummaryError::Damaged)
}
