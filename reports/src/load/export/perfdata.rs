//! Perfdata, which Kubernetes' perf-dash draws: `perftype.PerfData` of kubernetes/perf-tests.

use std::collections::BTreeMap;
use std::io::{self, Write};

use model::load::{LoadRun, Series};
use serde::Serialize;

use super::metric::{quantiles, tracked};
use crate::escape::one_line;

/// The version of the format that perf-dash expects.
const VERSION: &str = "v1";

#[derive(Serialize)]
struct PerfData {
    version: &'static str,
    #[serde(rename = "dataItems")]
    data_items: Vec<DataItem>,
    labels: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct DataItem {
    data: BTreeMap<String, f64>,
    unit: &'static str,
    labels: BTreeMap<&'static str, String>,
}

/// One item per series. The labels of the document are those that all results share.
pub(super) fn write(runs: &[&LoadRun], out: &mut dyn Write) -> io::Result<()> {
    let items = runs.iter().flat_map(|run| tracked(run).map(|series| item(run, series)));
    let first = runs.first().map(|run| run.labels.clone()).unwrap_or_default();
    let shared =
        |(name, value): &(String, String)| runs.iter().all(|run| run.labels.get(name) == Some(value));
    let data = PerfData {
        version: VERSION,
        data_items: items.filter(|item| !item.data.is_empty()).collect(),
        labels: first
            .into_iter()
            .filter(shared)
            .map(|(name, value)| (one_line(&name), one_line(&value)))
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &data)?;
    writeln!(out)
}

/// The labels have the names that perf-dash's own charts of the API's responsiveness use.
fn item(run: &LoadRun, series: &Series) -> DataItem {
    let (resource, subresource) = series.key.resource.split_once('/').unwrap_or((&series.key.resource, ""));
    let labels = [
        ("Workload", run.workload.name.clone()),
        ("Verb", series.key.verb.clone()),
        ("Resource", resource.to_owned()),
        ("Subresource", subresource.to_owned()),
        ("Scope", series.key.scope.to_string()),
        ("Kind", series.key.kind.to_string()),
        ("Variant", series.key.variant.clone()),
        ("Count", series.count.to_string()),
    ];
    let data = quantiles(series).map(|(name, micros)| (name.replacen('p', "Perc", 1), micros / 1e3));
    DataItem {
        data: data.collect(),
        unit: "ms",
        labels: labels.map(|(name, value)| (name, one_line(&value))).into(),
    }
}
