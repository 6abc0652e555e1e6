//! What people see of a comparison.

use std::time::Duration;

use model::load::comparison::{PairedChange, changes, conclude, paired_changes};
use model::load::{DurationKind, LoadRun, Series, SeriesKey};
use serde_json::Value;

use super::example::{calm, tail};
use crate::load::{
    PairedOutcome, PairedReport, write_comparison, write_paired, write_paired_annotations,
    write_paired_folder, write_paired_html, write_paired_json, write_paired_markdown,
};
use crate::terminal::Look;
use crate::tests::schema::violations;

/// The same run, in which everything that is one number takes so many hundredths of the time.
fn times(hundredths: u64) -> LoadRun {
    let mut run = calm();
    run.run = format!("k{hundredths}");
    for (at, base, count) in [(0, 4_000, 1_200), (7, 10_500, 12_000)] {
        let mut series = Series::new(run.series[at].key.clone());
        tail(base, count).for_each(|value| series.record(value * hundredths / 100));
        run.series[at] = series;
    }
    run
}

#[test]
fn two_runs_and_what_is_worse() {
    let mut new = times(125);
    new.series.remove(5);
    let mut bytes = Vec::new();
    let look = Look { width: 100, colour: false };
    let base = calm();
    write_comparison((&base, &new), &changes(&base, &new), Some(0.1), look, &mut bytes).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
}

/// What so many pairs say, of which the new runs take so many hundredths of the time of the base, and scatter.
fn paired(pairs: u64, hundredths: u64, scatter: u64) -> Vec<PairedChange> {
    let series: Vec<SeriesKey> = calm().series.into_iter().map(|series| series.key).collect();
    let judged: Vec<SeriesKey> = series
        .into_iter()
        .filter(|key| matches!(key.kind, DurationKind::Latency | DurationKind::LagSent))
        .collect();
    let runs: Vec<(LoadRun, LoadRun)> =
        (0..pairs).map(|pair| (times(98 + pair % 3), times(hundredths + pair * scatter % 13))).collect();
    paired_changes(&judged, &runs, 1)
}

fn report(changes: &[PairedChange], limit: Option<f64>, outcome: PairedOutcome) -> PairedReport<'_> {
    let servers = ("https://10.0.0.1 (base)", "https://10.0.0.2 (new)");
    PairedReport {
        servers,
        pairs: 10,
        measured: 10,
        length: Duration::from_secs(10),
        changes,
        limit,
        outcome,
    }
}

/// The document for programs, which matches its schema.
fn document(report: &PairedReport) -> Value {
    let mut bytes = Vec::new();
    write_paired_json(report, &mut bytes).unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(violations(include_str!("../../../schema/load-pairs.json"), &document), [""; 0], "{document}");
    document
}

fn shown(changes: &[PairedChange], limit: Option<f64>, outcome: PairedOutcome) -> String {
    let report = report(changes, limit, outcome);
    document(&report);
    let mut bytes = Vec::new();
    write_paired(&report, Look { width: 120, colour: false }, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn judged(changes: &[PairedChange], unreliable: bool) -> String {
    shown(changes, Some(0.1), PairedOutcome::Judged(conclude(changes, 0.1, unreliable)))
}

#[test]
fn pairs_and_how_sure_they_are() {
    let (worse, alike, scattered) = (paired(10, 124, 1), paired(10, 99, 0), paired(10, 104, 5));
    let few = paired(3, 124, 1);
    let partial = PairedOutcome::NotCompared("new-4 is partial: interrupted".to_owned());
    let all =
        [judged(&worse, false), judged(&alike, false), judged(&scattered, false), shown(&few, None, partial)];
    insta::assert_snapshot!(all.join("\n----\n"));
}

#[test]
fn one_sentence_concludes_every_comparison() {
    let (worse, alike, scattered) = (paired(10, 124, 1), paired(10, 99, 0), paired(10, 104, 5));
    let endings = [
        judged(&worse, false),
        judged(&alike, true),
        judged(&scattered, false),
        judged(&[], false),
        shown(&worse, None, PairedOutcome::Shown),
        shown(&alike, None, PairedOutcome::Broken("new-2".to_owned())),
        shown(&[], None, PairedOutcome::NotCompared("base-1: failed to reach it".to_owned())),
    ];
    for text in endings {
        let end = text.lines().rev().take_while(|line| !line.is_empty());
        let sentence = end.collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" ");
        assert!(sentence.contains("10.0.0.1") && sentence.contains("10.0.0.2"), "{text}");
    }
}

/// A comparison of so many pairs that stopped after 10.
fn early(changes: &[PairedChange]) -> PairedReport<'_> {
    let outcome = PairedOutcome::Judged(conclude(changes, 0.1, false));
    PairedReport { pairs: 30, ..report(changes, Some(0.1), outcome) }
}

