//! The reports of a history with a regression.

use model::load::history::{HistoryEntry, conclude_history, groups};
use model::load::{DurationKind, Host, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};
use model::{TargetInfo, load::threshold::ThresholdVerdict};
use serde_json::Value;

use super::{
    read_entry, write_check, write_check_annotations, write_check_junit, write_entry, write_history,
};
use crate::load::write_history_page;
use crate::terminal::Look;
use crate::tests::markup::parse;
use crate::tests::schema::violations;

/// 02:00 on 2026-10-26.
const FIRST: i64 = 1_792_980_000;

const LOOK: Look = Look { width: 100, colour: false };

/// A nightly result: LIST is 20 % slower from the sixteenth on.
fn entry(number: i64) -> HistoryEntry {
    let workload = Workload { name: "crud-mix".to_owned(), digest: "5f70".to_owned(), ..Workload::default() };
    let target = TargetInfo { release: "v1.36.3".to_owned(), ..TargetInfo::default() };
    let began = jiff::Timestamp::from_second(FIRST + 86_400 * number).unwrap();
    let mut run = LoadRun::new("kube-assay 0.1.0", &format!("r{number}"), workload, target, began);
    run.labels = [("commit".to_owned(), format!("c{number:02}"))].into();
    run.host = Host { cores: 2, cpu: "Xeon".to_owned(), kernel: "Linux 6".to_owned(), memory: 8 << 30 };
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    // Noise of a few percent, the same on every machine.
    let noise = (number * 7_919 % 61).unsigned_abs();
    let list = if number < 16 { 3_000 } else { 3_600 };
    run.series = vec![series("GET", 2_000 + noise), series("LIST", list + noise)];
    HistoryEntry::of(&run)
}

fn series(verb: &str, median: u64) -> Series {
    let key = SeriesKey::new(verb, "configmaps", Scope::Namespace, DurationKind::Latency, "");
    let mut series = Series::new(key);
    (0..1_200).for_each(|at| series.record(median / 2 + median * at / 1_200));
    series
}

