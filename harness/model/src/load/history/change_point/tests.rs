//! Generated sequences with known change points, the patterns of Apache Otava's test data.

use super::*;

/// The next value of some noise.
type Noise = fn(&mut fastrand::Rng) -> f64;

/// Normal noise around a level.
fn noisy(random: &mut fastrand::Rng, level: f64, sigma: f64) -> f64 {
    let (radius, angle) = ((-2.0 * (1.0 - random.f64()).ln()).sqrt(), std::f64::consts::TAU * random.f64());
    level + sigma * radius * angle.cos()
}

/// Levels with their lengths, and noise, on a logarithmic scale as in a history.
fn steps(seed: u64, sigma: f64, levels: &[(usize, f64)]) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let levels = levels.iter().flat_map(|(length, level)| std::iter::repeat_n(*level, *length));
    levels.map(|level| noisy(&mut random, level, sigma).max(1.0).ln()).collect()
}

fn found(values: &[f64]) -> Vec<usize> {
    change_points(values, 0.01).iter().map(|point| point.index).collect()
}

/// The number of positions that were found, at most two results off, and of all findings.
fn hits(values: &[f64], expected: &[usize]) -> (usize, usize) {
    let found = found(values);
    let hit = |at: &&usize| found.iter().any(|index| index.abs_diff(**at) <= 2);
    (expected.iter().filter(hit).count(), found.len())
}

/// The number of noisy constant sequences of 100 values, of 1,000, with a change point.
fn false_alarms(noise: Noise) -> usize {
    let mut random = fastrand::Rng::with_seed(7);
    let sequences = (0..1_000).map(|_| (0..100).map(|_| noise(&mut random)).collect::<Vec<f64>>());
    sequences.filter(|sequence| !found(sequence).is_empty()).count()
}

#[test]
fn noise_of_any_distribution_raises_at_most_one_false_alarm_in_a_hundred() {
    let distributions: [(&str, Noise); 4] = [
        ("normal", |random| noisy(random, 100.0, 5.0).ln()),
        ("uniform", |random| 90.0 + 20.0 * random.f64()),
        // Without a mean: one run in a hundred is a hundred times slower.
        ("heavy tail", |random| -(1.0 - random.f64()).ln() / 1.1),
        ("two bands", |random| if random.bool() { 100.0 } else { 105.0 }),
    ];
    for (name, noise) in distributions {
        let alarms = false_alarms(noise);
        assert!(alarms <= 10, "{name}: {alarms} of 1000");
    }
}

#[test]
fn steps_and_regressions_with_a_fix_are_found_where_they_are() {
    let (mut expected, mut hit, mut all) = (0, 0, 0);
    for seed in 0..40 {
        let patterns: [(Vec<f64>, &[usize]); 4] = [
            (steps(seed, 5.0, &[(25, 100.0), (25, 120.0)]), &[25]),
            (steps(seed, 2.0, &[(250, 100.0), (250, 105.0)]), &[250]),
            (steps(seed, 5.0, &[(33, 100.0), (10, 130.0), (57, 100.0)]), &[33, 43]),
            (steps(seed, 3.0, &[(25, 100.0), (25, 110.0), (25, 120.0), (25, 130.0)]), &[25, 50, 75]),
        ];
        for (values, truth) in patterns {
            let (hits, findings) = hits(&values, truth);
            (expected, hit, all) = (expected + truth.len(), hit + hits, all + findings);
        }
    }
    // Recall and precision.
    assert!(hit * 100 >= expected * 95, "{hit} of {expected} found");
    assert!(hit * 100 >= all * 95, "{hit} of {all} findings are right");
}

#[test]
fn a_change_without_noise_is_found_exactly() {
    assert_eq!(found(&steps(1, 0.0, &[(20, 100.0), (10, 101.0)])), [20]);
    assert_eq!(found(&steps(1, 0.0, &[(30, 100.0), (5, 130.0), (30, 100.0)])), [30, 35]);
}

#[test]
fn constant_outlying_and_few_results_are_no_change() {
    assert_eq!(found(&[]), [0_usize; 0]);
    assert_eq!(found(&[4.6; 300]), [0_usize; 0]);
    assert_eq!(found(&[1.0, 1.0, 9.0, 9.0]), [0_usize; 0]);
    let mut outlying = steps(3, 2.0, &[(100, 100.0)]);
    for at in [10, 50, 51, 99] {
        outlying[at] = 9.0;
    }
    assert_eq!(found(&outlying), [0_usize; 0]);
    // Noise that grows is no change of level.
    let grown = [steps(4, 1.0, &[(50, 100.0)]), steps(5, 8.0, &[(50, 100.0)])].concat();
    assert_eq!(found(&grown), [0_usize; 0]);
}

#[test]
fn four_results_of_a_new_level_suffice_after_a_long_calm() {
    let values = steps(6, 2.0, &[(60, 100.0), (4, 140.0)]);
    assert_eq!((found(&values[..62]), found(&values)), (Vec::new(), vec![60]));
}

#[test]
fn an_old_change_point_stays_when_results_are_added() {
    let values = steps(8, 4.0, &[(40, 100.0), (300, 120.0)]);
    assert!((60..340).step_by(20).all(|length| found(&values[..length]) == [40]));
}