#[test]
fn a_pull_request_gets_sentences_and_the_table() {
    let changes = paired(10, 124, 1);
    let mut bytes = Vec::new();
    write_paired_markdown(&early(&changes), &mut bytes).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
}

#[test]
fn every_number_is_a_test_case_that_passes_only_if_it_was_judged() {
    let results = |report: &PairedReport| {
        let folder = tempfile::tempdir().unwrap();
        write_paired_folder(report, jiff::Timestamp::UNIX_EPOCH, folder.path()).unwrap();
        let junit = std::fs::read_to_string(folder.path().join("junit.xml")).unwrap();
        let count = |tag: &str| junit.matches(tag).count();
        [count("<testcase "), count("<failure "), count("<error "), count("<skipped")]
    };
    let (worse, alike, scattered) = (paired(10, 124, 1), paired(10, 99, 0), paired(10, 104, 5));
    let judged = |changes, doubtful| PairedOutcome::Judged(conclude(changes, 0.1, doubtful));
    assert_eq!(results(&report(&worse, Some(0.1), judged(&worse, false))), [7, 5, 0, 0]);
    assert_eq!(results(&report(&alike, Some(0.1), judged(&alike, false))), [7, 0, 0, 0]);
    assert_eq!(results(&report(&alike, Some(0.1), judged(&alike, true))), [7, 0, 7, 0]);
    assert_eq!(results(&report(&scattered, Some(0.1), judged(&scattered, false))), [7, 0, 5, 0]);
    assert_eq!(results(&report(&alike, None, PairedOutcome::Shown)), [7, 0, 0, 7]);
    let broken = PairedOutcome::Broken("new-2".to_owned());
    assert_eq!(results(&report(&alike, Some(0.1), broken)), [7, 1, 0, 6]);
    let partial = PairedOutcome::NotCompared("new-4 is partial".to_owned());
    assert_eq!(results(&report(&alike, Some(0.1), partial)), [7, 0, 1, 6]);
}

#[test]
fn the_page_is_whole_and_nothing_from_outside_becomes_markup() {
    let bad = "</style><script>alert(1)</script>\"'><img src=x onerror=y>";
    let mut changes = paired(10, 124, 1);
    changes[0].series.resource = bad.to_owned();
    let report = PairedReport { servers: (bad, bad), ..early(&changes) };
    let mut bytes = Vec::new();
    write_paired_html(&report, &mut bytes).unwrap();
    let page = String::from_utf8(bytes).unwrap();
    crate::tests::markup::parse(&page);
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert!(
        page.contains("delivery lag p99 is 29 % higher (26 to 36 %, 99 % confidence, 10 pairs)"),
        "{page}"
    );
}

#[test]
fn github_gets_each_worse_number_or_the_reason_why_there_is_no_result() {
    let (worse, alike) = (paired(10, 124, 1), paired(10, 99, 0));
    let annotations = |report: &PairedReport| {
        let mut bytes = Vec::new();
        write_paired_annotations(report, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let of_worse = annotations(&early(&worse));
    let titles = of_worse.lines().map(|line| line.split("::").nth(1).unwrap());
    assert_eq!(
        titles.collect::<Vec<_>>(),
        [
            "error title=slower%3A PATCH configmaps resource p50",
            "error title=slower%3A PATCH configmaps resource p99",
            "error title=higher%3A WATCH configmaps namespace delivery lag p50",
            "error title=higher%3A WATCH configmaps namespace delivery lag p99",
        ]
    );
    assert_eq!(annotations(&early(&alike)), "");
    let partial = report(&alike, Some(0.1), PairedOutcome::NotCompared("new-4 is partial".to_owned()));
    assert!(annotations(&partial).starts_with("::error title=inconclusive::inconclusive whether"));
}

#[test]
fn programs_read_each_number_and_the_conclusion() {
    let worse = paired(10, 124, 1);
    let concluded = PairedOutcome::Judged(conclude(&worse, 0.1, false));
    let document = document(&report(&worse, Some(0.1), concluded));
    assert_eq!(document["conclusion"], "worse");
    let numbers = document["changes"].as_array().unwrap();
    let worse = numbers.iter().find(|number| number["finding"] == "worse").unwrap();
    let bounds = ["at_least", "median", "at_most"].map(|name| worse[name].as_f64().unwrap());
    assert!(1.1 < bounds[0] && bounds.is_sorted() && bounds[2] < 1.4, "{worse}");
    let nothing = report(&[], None, PairedOutcome::NotCompared("base-1: failed to reach it".to_owned()));
    assert_eq!(self::document(&nothing)["conclusion"], "inconclusive");
}
