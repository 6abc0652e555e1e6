//! All figures as CSV (RFC 4180): one row per result and series, durations in microseconds. No cell is a formula.

use std::io::{self, Write};

use model::load::{LoadRun, Series};

use crate::escape::{csv_cell, one_line};
use crate::load::rows::{QUANTILES, quantiles};

/// The columns before the labels and the quantiles.
const COLUMNS: [&str; 13] = [
    "began", "workload", "digest", "run", "seed", "tool", "target", "release", "verb", "resource", "scope",
    "kind", "variant",
];

/// A quantile of which only a lower bound is known stands as `>123`.
pub(super) fn write(runs: &[&LoadRun], out: &mut dyn Write) -> io::Result<()> {
    let mut labels: Vec<&String> = runs.iter().flat_map(|run| run.labels.keys()).collect();
    labels.sort_unstable();
    labels.dedup();
    let mut table = csv::Writer::from_writer(out);
    let of_labels = labels.iter().map(|name| format!("label {}", one_line(name)));
    let head = COLUMNS.map(str::to_owned).into_iter().chain(of_labels);
    let amounts = ["count", "failed", "rate", "bytes"].into_iter().chain(QUANTILES.map(|(name, _)| name));
    table.write_record(head.chain(amounts.map(str::to_owned)))?;
    for run in runs {
        let of_labels: Vec<&str> =
            labels.iter().map(|name| run.labels.get(*name).map_or("", |value| value)).collect();
        for series in &run.series {
            let facts = facts(run, series).into_iter();
            let labels = of_labels.iter().map(|value| csv_cell(value));
            table.write_record(facts.chain(labels).chain(figures(run, series)))?;
        }
    }
    table.flush()
}

fn facts(run: &LoadRun, series: &Series) -> [String; COLUMNS.len()] {
    let (workload, key) = (&run.workload, &series.key);
    let facts = [
        &run.began.to_string(),
        &workload.name,
        &workload.digest,
        &run.run,
        &run.seed.to_string(),
        &run.tool,
        &run.target.address,
        &run.target.release,
        &key.verb,
        &key.resource,
        &key.scope.to_string(),
        &key.kind.to_string(),
        &key.variant,
    ];
    facts.map(|fact| csv_cell(fact))
}

fn figures(run: &LoadRun, series: &Series) -> Vec<String> {
    let quantile = |known: Option<model::load::Quantile>| {
        let open = |known: model::load::Quantile| if known.is_open() { ">" } else { "" };
        known.map_or(String::new(), |known| format!("{}{}", open(known), known.micros()))
    };
    let rate = series.rate(run.measured()).map_or(String::new(), |rate| format!("{rate:.3}"));
    let amounts = [series.count.to_string(), series.failed().to_string(), rate, series.bytes.to_string()];
    let quantiles = quantiles(series).map(quantile);
    amounts.into_iter().chain(quantiles).collect()
}
