//! The custom formats of github-action-benchmark: <https://github.com/benchmark-action/github-action-benchmark>.

use std::io::{self, Write};

use model::load::LoadRun;
use serde_json::{Value, json};

use super::metric::{Metric, Unit, metrics};
use crate::escape::one_line;

/// An array of the numbers of which less is better, or more.
pub(super) fn write(runs: &[&LoadRun], smaller_is_better: bool, out: &mut dyn Write) -> io::Result<()> {
    let metrics = runs.iter().flat_map(|run| metrics(run));
    let entries = metrics.filter(|metric| metric.smaller_is_better() == smaller_is_better);
    writeln!(out, "{:#}", Value::Array(entries.map(|metric| entry(&metric)).collect()))
}

fn entry(metric: &Metric) -> Value {
    let (unit, value) = match metric.unit {
        Unit::Microseconds => ("ms", metric.value / 1e3),
        Unit::Percent => ("%", metric.value),
        Unit::PerSecond => ("1/s", metric.value),
    };
    let run = metric.run;
    let warned = run.all_warnings().iter().any(|warning| warning.about.contains(&metric.series.key));
    let extra = format!(
        "{} attempts, {} on {}, seed {}{}",
        metric.series.count,
        run.tool,
        run.target.release,
        run.seed,
        if warned { ", with a warning" } else { "" }
    );
    let name = format!("{} {}", metric.benchmark(), metric.name);
    json!({ "name": name, "unit": unit, "value": value, "extra": one_line(&extra) })
}
