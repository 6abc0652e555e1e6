//! Exports: each document in the form that its reader expects, and with the numbers of the result.

use model::load::LoadRun;
use serde_json::{Value, json};

use super::example::{calm, stormy};
use crate::load::{ExportError, ExportFormat};
use crate::tests::schema::violations;

fn exported(format: ExportFormat, runs: &[LoadRun]) -> Result<String, ExportError> {
    let mut bytes = Vec::new();
    format.write(runs, &mut bytes)?;
    Ok(String::from_utf8(bytes).unwrap())
}

fn text(format: ExportFormat, runs: &[LoadRun]) -> String {
    exported(format, runs).unwrap()
}

fn document(format: ExportFormat, runs: &[LoadRun]) -> Value {
    serde_json::from_str(&text(format, runs)).unwrap()
}

fn refusal(format: ExportFormat, runs: &[LoadRun]) -> String {
    match exported(format, runs) {
        Err(ExportError::Refused(why)) => why,
        other => panic!("{other:?}"),
    }
}

/// A run with labels and unfinished attempts, whose slowest quantiles have no upper bound.
fn troubled() -> LoadRun {
    let mut run = stormy();
    run.partial = None;
    run
}

fn micros(run: &LoadRun, at: usize, quantile: f64) -> f64 {
    f64::from(u32::try_from(run.series[at].quantile(quantile).unwrap().micros()).unwrap())
}

#[test]
fn bencher_gets_nanoseconds_under_stable_names() {
    let schema = json!({
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": { "value": { "type": "number" } },
                "required": ["value"],
                "additionalProperties": false,
            },
        },
    });
    let metrics = document(ExportFormat::Bencher, &[calm()]);
    assert_eq!(violations(&schema.to_string(), &metrics), [""; 0]);
    let list = &metrics["watch-fanout/LIST configmaps namespace latency rv=0"];
    assert_eq!(list["p99-ns"]["value"], micros(&calm(), 3, 0.99) * 1e3);
    assert_eq!(list["failed-percent"]["value"], 0.0);
    assert!(list["throughput"]["value"].as_f64().is_some_and(|rate| (rate - 1_600.0 / 60.0).abs() < 1e-9));
    assert_eq!(metrics["watch-fanout/PATCH configmaps resource service"], Value::Null, "it is not compared");
}

#[test]
fn github_gets_what_should_be_small_and_what_should_be_large_apart() {
    let schema = json!({
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "unit": { "type": "string" },
                "value": { "type": "number" },
                "extra": { "type": "string" },
            },
            "required": ["name", "unit", "value"],
            "additionalProperties": false,
        },
    });
    let [smaller, bigger] = [ExportFormat::GithubSmaller, ExportFormat::GithubBigger].map(|format| {
        let entries = document(format, &[calm()]);
        assert_eq!(violations(&schema.to_string(), &entries), [""; 0]);
        let units =
            entries.as_array().unwrap().iter().map(|entry| entry["unit"].as_str().unwrap().to_owned());
        units.collect::<std::collections::BTreeSet<String>>()
    });
    assert_eq!(smaller.into_iter().collect::<Vec<_>>(), ["%", "ms"]);
    assert_eq!(bigger.into_iter().collect::<Vec<_>>(), ["1/s"]);
}

#[test]
fn perf_dash_gets_percentiles_in_milliseconds() {
    let schema = json!({
        "type": "object",
        "properties": {
            "version": { "const": "v1" },
            "dataItems": { "type": "array", "minItems": 1, "items": {
                "type": "object",
                "properties": {
                    "data": { "type": "object", "minProperties": 1, "additionalProperties": { "type": "number" } },
                    "unit": { "const": "ms" },
                    "labels": { "type": "object", "additionalProperties": { "type": "string" } },
                },
                "required": ["data", "unit", "labels"],
                "additionalProperties": false,
            } },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
        },
        "required": ["version", "dataItems"],
        "additionalProperties": false,
    });
    let run = troubled();
    let data = document(ExportFormat::Perfdata, std::slice::from_ref(&run));
    assert_eq!(violations(&schema.to_string(), &data), [""; 0]);
    assert_eq!(data["labels"]["commit"], "1f2e3d4c");
    let first = &data["dataItems"][0];
    assert_eq!((&first["labels"]["Verb"], &first["labels"]["Scope"]), (&"PATCH".into(), &"resource".into()));
    assert_eq!(first["data"]["Perc50"], micros(&run, 0, 0.5) / 1e3);
}

#[test]
fn watches_that_read_slowly_on_purpose_are_not_tracked() {
    let mut run = calm();
    run.series[7].key.variant = "slow".to_owned();
    let [before, after] = [calm(), run].map(|run| document(ExportFormat::Bencher, &[run]));
    let lags = |metrics: &Value| {
        metrics.as_object().unwrap().keys().filter(|name| name.contains("lag-sent")).count()
    };
    assert_eq!((lags(&before), lags(&after)), (1, 0));
}

#[test]
fn a_bound_is_not_exported_as_a_value() {
    let run = troubled();
    let lag = "watch-fanout/WATCH configmaps namespace lag-sent";
    assert!(run.series[7].quantile(0.99).unwrap().is_open());
    let measures = document(ExportFormat::Bencher, std::slice::from_ref(&run));
    assert_eq!((&measures[lag]["p99-ns"], measures[lag]["p50-ns"].is_null()), (&Value::Null, false));
    let table = text(ExportFormat::Csv, &[run]);
    assert!(table.lines().any(|row| row.contains("lag-sent") && row.contains(",>3")), "{table}");
}

