//! Histories of made-up results.

use super::*;
use crate::load::comparison::Measure;
use crate::load::{DurationKind, Host, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};
use crate::target_info::TargetInfo;

const HOUR: i64 = 3600;

/// The median of a verb in a result, in microseconds.
type Level = fn(usize) -> u64;

/// A run with 2,000 requests of each verb.
fn run(number: usize, levels: &[(&str, Level)]) -> LoadRun {
    let workload = Workload { name: "crud-mix".to_owned(), digest: "ab12".to_owned(), ..Workload::default() };
    let target = TargetInfo { release: "v1.36.3".to_owned(), ..TargetInfo::default() };
    let began = jiff::Timestamp::from_second(HOUR * 24 * i64::try_from(number).unwrap()).unwrap();
    let mut run = LoadRun::new("kube-assay 0.1.0", &format!("r{number}"), workload, target, began);
    run.labels = [("commit".to_owned(), format!("c{number:02}"))].into();
    run.host = Host { cores: 2, cpu: "Xeon".to_owned(), kernel: "Linux 6".to_owned(), memory: 8 << 30 };
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    run.series = levels.iter().map(|(verb, level)| series(verb, number, level(number))).collect();
    run
}

/// Times around a median; each run has its own noise of some percent.
fn series(verb: &str, number: usize, median: u64) -> Series {
    let mut random = fastrand::Rng::with_seed(number as u64 * 7 + u64::from(verb.as_bytes()[0]));
    let noise = 0.97 + 0.06 * random.f64();
    let key = SeriesKey::new(verb, "configmaps", Scope::Namespace, DurationKind::Latency, "");
    let mut series = Series::new(key);
    for _ in 0..2_000 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time")]
        #[expect(clippy::cast_precision_loss, reason = "a time")]
        series.record((median as f64 * noise * (0.5 + random.f64())) as u64);
    }
    series
}

fn calm(_: usize) -> u64 {
    2_000
}

/// 20 % slower from result 16 on.
fn slower(number: usize) -> u64 {
    if number < 16 { 3_000 } else { 3_600 }
}

fn entries(results: usize, change: fn(&mut LoadRun, usize)) -> Vec<HistoryEntry> {
    let run = |number| {
        let mut run = run(number, &[("GET", calm), ("LIST", slower)]);
        change(&mut run, number);
        HistoryEntry::of(&run)
    };
    (0..results).map(run).collect()
}

#[test]
fn a_regression_is_found_in_its_series_with_its_commit() {
    let entries = entries(30, |_, _| ());
    let groups = groups(&entries);
    let conclusion = conclude_history(&groups, 0.05, None);
    let found: Vec<(String, Measure, &str)> = conclusion
        .regressions
        .iter()
        .map(|one| (one.series.verb.clone(), one.measure, one.first.labels["commit"].as_str()))
        .collect();
    let list = |measure| ("LIST".to_owned(), measure, "c16");
    assert_eq!(found, [list(Measure::Percentile(50.0)), list(Measure::Percentile(99.0))]);
    let median = &conclusion.regressions[0];
    assert!((1.17..1.23).contains(&median.change.ratio()), "{:?}", median.change);
    assert_eq!(median.last_before.labels["commit"], "c15");
    assert_eq!((conclusion.judged.len(), conclusion.too_few), (4, Vec::new()));
}

#[test]
fn a_limit_a_date_and_a_fix_silence_it() {
    let regressions = |entries: &[HistoryEntry], limit, since| {
        conclude_history(&groups(entries), limit, since).regressions.len()
    };
    let slow = entries(30, |_, _| ());
    assert_eq!(regressions(&slow, 0.05, None), 2);
    assert_eq!(regressions(&slow, 0.3, None), 0);
    assert_eq!(regressions(&slow, 0.05, Some(slow[16].began)), 2);
    assert_eq!(regressions(&slow, 0.05, Some(slow[17].began)), 0);
    let fixed = entries(46, |run, number| {
        if number >= 31 {
            run.series = vec![series("GET", number, 2_000), series("LIST", number, 3_000)];
        }
    });
    assert_eq!(groups(&fixed)[0].trends()[2].changes.len(), 2);
    assert_eq!(regressions(&fixed, 0.05, None), 0);
}

#[test]
fn equal_results_raise_no_alarm() {
    let constant = |number| HistoryEntry::of(&run(number, &[("GET", calm), ("LIST", calm)]));
    let entries: Vec<HistoryEntry> = (0..100).map(constant).collect();
    let conclusion = conclude_history(&groups(&entries), 0.0, None);
    assert_eq!((conclusion.regressions.len(), conclusion.judged.len()), (0, 4));
}

