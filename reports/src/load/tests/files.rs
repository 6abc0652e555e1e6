//! The files of a load run: each can be read by what it is written for, and all say the same.

use std::fs;
use std::time::{Duration, SystemTime};

use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use model::load::threshold::ThresholdVerdict::{Inconclusive, Met, Missed, NotJudged};
use model::load::{Histogram, LoadRun};
use serde_json::Value;

use super::example::{calm, stormy};
use crate::load::{LoadFormat, read_summary, write_folder};
use crate::output_folder::OutputFolder;
use crate::tests::schema::violations;

fn written(format: LoadFormat, run: &LoadRun) -> String {
    let mut bytes = Vec::new();
    format.write(run, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_summary_is_read_back_as_the_run_that_it_was() {
    for mut run in [calm(), stormy()] {
        let again = read_summary(&written(LoadFormat::Summary, &run)).unwrap();
        run.intervals
            .iter_mut()
            .flat_map(|interval| &mut interval.series_intervals)
            .for_each(|series_interval| series_interval.interval = None);
        assert_eq!(again, run);
    }
}

#[test]
fn a_summary_matches_its_schema() {
    let schema = include_str!("../../../schema/load-summary.json");
    for run in [calm(), stormy()] {
        let summary: Value = serde_json::from_str(&written(LoadFormat::Summary, &run)).unwrap();
        assert_eq!(violations(schema, &summary), [""; 0]);
    }
    let mut wrong: Value = serde_json::from_str(&written(LoadFormat::Summary, &calm())).unwrap();
    wrong["run"]["series"][0]["scope"] = "planet".into();
    wrong["extra"] = 1.into();
    wrong["figures"][0]["count"] = (-1).into();
    assert_eq!(violations(schema, &wrong).len(), 3);
}

#[test]
fn the_schema_of_a_summary_has_every_verdict() {
    let schema = include_str!("../../../schema/load-summary.json");
    let mut summary: Value = serde_json::from_str(&written(LoadFormat::Summary, &calm())).unwrap();
    for verdict in [NotJudged, Met, Inconclusive, Missed] {
        summary["verdict"] = serde_json::to_value(verdict).unwrap();
        assert_eq!(violations(schema, &summary), [""; 0], "{verdict:?}");
    }
}

#[test]
fn what_is_no_summary_of_a_load_run_is_refused_in_a_sentence() {
    let good = written(LoadFormat::Summary, &calm());
    for (text, words) in [
        ("", "it is empty"),
        ("[1]", "name the summary.json"),
        ("{\"clauses\":[]}", "conformance run"),
        (&good.replacen("\"format\":2", "\"format\":99", 1), "use a newer kube-assay"),
        (&good.replacen("\"format\":2", "\"format\":1", 1), "repeat the run"),
        (&good.replacen("\"series\":", "\"serious\":", 1), "damaged"),
        (&good[..good.len() / 2], "no JSON"),
    ] {
        let error = read_summary(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_interval_log_is_opened_by_the_reader_of_the_reference() {
    let run = calm();
    let log = written(LoadFormat::IntervalLog, &run);
    let mut sums: Vec<(String, Histogram)> = Vec::new();
    let (mut start, mut base, mut last) = (None, None, Duration::ZERO);
    for entry in IntervalLogIterator::new(log.as_bytes()) {
        match entry.unwrap() {
            LogEntry::StartTime(time) => start = Some(time),
            LogEntry::BaseTime(time) => base = Some(time),
            LogEntry::Interval(interval) => {
                assert!(interval.start_timestamp() >= last, "intervals are in order");
                last = interval.start_timestamp();
                let tag = interval.tag().unwrap().as_str().to_owned();
                let values = Histogram::decode(interval.encoded_histogram()).unwrap();
                match sums.iter_mut().find(|(known, _)| *known == tag) {
                    Some((_, sum)) => sum.add(&values),
                    None => sums.push((tag, values)),
                }
            }
        }
    }
    let began = SystemTime::from(run.began).duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!((start, base), (Some(began), Some(began)));
    for series in &run.series {
        let tag = series.key.to_string().replace(' ', ":");
        let (_, sum) = sums.iter().find(|(known, _)| *known == tag).unwrap();
        let mut seconds = Histogram::default();
        let series_intervals = run
            .intervals
            .iter()
            .flat_map(|interval| &interval.series_intervals)
            .filter(|series_interval| series_interval.series == series.key);
        series_intervals.for_each(|series_interval| {
            seconds.add(&Histogram::decode(series_interval.interval.as_ref().unwrap()).unwrap());
        });
        assert_eq!(*sum, seconds);
    }
}

#[test]
fn without_seconds_the_log_holds_the_whole_with_the_same_quantiles() {
    let mut run = calm();
    run.intervals.clear();
    let log = written(LoadFormat::IntervalLog, &run);
    let intervals = IntervalLogIterator::new(log.as_bytes()).filter_map(|entry| match entry.unwrap() {
        LogEntry::Interval(interval) => Some(interval),
        _ => None,
    });
    for (interval, series) in intervals.zip(&run.series) {
        let read = Histogram::decode(interval.encoded_histogram()).unwrap();
        for q in [0.5, 0.9, 0.99, 0.999, 1.0] {
            assert_eq!(read.inner().value_at_quantile(q), series.histogram.inner().value_at_quantile(q));
        }
        assert_eq!(interval.start_timestamp(), Duration::from_secs(5));
        assert_eq!(interval.duration(), Duration::from_mins(1));
    }
}

#[test]
fn every_threshold_and_every_broken_rule_is_a_test_case() {
    let cases = crate::tests::junit::parse(&written(LoadFormat::Junit, &stormy()));
    let shown: Vec<String> =
        cases.iter().map(|case| format!("{:<44} {:<8} {}", case.name, case.came, case.message)).collect();
    insta::assert_snapshot!(shown.join("\n"));
    let cases = crate::tests::junit::parse(&written(LoadFormat::Junit, &calm()));
    assert!(cases.iter().all(|case| case.came.is_empty() && case.class == "kube-assay.load.watch-fanout"));
    assert_eq!(cases.len(), 1 + calm().thresholds.len());
}

#[test]
fn the_folder_holds_every_file_and_none_of_an_earlier_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    OutputFolder::take(&path).unwrap();
    write_folder(&stormy(), &path).unwrap();
    for format in LoadFormat::ALL {
        assert_eq!(fs::read_to_string(path.join(format.file_name())).unwrap(), written(format, &stormy()));
    }
    OutputFolder::take(&path).unwrap();
    let left: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["previous"]);
    let error = OutputFolder::take(std::path::Path::new("/proc/nowhere")).unwrap_err().to_string();
    assert!(error.starts_with("failed to make the output folder /proc/nowhere"), "{error}");
}