#[test]
fn otava_gets_a_row_per_result_and_a_column_per_metric_that_all_results_have() {
    let (mut earlier, later) = (calm(), troubled());
    earlier.began = "2026-02-01T12:00:00Z".parse().unwrap();
    let runs = [later, earlier];
    let table = text(ExportFormat::Otava, &runs);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head[..3], ["time", "branch", "commit"]);
    assert!(head.contains(&"LIST configmaps namespace latency rv=0 p50".to_owned()), "{head:?}");
    assert!(
        !head.contains(&"WATCH configmaps namespace lag-sent p99".to_owned()),
        "it is open in one result"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!((&rows[0][0], &rows[1][0]), ("2026-02-01T12:00:00Z", "2026-03-01T12:00:00Z"));
    assert!(rows.iter().all(|row| row.iter().skip(3).all(|cell| cell.parse::<f64>().is_ok())));
    let test = &document(ExportFormat::OtavaConfig, &runs)["tests"]["watch-fanout"];
    let metrics = test["metrics"].as_object().unwrap();
    assert_eq!(metrics.len(), head.len() - 3);
    assert_eq!(metrics["LIST configmaps namespace latency rv=0 p50"]["direction"], -1);
    assert_eq!(metrics["LIST configmaps namespace latency rv=0 rate"]["direction"], 1);
}

#[test]
fn prometheus_gets_histograms_that_count_every_attempt_without_an_error_response() {
    let run = troubled();
    let text = text(ExportFormat::Openmetrics, std::slice::from_ref(&run));
    let value = |start: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}"));
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    };
    let lag = "workload=\"watch-fanout\",verb=\"WATCH\",resource=\"configmaps\",scope=\"namespace\",kind=\"lag-sent\"";
    let series = &run.series[7];
    let name = "kube_assay_load_duration_seconds";
    assert_eq!(value(&format!("{name}_count{{{lag}")), 12_900);
    let below: u64 =
        series.histogram.recorded().filter(|(at, _)| *at <= 25_000).map(|(_, count)| count).sum();
    let bucket = text.lines().find(|line| line.contains(lag) && line.contains("le=\"0.025\"")).unwrap();
    assert!(bucket.ends_with(&format!(" {below}")) && below > 0, "{bucket}");
    assert_eq!(value("kube_assay_load_deliveries{workload=\"watch-fanout\",state=\"lost\"}"), 3);
    assert!(text.contains("label_commit=\"1f2e3d4c\"} 1\n") && text.ends_with("# EOF\n"));
}

#[test]
fn a_pull_request_gets_tables_and_warnings() {
    insta::assert_snapshot!(text(ExportFormat::Markdown, &[troubled()]));
}

#[test]
fn text_from_outside_stays_text() {
    let bad = "a\"b\\c\nd|e,<img src=x>\u{202e}";
    let mut run = calm();
    run.labels = [(bad.to_owned(), bad.to_owned())].into();
    (run.target.release, run.series[0].key.variant) = (bad.to_owned(), bad.to_owned());
    for (name, format) in ExportFormat::ALL {
        let text = text(format, std::slice::from_ref(&run));
        assert!(!text.contains('\u{202e}'), "{name}: {text}");
    }
    let metrics = text(ExportFormat::Openmetrics, std::slice::from_ref(&run));
    assert!(metrics.contains(r#"release="a\"b\\c d|e,<img src=x>\\u{202e}""#), "{metrics}");
    assert!(text(ExportFormat::Markdown, &[run]).replace("\\<img", "").find("<img").is_none());
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let mut run = calm();
    run.labels = [("team".to_owned(), "=1+1".to_owned())].into();
    run.target.release = "@SUM(A1)".to_owned();
    for format in [ExportFormat::Csv, ExportFormat::Otava] {
        let text = text(format, std::slice::from_ref(&run));
        let cells = text.lines().flat_map(|line| line.split(','));
        assert_eq!(cells.filter(|cell| cell.starts_with(['=', '+', '-', '@'])).count(), 0, "{text}");
        assert!(text.contains(",'=1+1,"), "{text}");
    }
}

#[test]
fn results_that_would_hide_or_mislead_are_refused() {
    let (partial, twice) = ([stormy()], [calm(), calm()]);
    for (name, format) in ExportFormat::ALL {
        assert!(refusal(format, &partial).contains("is partial (interrupted after 62 s)"), "{name}");
    }
    for format in [ExportFormat::Bencher, ExportFormat::Openmetrics] {
        assert!(refusal(format, &twice).contains("two are of watch-fanout"));
    }
    let mut other = calm();
    other.workload.name = "crud-mix".to_owned();
    let why = refusal(ExportFormat::Otava, &[calm(), other.clone()]);
    assert!(why.contains("of crud-mix (digest 5f70bf18a086), watch-fanout (digest"), "{why}");
    assert_eq!(text(ExportFormat::Csv, &twice).lines().count(), 1 + 2 * calm().series.len());
    let both = document(ExportFormat::GithubSmaller, &[calm(), other]);
    assert_eq!(both.as_array().unwrap().len() % 2, 0);
}
