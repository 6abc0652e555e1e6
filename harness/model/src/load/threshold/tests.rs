//! Thresholds judged on runs.

use proptest::prelude::*;

use super::{Observed, Slo, Threshold, ThresholdResult, ThresholdVerdict, judge};
use crate::load::{
    Deliveries, DurationKind, ErrorClass, LoadRun, PartialCause, Phase, PhaseName, Scope, Series, SeriesKey,
    Starts, Watches, Workload,
};
use crate::target_info::TargetInfo;

fn key(verb: &str, resource: &str, scope: Scope, kind: DurationKind) -> SeriesKey {
    SeriesKey::new(verb, resource, scope, kind, "")
}

fn constant(key: SeriesKey, millis: u64) -> Series {
    let mut series = Series::new(key);
    (0..1_000).for_each(|_| series.record(millis * 1_000));
    series
}

fn run() -> LoadRun {
    let at = jiff::Timestamp::UNIX_EPOCH;
    let mut run = LoadRun::new("kube-assay 0", "r", Workload::default(), TargetInfo::default(), at);
    run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
    run.series = vec![
        constant(key("LIST", "configmaps", Scope::Namespace, DurationKind::Latency), 400),
        constant(key("LIST", "pods", Scope::Cluster, DurationKind::Latency), 900),
        constant(key("PATCH", "pods", Scope::Resource, DurationKind::Latency), 20),
        constant(key("WATCH", "pods", Scope::Namespace, DurationKind::LagSent), 40),
    ];
    run
}

fn judged(text: &str, run: &LoadRun) -> ThresholdResult {
    judge(&[text.parse::<Threshold>().unwrap()], run).remove(0)
}

#[track_caller]
fn assert_judged(text: &str, run: &LoadRun, verdict: ThresholdVerdict, observed: &str) {
    let judged = judged(text, run);
    assert_eq!((judged.verdict, judged.observed_text().as_str()), (verdict, observed), "{text}");
}

#[test]
fn the_worst_selected_series_decides() {
    assert_judged("p99<500ms for LIST configmaps", &run(), ThresholdVerdict::Met, "400 ms");
    assert_judged("p99<500ms for LIST", &run(), ThresholdVerdict::Missed, "900 ms");
    assert_judged("p99<1s for reads", &run(), ThresholdVerdict::Met, "900 ms");
    assert_judged("service p99<1s for writes", &run(), ThresholdVerdict::Met, "20.0 ms");
    assert_judged("lag-sent max<=50ms", &run(), ThresholdVerdict::Met, "40.0 ms");
    let about = judged("p99<500ms for LIST", &run()).about.unwrap();
    assert_eq!(about.resource, "pods");
}

#[test]
fn a_deletion_by_another_program_leaves_missed_thresholds_open() {
    let run = LoadRun { partial_cause: PartialCause::NamespaceDeleted, ..run() };
    for missed in ["p99<500ms for LIST", "rate>=1000/s"] {
        assert_eq!(judged(missed, &run).verdict, ThresholdVerdict::Inconclusive, "{missed}");
    }
    assert_eq!(judged("p99<1s", &run).verdict, ThresholdVerdict::Met);
}

#[test]
fn a_partial_run_meets_no_threshold_and_may_miss_one() {
    for partial_cause in [PartialCause::EndedEarly, PartialCause::ReadBackRejected, PartialCause::Unmeasured]
    {
        let run = LoadRun { partial: Some("interrupted".to_owned()), partial_cause, ..run() };
        for kept in ["failed<=1%", "errors<1%", "p99<1s"] {
            assert_eq!(judged(kept, &run).verdict, ThresholdVerdict::Inconclusive, "{kept}");
        }
        assert_judged("p99<1s", &run, ThresholdVerdict::Inconclusive, "900 ms");
        assert_judged("p99<500ms for LIST", &run, ThresholdVerdict::Missed, "900 ms");
        assert_judged("p99<1s for GET", &run, ThresholdVerdict::NotJudged, "nothing");
    }
}

