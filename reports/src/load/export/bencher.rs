//! Bencher Metric Format: <https://bencher.dev/docs/reference/bencher-metric-format>.

use std::io::{self, Write};

use model::load::LoadRun;
use serde_json::{Map, Value, json};

use super::metric::{Unit, metrics};

/// Benchmarks are series. Measures have their units in their names, because the format has no other place for them.
pub(super) fn write(runs: &[&LoadRun], out: &mut dyn Write) -> io::Result<()> {
    let mut benchmarks = Map::new();
    for metric in runs.iter().flat_map(|run| metrics(run)) {
        let (measure, value) = match metric.unit {
            // Bencher's own measure of latency is in nanoseconds as well.
            Unit::Microseconds => (format!("{}-ns", metric.name), metric.value * 1e3),
            Unit::Percent => (format!("{}-percent", metric.name), metric.value),
            Unit::PerSecond => ("throughput".to_owned(), metric.value),
        };
        let benchmark = benchmarks.entry(metric.benchmark()).or_insert_with(|| json!({}));
        if let Value::Object(measures) = benchmark {
            measures.insert(measure, json!({ "value": value }));
        }
    }
    writeln!(out, "{:#}", Value::Object(benchmarks))
}
