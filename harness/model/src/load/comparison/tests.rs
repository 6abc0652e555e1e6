//! Conclusions over pairs: the rate of false ones, and the detected effects.

use super::paired::{Paired, interleaved};
use super::ratios::{Ratios, pairs_needed};
use super::{Finding, PairedChange, PairedConclusion, conclude, paired_changes, pairs_to_judge};
use crate::load::{DurationKind, LoadRun, Scope, Series, SeriesKey, Workload};
use crate::target_info::TargetInfo;

const WRONG: f64 = 0.01;

/// Two normally distributed numbers (Box and Muller).
fn normal(random: &mut fastrand::Rng) -> (f64, f64) {
    let (length, turn) = ((-2.0 * (1.0 - random.f64()).ln()).sqrt(), std::f64::consts::TAU * random.f64());
    (length * turn.cos(), length * turn.sin())
}

/// Pairs of runs with this scatter, of which the new one takes `times` as long.
pub(super) fn pairs(random: &mut fastrand::Rng, count: usize, scatter: f64, times: f64) -> Vec<(f64, f64)> {
    let pair = |_| {
        let (base, new) = normal(random);
        (1_000.0 * (base * scatter).exp(), 1_000.0 * times * (new * scatter).exp())
    };
    (0..count).map(pair).collect()
}

fn interval(pairs: &[(f64, f64)]) -> Option<Paired> {
    Ratios::of(pairs)?.interval(WRONG)
}

/// The number of experiments that call the new side worse.
fn alarms(experiments: usize, count: usize, scatter: f64, times: f64, tolerance: f64) -> usize {
    let mut random = fastrand::Rng::with_seed(7);
    let worse = |_: &usize| {
        let values = pairs(&mut random, count, scatter, times);
        interval(&values).is_some_and(|paired| paired.is_worse(tolerance))
    };
    (0..experiments).filter(worse).count()
}

#[test]
fn equal_sides_are_seldom_called_worse() {
    // From a quiet machine to one whose p99 doubles from run to run.
    for scatter in [0.05, 0.25, 0.8] {
        for count in [7, 10, 15] {
            let alarms = alarms(200, count, scatter, 1.0, 0.1);
            assert!(alarms <= 2, "{alarms} of 200 with {count} pairs that scatter by {scatter}");
        }
    }
}

#[test]
fn without_a_tolerance_false_alarms_stay_within_the_error_probability() {
    for count in [7, 8, 12] {
        let alarms = alarms(10_000, count, 0.5, 1.0, 0.0);
        assert!(alarms <= 120, "{alarms} of 10,000 with {count} pairs");
    }
}

#[test]
fn planted_effects_are_detected() {
    // CPU per operation scatters by some percent, medians of latencies by more.
    for (times, scatter, count, tolerance) in
        [(1.1, 0.03, 18, 0.05), (1.2, 0.05, 14, 0.1), (1.5, 0.15, 12, 0.1)]
    {
        let found = alarms(200, count, scatter, times, tolerance);
        assert!(found >= 190, "{found} of 200 that are {times} times as slow");
    }
}

#[test]
fn the_interval_holds_the_true_ratio_and_detects_no_effect_within_the_tolerance() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut missed = 0;
    for _ in 0..10_000 {
        let paired = interval(&pairs(&mut random, 9, 0.2, 1.3)).unwrap();
        missed += u32::from(!(paired.low..=paired.high).contains(&1.3));
        assert!(paired.smallest_effect(0.1) >= 0.1);
    }
    // Each end may be wrong in one of a hundred, plus chance.
    assert!(missed <= 240, "{missed} of 10,000");
}

#[test]
fn equal_pairs_give_an_exact_interval() {
    let paired = interval(&[(100.0, 120.0); 8]).unwrap();
    assert!((paired.ratio - 1.2).abs() < 1e-9 && (paired.low - 1.2).abs() < 1e-9);
    assert!(paired.is_worse(0.1) && !paired.is_worse(0.25) && !paired.is_better(0.1));
}

#[test]
fn too_few_pairs_give_no_interval() {
    assert_eq!((pairs_needed(0.01), pairs_needed(0.001)), (7, 10));
    assert_eq!(interval(&[(1.0, 2.0); 6]), None);
    assert_eq!(interval(&[(0.0, 2.0); 9]), None);
    assert_eq!(interval(&[(1.0, f64::NAN); 9]), None);
    assert_eq!(interval(&[]), None);
}

#[test]
fn the_sides_alternate_in_running_first() {
    assert_eq!(interleaved(4, 2), [true, false, true, false]);
    assert_eq!(interleaved(3, 1), [false, true, false]);
}