#[test]
fn a_threshold_that_only_refused_credentials_miss_is_open() {
    let mut run = run();
    (0..50).for_each(|_| run.series[0].fail(ErrorClass::Status(401)));
    for missed in ["failed<=1%", "errors<1%", "errors<1% for LIST"] {
        assert_eq!(judged(missed, &run).verdict, ThresholdVerdict::Inconclusive, "{missed}");
    }
    assert_eq!(judged("p99<1ms", &run).verdict, ThresholdVerdict::Missed);
    // One of many series is over the limit without them as well, and all series together are not.
    (0..20).for_each(|_| run.series[0].fail(ErrorClass::Status(500)));
    assert_eq!(judged("errors<1%", &run).verdict, ThresholdVerdict::Missed);
    assert_eq!(judged("failed<=1%", &run).verdict, ThresholdVerdict::Inconclusive);
    (0..20).for_each(|_| run.series[0].fail(ErrorClass::Status(403)));
    assert_eq!(judged("failed<=1%", &run).verdict, ThresholdVerdict::Missed);
}

#[test]
fn a_generator_that_stood_still_misses_no_threshold_for_the_server() {
    let mut run = run();
    run.deliveries = Some(Deliveries { expected: 10, delivered: 9, lost: 1, ..Deliveries::default() });
    run.generator.timer_lag.record(900_000);
    assert_eq!(judged("p99<500ms for LIST", &run).verdict, ThresholdVerdict::Missed);
    run.generator.timer_lag.record(3_000_000);
    for missed in ["p99<500ms for LIST", "rate>=1000/s", "lag-sent p99<1ms"] {
        assert_eq!(judged(missed, &run).verdict, ThresholdVerdict::Inconclusive, "{missed}");
    }
    assert_eq!(judged("lost=0", &run).verdict, ThresholdVerdict::Missed);
    assert_eq!(judged("p99<1s", &run).verdict, ThresholdVerdict::Met);
}

#[test]
fn a_threshold_without_a_measured_series_is_not_judged() {
    assert_judged("p99<1s for GET", &run(), ThresholdVerdict::NotJudged, "nothing");
    assert_judged("delivered=100%", &run(), ThresholdVerdict::NotJudged, "nothing");
}

#[test]
fn unfinished_attempts_make_a_threshold_inconclusive_or_missed() {
    let mut run = run();
    (0..100).for_each(|_| run.series[3].pend(200_000));
    assert_judged("lag-sent p50<1s", &run, ThresholdVerdict::Met, "40.0 ms");
    assert_judged("lag-sent p99<1s", &run, ThresholdVerdict::Inconclusive, "> 200 ms");
    assert_judged("lag-sent p99<100ms", &run, ThresholdVerdict::Missed, "> 200 ms");
}

#[test]
fn shares_and_counts_are_judged_by_their_limits() {
    let mut run = run();
    run.series[2].fail(ErrorClass::Status(429));
    assert_judged("errors<1%", &run, ThresholdVerdict::Met, "0.1 %");
    assert_judged("errors<0.05%", &run, ThresholdVerdict::Missed, "0.1 %");
    assert_judged("rate>=100/s for PATCH", &run, ThresholdVerdict::Met, "100.1/s");
    run.deliveries =
        Some(Deliveries { expected: 1_000_000, delivered: 999_999, lost: 1, ..Deliveries::default() });
    assert_judged("delivered=100%", &run, ThresholdVerdict::Missed, "99.9999 %");
    assert_judged("lost=0", &run, ThresholdVerdict::Missed, "1");
    assert_judged("repeated=0", &run, ThresholdVerdict::Met, "0");
    run.starts = Some(Starts { planned: 100, sent: 98, late: 1, dropped: 2 });
    assert_judged("dropped=0%", &run, ThresholdVerdict::Missed, "2 %");
    assert_judged("late<=1%", &run, ThresholdVerdict::Met, "1 %");
    run.watches = Some(Watches::default());
    assert_judged("ended=0", &run, ThresholdVerdict::Met, "0");
}

#[test]
fn all_requests_together_are_judged_by_their_share() {
    let mut run = run();
    (0..20).for_each(|_| run.series[2].fail(ErrorClass::Status(500)));
    assert_judged("errors<=1%", &run, ThresholdVerdict::Missed, "1.97 %");
    assert_judged("failed<=1%", &run, ThresholdVerdict::Met, "0.67 %");
    (0..20).for_each(|_| run.series[2].fail(ErrorClass::Status(500)));
    assert_judged("failed<=1%", &run, ThresholdVerdict::Missed, "1.32 %");
}

#[test]
fn an_attempt_without_a_response_may_have_failed() {
    let mut run = run();
    (0..2_000).for_each(|_| run.series[2].pend(5));
    assert_judged("failed<=1%", &run, ThresholdVerdict::Inconclusive, "> 0 %");
    assert_judged("failed<=50%", &run, ThresholdVerdict::Met, "> 0 %");
    run.series.clear();
    assert_judged("failed<=1%", &run, ThresholdVerdict::Inconclusive, "> 0 %");
}

