//! Verdicts over pairs: how often they are false, and what they find.

use super::paired::{Paired, interleaved, pairs_needed};

const WRONG: f64 = 0.01;

/// Two numbers of a normal distribution (Box and Muller).
fn normal(random: &mut fastrand::Rng) -> (f64, f64) {
    let (length, turn) = ((-2.0 * (1.0 - random.f64()).ln()).sqrt(), std::f64::consts::TAU * random.f64());
    (length * turn.cos(), length * turn.sin())
}

/// Pairs of runs whose values scatter so much, of which the new one takes so many times as long.
fn pairs(random: &mut fastrand::Rng, count: usize, scatter: f64, times: f64) -> Vec<(f64, f64)> {
    let pair = |_| {
        let (base, new) = normal(random);
        (1_000.0 * (base * scatter).exp(), 1_000.0 * times * (new * scatter).exp())
    };
    (0..count).map(pair).collect()
}

/// In how many of so many experiments the new side was called worse.
fn alarms(experiments: usize, count: usize, scatter: f64, times: f64, tolerance: f64) -> usize {
    let mut random = fastrand::Rng::with_seed(7);
    let worse = |_: &usize| {
        let values = pairs(&mut random, count, scatter, times);
        Paired::of(&values, WRONG).is_some_and(|paired| paired.is_worse(tolerance))
    };
    (0..experiments).filter(worse).count()
}

#[test]
fn a_side_against_itself_is_seldom_called_worse() {
    // From a quiet machine to one whose p99 doubles from run to run.
    for scatter in [0.05, 0.25, 0.8] {
        for count in [7, 10, 15] {
            let alarms = alarms(200, count, scatter, 1.0, 0.1);
            assert!(alarms <= 2, "{alarms} of 200 with {count} pairs that scatter by {scatter}");
        }
    }
}

#[test]
fn even_without_a_tolerance_false_alarms_are_as_rare_as_promised() {
    for count in [7, 8, 12] {
        let alarms = alarms(10_000, count, 0.5, 1.0, 0.0);
        assert!(alarms <= 120, "{alarms} of 10,000 with {count} pairs");
    }
}

#[test]
fn planted_effects_are_found() {
    // CPU per operation scatters by some percent, medians of latencies by more.
    for (times, scatter, count, tolerance) in
        [(1.1, 0.03, 18, 0.05), (1.2, 0.05, 14, 0.1), (1.5, 0.15, 12, 0.1)]
    {
        let found = alarms(200, count, scatter, times, tolerance);
        assert!(found >= 190, "{found} of 200 that are {times} times as slow");
    }
}

#[test]
fn the_interval_holds_the_truth_and_says_what_it_could_have_seen() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut missed = 0;
    for _ in 0..10_000 {
        let paired = Paired::of(&pairs(&mut random, 9, 0.2, 1.3), WRONG).unwrap();
        missed += u32::from(!(paired.low..=paired.high).contains(&1.3));
        assert!(paired.smallest_effect(0.1) >= 0.1);
    }
    // Each end may be wrong in one of a hundred, and then there is the luck of the draw.
    assert!(missed <= 240, "{missed} of 10,000");
}

#[test]
fn pairs_that_agree_leave_no_doubt() {
    let paired = Paired::of(&[(100.0, 120.0); 8], WRONG).unwrap();
    assert!((paired.ratio - 1.2).abs() < 1e-9 && (paired.low - 1.2).abs() < 1e-9);
    assert!(paired.is_worse(0.1) && !paired.is_worse(0.25) && !paired.is_better(0.1));
}

#[test]
fn too_few_pairs_say_nothing() {
    assert_eq!((pairs_needed(0.01), pairs_needed(0.001)), (7, 10));
    assert_eq!(Paired::of(&[(1.0, 2.0); 6], WRONG), None);
    assert_eq!(Paired::of(&[(0.0, 2.0); 9], WRONG), None);
    assert_eq!(Paired::of(&[(1.0, f64::NAN); 9], WRONG), None);
    assert_eq!(Paired::of(&[], WRONG), None);
}

#[test]
fn sides_take_turns_in_going_first() {
    assert_eq!(interleaved(4, 2), [true, false, true, false]);
    assert_eq!(interleaved(3, 1), [false, true, false]);
}
