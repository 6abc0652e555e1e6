//! A table for Apache Otava, and the configuration that reads it: <https://otava.apache.org/docs/csv>.

use std::collections::BTreeSet;
use std::io::Write;

use model::load::LoadRun;
use serde_json::{Map, json};

use super::ExportError;
use super::metric::{Metric, metrics};
use crate::escape::csv_cell;

/// The file that the configuration names.
const TABLE: &str = "results.csv";

/// One row per result, one column per metric. A metric without a value in some result is left out: Otava reads no empty
/// cell.
pub(super) fn write_table(runs: &[&LoadRun], out: &mut dyn Write) -> Result<(), ExportError> {
    let columns = columns(runs)?;
    let labels = labels(runs);
    let mut table = csv::Writer::from_writer(out);
    let head = ["time".to_owned()].into_iter().chain(labels.iter().map(|name| csv_cell(name)));
    table.write_record(head.chain(columns.iter().cloned())).map_err(std::io::Error::from)?;
    for run in runs {
        let of_labels =
            labels.iter().map(|name| run.labels.get(*name).map_or(String::new(), |value| csv_cell(value)));
        let values: Vec<(String, f64)> = metrics(run).map(|metric| (column(&metric), metric.value)).collect();
        let value = |name: &String| {
            values.iter().find(|(known, _)| known == name).map(|(_, value)| value.to_string())
        };
        let row = [run.began.to_string()].into_iter().chain(of_labels);
        table.write_record(row.chain(columns.iter().filter_map(value))).map_err(std::io::Error::from)?;
    }
    Ok(table.flush()?)
}

/// A test named after the workload. JSON is YAML.
pub(super) fn write_config(runs: &[&LoadRun], out: &mut dyn Write) -> Result<(), ExportError> {
    let columns = columns(runs)?;
    let mut of_metrics = Map::new();
    for metric in runs.iter().take(1).flat_map(|run| metrics(run)) {
        let name = column(&metric);
        if columns.contains(&name) {
            let direction = if metric.smaller_is_better() { -1 } else { 1 };
            of_metrics.insert(name.clone(), json!({ "column": name, "direction": direction }));
        }
    }
    let name = runs.first().map_or("", |run| &run.workload.name);
    let test = json!({
        "type": "csv", "file": TABLE, "time_column": "time", "attributes": labels(runs).into_iter().map(|name| csv_cell(name)).collect::<Vec<_>>(), "metrics": of_metrics,
    });
    Ok(writeln!(out, "{:#}", json!({ "tests": { name: test } }))?)
}

/// The metrics that every result has, in the order of the first one.
fn columns(runs: &[&LoadRun]) -> Result<Vec<String>, ExportError> {
    let digests: BTreeSet<(&str, &str)> =
        runs.iter().map(|run| (&*run.workload.name, &*run.workload.digest)).collect();
    if digests.len() > 1 {
        let names = digests.iter().map(|(name, digest)| format!("{name} (digest {digest:.12})"));
        return Err(ExportError::Refused(format!(
            "one table of Otava holds the results of one workload, and these are of {}; hint: export each alone",
            names.collect::<Vec<_>>().join(", ")
        )));
    }
    let mut columns: Vec<String> =
        runs.iter().take(1).flat_map(|run| metrics(run)).map(|one| column(&one)).collect();
    for run in runs {
        let known: BTreeSet<String> = metrics(run).map(|metric| column(&metric)).collect();
        columns.retain(|name| known.contains(name));
    }
    Ok(columns)
}

/// `LIST configmaps namespace latency p99`: microseconds, percent of failures, or attempts per second.
fn column(metric: &Metric) -> String {
    csv_cell(&format!("{} {}", metric.series.key, metric.name))
}

/// The labels of any result.
fn labels<'a>(runs: &[&'a LoadRun]) -> Vec<&'a String> {
    runs.iter().flat_map(|run| run.labels.keys()).collect::<BTreeSet<_>>().into_iter().collect()
}
