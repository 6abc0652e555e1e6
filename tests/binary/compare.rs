//! `compare`: what differs between two load runs, and that one run of each server cannot tell a regression from chance.

use harness::TargetInfo;
use harness::load::{DurationKind, LoadRun, Phase, PhaseName, Scope, Series, SeriesKey, Workload};

use crate::support::{Ended, kube_assay, session};

/// A run in which every GET took so long.
fn run(millis: u64, gets: u64) -> LoadRun {
    let workload =
        Workload { name: "crud-mix".to_owned(), pace: "open loop, 100/s".to_owned(), ..Workload::default() };
    let target = TargetInfo { version: "1.36".parse().ok(), ..TargetInfo::default() };
    let mut run = LoadRun::new("kube-assay 0", "r1", workload, target, jiff::Timestamp::UNIX_EPOCH);
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 60_000 }];
    let mut series =
        Series::new(SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, ""));
    (0..gets).for_each(|at| series.record(millis * 1_000 + at));
    run.series = vec![series];
    run
}

fn summary(run: &LoadRun) -> String {
    let mut bytes = Vec::new();
    reports::load::write_summary(run, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Compares two files of these contents.
fn compared(base: &str, new: &str, more: &[&str]) -> Ended {
    let program = kube_assay(&["compare", "base.json", "new.json"]).with(more);
    program.file("base.json", base);
    program.file("new.json", new);
    program.end()
}

#[test]
fn one_run_of_each_server_shows_what_differs_and_judges_nothing() {
    let (base, slow) = (summary(&run(20, 6_000)), summary(&run(40, 6_000)));
    let ended = compared(&base, &slow, &[]).ended_with(0);
    for text in
        ["crud-mix", "p50", "p99.9", "+86.9 %", "To tell a change from chance, run pairs", "load --against"]
    {
        assert!(ended.out.replace('\n', " ").contains(text), "no {text:?} in: {}", ended.out);
    }
    assert!(!ended.out.contains("worse") && !ended.out.contains('\u{1b}'), "{}", ended.out);
}

#[test]
fn a_limit_that_one_run_of_each_server_cannot_judge_ends_in_3() {
    let base = summary(&run(20, 6_000));
    let compared = |millis| compared(&base, &summary(&run(millis, 6_000)), &["--max-regression", "10%"]);
    insta::assert_snapshot!([20, 21, 40].map(|millis| compared(millis).error()).join("\n"));
    let ended = compared(40);
    for text in ["worse? GET configmaps resource, latency p99", "3 of 7 numbers are worse by more than 10 %"]
    {
        assert!(ended.out.contains(text), "no {text:?} in: {}", ended.out);
    }
}

#[test]
fn unlike_and_partial_runs_are_not_compared() {
    let mut errors = Vec::new();
    let mut other = run(20, 6_000);
    (other.seed, other.workload.pace) = (9, "closed loop".to_owned());
    let ended = compared(&summary(&run(20, 6_000)), &summary(&other), &[]);
    errors.push(ended.error());
    let partial = LoadRun { partial: Some("interrupted".to_owned()), ..run(20, 6_000) };
    let ended = compared(&summary(&run(20, 6_000)), &summary(&partial), &["--max-regression", "5%"]);
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn what_stands_on_too_little_is_marked() {
    let few = summary(&run(20, 9));
    let ended = compared(&few, &summary(&run(90, 9)), &[]).ended_with(0);
    assert!(ended.out.contains("too few"), "{}", ended.out);
    let mut unreliable = run(20, 6_000);
    unreliable.generator.misread = 1;
    let ended = compared(&summary(&run(20, 6_000)), &summary(&unreliable), &[]).ended_with(0);
    assert!(ended.out.contains("warning, new"), "{}", ended.out);
}

#[test]
fn folders_are_as_good_as_the_summaries_in_them() {
    let program = kube_assay(&["compare", ".", "."]);
    program.file("summary.json", &summary(&run(20, 6_000)));
    program.end().ended_with(0);
}

#[test]
fn files_that_are_none_are_refused() {
    let good = summary(&run(20, 10));
    let later = good.replacen("\"format\":2", "\"format\":3", 1);
    let errors = ["", "{}", "{\"clauses\":[]}", &later].map(|new| compared(&good, new, &[]).error());
    insta::assert_snapshot!(errors.join("\n"));
    insta::assert_snapshot!(session(&[
        &["compare", "a", "b"],
        &["compare", "a", "b", "--max-regression=10"],
        &["compare", "a", "b", "--max-regression=-1%"],
        &["compare", "a", "b", "--max-regression=x%"],
        &["compare", "a", "b", "--max-regression=1001%"],
    ]));
}