#[test]
fn a_pending_delivery_may_still_arrive_and_a_lost_one_will_not() {
    let mut run = run();
    let mut delivered = |delivered, pending, lost, verdict, seen| {
        let expected = delivered + pending + lost;
        run.deliveries = Some(Deliveries { expected, delivered, lost, pending, ..Deliveries::default() });
        assert_judged("delivered>=99.9%", &run, verdict, seen);
    };
    delivered(9_991, 9, 0, ThresholdVerdict::Met, "> 99.91 %");
    delivered(9_900, 100, 0, ThresholdVerdict::Inconclusive, "> 99 %");
    delivered(9_900, 0, 100, ThresholdVerdict::Missed, "99 %");
    delivered(0, 0, 0, ThresholdVerdict::Inconclusive, "> 0 %");
}

#[test]
fn presets_are_judged_as_any_threshold() {
    let verdicts = |name: &str| -> Vec<ThresholdVerdict> {
        Slo::preset(name).unwrap().judge(&run()).into_iter().map(|judged| judged.verdict).collect()
    };
    let (met, not_judged) = (ThresholdVerdict::Met, ThresholdVerdict::NotJudged);
    assert_eq!(verdicts("k8s-official"), [met, not_judged, met, met]);
    assert_eq!(verdicts("watch")[0], met);
}

#[test]
fn a_limit_of_the_generator_decides_nothing_about_the_server() {
    let mut run = run();
    assert_judged("generator-cpu<=50%", &run, ThresholdVerdict::NotJudged, "nothing");
    assert_judged("generator-lag p99<10ms", &run, ThresholdVerdict::NotJudged, "nothing");
    (run.generator.cores, run.generator.cpu) = (2, 15_000_000);
    (0..100).for_each(|_| run.generator.timer_lag.record(20_000));
    assert_judged("generator-cpu<=80%", &run, ThresholdVerdict::Met, "75 %");
    assert_judged("generator-cpu<=50%", &run, ThresholdVerdict::Inconclusive, "75 %");
    assert_judged("generator-lag p99<=1s", &run, ThresholdVerdict::Met, "20.0 ms");
    assert_judged("generator-lag max<10ms", &run, ThresholdVerdict::Inconclusive, "20.0 ms");
}

#[test]
fn a_file_needs_a_value_for_each_threshold_unless_it_says_otherwise() {
    let text = "name = \"own\"\n[[threshold]]\nrule = \"p99<1s for GET\"\n[[threshold]]\nrule = \"p99<1s for LIST\"\n";
    let judged = |text: &str| {
        let mut run = run();
        run.thresholds = Slo::read(text).unwrap().judge(&run);
        assert!(run.thresholds.iter().all(|judged| judged.preset.as_deref() == Some("own")));
        run.verdict()
    };
    assert_eq!(judged(text), ThresholdVerdict::Inconclusive);
    assert_eq!(judged(&format!("required = false\n{text}")), ThresholdVerdict::Met);
}

#[test]
fn a_verdict_survives_a_round_trip_and_prints_as_a_sentence() {
    let judged = judged("p99<500ms for LIST", &run());
    let text = serde_json::to_string(&judged).unwrap();
    assert_eq!(serde_json::from_str::<ThresholdResult>(&text).unwrap(), judged);
    assert_eq!(judged.to_string(), "missed: p99<500ms for LIST, was 900 ms (LIST pods cluster latency)");
    assert!(matches!(judged.observed, Some(Observed { open: false, .. })));
}

proptest! {
    #[test]
    fn what_is_read_as_a_threshold_is_written_and_read_again(
        text in "(p99|p50|p99\\.9|max|errors|failed|delivered|service p99|lag-sent max|rate|[a-z]{0,6})(<|<=|=|>|>=|==|)\
            ?[0-9.]{0,6}(ms|s|us|%|/s|)( for [A-Za-z]{1,6}( [a-z]{0,6})?)?|.{0,30}",
    ) {
        match text.parse::<Threshold>() {
            Ok(threshold) => prop_assert_eq!(threshold.to_string().parse::<Threshold>(), Ok(threshold)),
            Err(error) => prop_assert!(error.to_string().ends_with(|end: char| !end.is_whitespace())),
        }
    }
}