fn history() -> Vec<HistoryEntry> {
    (0..30).map(entry).collect()
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn page(entries: &[HistoryEntry]) -> String {
    text(|out| write_history_page(&groups(entries), "kube-assay 0.1.0", out))
}

/// The history, and three results from another machine.
fn with_another_host() -> Vec<HistoryEntry> {
    let mut entries = history();
    entries.extend((30..33).map(|number| {
        let mut entry = entry(number);
        entry.host.cores = 4;
        entry.unreliable = number == 32;
        entry
    }));
    entries
}

#[test]
fn a_history_shows_levels_and_change_points() {
    let entries = with_another_host();
    insta::assert_snapshot!(text(|out| write_history(&groups(&entries), LOOK, out)));
    insta::assert_snapshot!(text(|out| write_history(&[], LOOK, out)), @"the store has no results");
}

#[test]
fn a_check_names_series_size_and_commit() {
    let mut entries = with_another_host();
    let check = |entries: &[HistoryEntry]| {
        text(|out| write_check(&conclude_history(&groups(entries), 0.05, None), 0.05, LOOK, out))
    };
    insta::assert_snapshot!("regression", check(&entries[..30]));
    insta::assert_snapshot!("another_host", check(&entries));
    insta::assert_snapshot!("calm", check(&history().into_iter().take(16).chain(calm()).collect::<Vec<_>>()));
    entries[16..].iter_mut().for_each(|entry| entry.tool = "kube-assay 0.2.0".to_owned());
    insta::assert_snapshot!("another_kube_assay", check(&entries[..30]));
}

/// Results without the regression.
fn calm() -> impl Iterator<Item = HistoryEntry> {
    (16..30).map(|number| HistoryEntry { began: entry(number).began, ..entry(number - 15) })
}

#[test]
fn github_and_junit_have_a_finding_for_each_number() {
    let entries = history();
    let groups = groups(&entries);
    let conclusion = conclude_history(&groups, 0.05, None);
    let annotations = text(|out| write_check_annotations(&conclusion, out));
    assert_eq!(annotations.lines().count(), 2);
    assert!(
        annotations
            .starts_with("::error title=slower%3A crud-mix%2C LIST configmaps namespace%2C latency p50::")
    );
    let junit = text(|out| write_check_junit(&conclusion, entries[29].began, out));
    assert_eq!((junit.matches("<testcase ").count(), junit.matches("<failure ").count()), (4, 2), "{junit}");
    let empty = text(|out| write_check_junit(&conclude_history(&[], 0.05, None), entries[29].began, out));
    assert_eq!(empty.matches("<error ").count(), 1, "{empty}");
}

#[test]
fn the_page_shows_every_series_with_its_change_point() {
    let page = page(&with_another_host());
    parse(&page);
    let charts: Vec<&str> = page.split("<svg ").skip(1).collect();
    assert_eq!(charts.len(), 4);
    // The newest group is the first, and has no change point.
    assert!(charts[..3].iter().all(|chart| chart.contains("no change point")));
    assert_eq!(page.matches("<path class=\"change\"").count(), 2);
    assert!(charts[3].contains("p50 +20.0 %") && charts[3].contains(">c16</text>"), "{}", charts[3]);
    for text in [
        "not compared with the 30 results above",
        "1 results, left out because the generator was the bottleneck",
        "crud-mix on 2 × Xeon, 8 GiB",
        "at c16 of 2026-11-11",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn ten_thousand_results_fit_on_a_page_that_keeps_every_change_point() {
    let nights: Vec<HistoryEntry> = (0..17).map(entry).collect();
    let hourly = |number: i64, night: usize| {
        let began = nights[0].began + jiff::SignedDuration::from_hours(number);
        HistoryEntry { began, ..nights[night].clone() }
    };
    let calm = (0..9_990).map(|number| hourly(number, usize::try_from(number % 16).unwrap()));
    let entries: Vec<HistoryEntry> = calm.chain((9_990..10_000).map(|number| hourly(number, 16))).collect();
    let page = page(&entries);
    assert!(page.len() < 500_000, "{}", page.len());
    assert_eq!(page.matches("<path class=\"change\"").count(), 2);
    assert!(page.contains("greatest p99"));
    let points =
        page.split("data-v=\"").skip(1).map(|line| line[..line.find('"').unwrap()].split(' ').count());
    assert!(points.clone().all(|points| (200..=240).contains(&points)), "{:?}", points.collect::<Vec<_>>());
}

#[test]
fn a_page_that_would_be_too_large_loses_charts_and_says_so() {
    let nights = [entry(0), entry(1)];
    let of_digest = |digest: usize| {
        nights.clone().map(|mut entry| {
            entry.workload.digest = format!("d{digest}");
            entry
        })
    };
    let entries: Vec<HistoryEntry> = (0..1_500).flat_map(of_digest).collect();
    let page = page(&entries);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert!(page.contains("Its charts are left out: the page is full."));
    assert!(page.contains("older groups are left out: the page is full."));
}

#[test]
fn a_result_survives_its_file_and_matches_its_schema() {
    let schema = include_str!("../../../schema/history-entry.json");
    for entry in with_another_host() {
        let file = text(|out| write_entry(&entry, out));
        assert_eq!(file.lines().count(), 1);
        assert_eq!(read_entry(file.as_bytes()).unwrap(), entry);
        assert_eq!(violations(schema, &serde_json::from_str(&file).unwrap()), [""; 0]);
    }
    let verdicts = [ThresholdVerdict::Met, ThresholdVerdict::Missed, ThresholdVerdict::Inconclusive];
    for verdict in verdicts {
        let file = text(|out| write_entry(&HistoryEntry { verdict, ..entry(1) }, out));
        assert_eq!(violations(schema, &serde_json::from_str(&file).unwrap()), [""; 0]);
    }
    let mut wrong: Value = serde_json::from_str(&text(|out| write_entry(&entry(1), out))).unwrap();
    wrong["series"][0]["scope"] = "planet".into();
    wrong["extra"] = 1.into();
    assert_eq!(violations(schema, &wrong).len(), 2);
}

#[test]
fn what_is_no_result_of_a_history_is_refused_in_a_sentence() {
    let good = text(|out| write_entry(&entry(1), out));
    for (text, words) in [
        ("", "cut off or damaged"),
        (&good[..good.len() / 2], "cut off or damaged"),
        ("{\"kind\":\"load\"}", "no result of a history"),
        (&good.replacen("load-history", "load-future", 1), "no result of a history"),
        (&good.replacen("\"format\":1", "\"format\":9", 1), "use a newer kube-assay"),
        (&good.replacen("\"format\":1", "\"format\":9", 1).replacen("\"series\"", "\"rows\"", 1), "newer"),
        (&good.replacen("\"series\"", "\"rows\"", 1), "damaged"),
    ] {
        let error = read_entry(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let _ = read_entry(&bytes);
    }
}