#[test]
fn few_results_are_no_reason_to_pass() {
    let entries = entries(12, |_, _| ());
    let conclusion = conclude_history(&groups(&entries), 0.05, None);
    assert_eq!(conclusion.judged.len(), 0);
    let [too_few] = &*conclusion.too_few else { panic!("{conclusion:?}") };
    assert_eq!((too_few.results, too_few.needed), (12, 19));
}

#[test]
fn unlike_results_are_apart() {
    type Change = fn(&mut LoadRun, usize);
    let changes: [Change; 4] = [
        |run, number| run.workload.digest = format!("d{}", number / 16),
        |run, number| run.host.cores = if number < 16 { 2 } else { 4 },
        |run, number| run.host.cpu = if number < 16 { "Xeon" } else { "EPYC" }.to_owned(),
        |run, number| {
            run.target.release = if number < 16 { "v1.36.3" } else { "v1.36.3+k3s1" }.to_owned();
        },
    ];
    for change in changes {
        let entries = entries(60, change);
        let groups = groups(&entries);
        assert!(groups.len() > 1);
        let conclusion = conclude_history(&groups, 0.05, None);
        assert_eq!(conclusion.regressions.len(), 0, "{conclusion:?}");
    }
}

#[test]
fn a_new_version_of_kube_assay_is_no_regression_of_the_server() {
    let entries = entries(30, |run, number| {
        if number >= 16 {
            run.tool = "kube-assay 0.2.0".to_owned();
        }
    });
    let conclusion = conclude_history(&groups(&entries), 0.05, None);
    assert_eq!((conclusion.regressions.len(), conclusion.other_tools.len()), (0, 2));
    let tools = ("kube-assay 0.1.0".to_owned(), "kube-assay 0.2.0".to_owned());
    assert_eq!(conclusion.other_tools[0].change.tools, Some(tools));
}

#[test]
fn unreliable_results_and_few_values_are_in_no_trend() {
    let entries = entries(30, |run, number| {
        run.generator.cores = 2;
        if number == 3 {
            run.generator.cpu = 20_000_000;
        }
        let mut few = Series::new(run.series[0].key.clone());
        (0..500).for_each(|micros| few.record(micros));
        run.series[0] = few;
    });
    let trends = groups(&entries)[0].trends();
    let points: Vec<usize> = trends.iter().map(|trend| trend.points.len()).collect();
    // Of 500 values, five are beyond p99.
    assert_eq!(points, [29, 0, 29, 29]);
    assert!(trends[2].points.iter().all(|point| point.result != 3));
}

#[test]
fn a_change_that_the_numbers_of_values_cannot_show_is_none() {
    let certain = |quantile: &mut KeptQuantile, share: u64| {
        quantile.low = Some(quantile.micros - quantile.micros / share);
        quantile.high = Some(quantile.micros + quantile.micros / share);
    };
    let mut entries = entries(30, |_, _| ());
    for (share, changes) in [(50, 1), (2, 0)] {
        for series in entries.iter_mut().flat_map(|entry| &mut entry.series) {
            series.quantiles.values_mut().for_each(|quantile| certain(quantile, share));
        }
        assert_eq!(groups(&entries)[0].trends()[2].changes.len(), changes, "{share}");
    }
}

#[test]
fn a_workload_that_nobody_runs_any_more_is_not_judged() {
    let mut all = entries(30, |_, _| ());
    all.extend((38..68).map(|number| {
        let mut run = run(number, &[("GET", calm)]);
        run.workload.digest = "cd34".to_owned();
        HistoryEntry::of(&run)
    }));
    assert_eq!(conclude_history(&groups(&all), 0.05, None).regressions.len(), 0);
}

#[test]
fn an_entry_survives_a_round_trip_through_json() {
    let mut run = run(1, &[("GET", calm)]);
    run.series[0].pend(1);
    let entry = HistoryEntry::of(&run);
    assert!(entry.series[0].quantiles.contains_key("p99") && !entry.series[0].quantiles.contains_key("max"));
    let text = serde_json::to_string(&entry).unwrap();
    assert_eq!(serde_json::from_str::<HistoryEntry>(&text).unwrap(), entry);
}

#[test]
fn a_result_is_named_by_its_commit_or_its_run() {
    let mut entry = HistoryEntry::of(&run(1, &[]));
    entry.labels.insert("commit".to_owned(), "0123456789abcdef0123".to_owned());
    assert_eq!(entry.name(), "0123456789ab");
    entry.labels.clear();
    assert_eq!(entry.name(), "run r1");
}