#[test]
fn more_series_need_more_pairs() {
    assert_eq!([1, 2, 3, 6].map(|series| pairs_to_judge(series, 1)), [8, 9, 10, 11]);
}

pub(super) fn key() -> SeriesKey {
    SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, "")
}

/// A run in which every request took this many microseconds.
fn run(micros: f64) -> LoadRun {
    let at = jiff::Timestamp::UNIX_EPOCH;
    let mut run = LoadRun::new("kube-assay 0", "a", Workload::default(), TargetInfo::default(), at);
    let mut series = Series::new(key());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is some thousand")]
    (0..10).for_each(|_| series.record((micros * 100.0) as u64));
    run.series = vec![series];
    run
}

/// The changes between two servers whose values have this scatter, of which the new one takes `times` as long.
fn compared(random: &mut fastrand::Rng, count: usize, scatter: f64, times: f64) -> Vec<PairedChange> {
    let values = pairs(random, count, scatter, times);
    let runs: Vec<_> = values.into_iter().map(|(base, new)| (run(base), run(new))).collect();
    paired_changes(&[key()], &runs, 1)
}

#[test]
fn scatter_beyond_the_limit_is_inconclusive_and_the_estimated_pairs_decide() {
    let mut random = fastrand::Rng::with_seed(5);
    let changes = compared(&mut random, 8, 0.1, 1.0);
    let PairedConclusion::Inconclusive { unclear: 2, unknown: 0, needed: Some(needed) } =
        conclude(&changes, 0.1, false)
    else {
        panic!("{changes:?}");
    };
    assert!((9..=60).contains(&needed.pairs) && needed.times_as_long == 1, "{needed:?}");
    let decided = (0..40).filter(|_| {
        let again = compared(&mut random, needed.pairs, 0.1, 1.0);
        conclude(&again, 0.1, false) == PairedConclusion::NotWorse
    });
    assert!(decided.count() >= 20, "{needed:?}");
}

#[test]
fn extreme_scatter_needs_longer_runs_or_has_no_estimate() {
    let mut random = fastrand::Rng::with_seed(5);
    let needed = |scatter: f64, random: &mut fastrand::Rng| {
        let changes = compared(random, 11, scatter, 1.0);
        match conclude(&changes, 0.1, false) {
            PairedConclusion::Inconclusive { needed, .. } => needed,
            other => panic!("{other:?}"),
        }
    };
    assert!(needed(0.8, &mut random).is_some_and(|needed| needed.times_as_long > 1));
    assert_eq!(needed(8.0, &mut random), None);
}

#[test]
fn a_worse_server_is_seldom_called_not_worse() {
    let mut random = fastrand::Rng::with_seed(9);
    for (count, scatter) in [(8, 0.05), (12, 0.2), (30, 0.2)] {
        let missed = (0..1_000).filter(|_| {
            let values = pairs(&mut random, count, scatter, 1.11);
            interval(&values).is_some_and(|paired| paired.high <= 1.1)
        });
        let missed = missed.count();
        assert!(missed <= 20, "{missed} of 1,000 with {count} pairs that scatter by {scatter}");
    }
}

#[test]
fn the_gravest_finding_decides_and_an_unreliable_run_never_passes() {
    let alike = |times: f64| {
        let runs = vec![(run(1_000.0), run(1_000.0 * times)); 11];
        paired_changes(&[key()], &runs, 1)
    };
    assert_eq!(conclude(&alike(1.0), 0.1, false), PairedConclusion::NotWorse);
    assert_eq!(conclude(&alike(1.0), 0.1, true), PairedConclusion::Doubtful);
    assert_eq!(conclude(&alike(1.2), 0.1, true), PairedConclusion::Worse(2));
    assert_eq!(conclude(&alike(0.5), 0.0, false), PairedConclusion::NotWorse);
}

#[test]
fn a_number_without_a_value_in_some_pair_is_unknown_but_has_a_median() {
    let mut runs = vec![(run(1_000.0), run(1_300.0)); 11];
    runs[3].1.series[0].pend(1_000_000);
    runs[4].0.series.clear();
    let changes = paired_changes(&[key()], &runs, 1);
    let p99 = &changes[1];
    assert_eq!((p99.finding(0.1), p99.known, p99.at_most), (Finding::Unknown, 9, None));
    assert!(p99.ratios.as_ref().is_some_and(|ratios| (ratios.median() - 1.3).abs() < 0.01));
    let nothing = paired_changes(&[key()], &[], 1);
    assert_eq!((nothing.len(), nothing[0].known, nothing[0].ratios.is_some()), (2, 0, false));
    let unknown = PairedConclusion::Inconclusive { unclear: 0, unknown: 2, needed: None };
    assert_eq!(conclude(&nothing, 0.1, false), unknown);
}
