//! The rank test of Wilcoxon, Mann and Whitney: whether two samples have the same level.
//!
//! Latencies have heavy tails, and ranks do not: one slow run is only the last in a row. Under pure noise the test is right
//! whatever the distribution of the noise.

use std::cmp::Ordering;

/// Smaller samples get exact probabilities; the normal distribution is close enough for larger ones.
const EXACT: usize = 20;

/// The exact probability is worth its cost only beyond this many standard deviations.
const EXTREME: f64 = 2.5;

/// The two-sided probability that chance alone separates two samples of the same distribution this much.
pub(super) fn probability(left: &[f64], right: &[f64]) -> f64 {
    let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if few.is_empty() {
        return 1.0;
    }
    let ranks = Ranks::of(few, many);
    let deviation = ranks.deviation();
    let approximate = two_sided_normal(deviation);
    if few.len() > EXACT || deviation < EXTREME { approximate } else { ranks.exact() }
}

/// The probability of two samples of this size together, as different as can be.
pub(super) fn least_probability(size: usize) -> f64 {
    2.0 / choices(size, size / 2)
}

/// Doubled ranks, so that those of equal values are whole numbers.
struct Ranks {
    /// Of all values, ascending.
    all: Vec<usize>,
    /// The sum over the smaller sample.
    sum: usize,
    /// The size of the smaller sample.
    few: usize,
}

impl Ranks {
    fn of(few: &[f64], many: &[f64]) -> Self {
        let mut values: Vec<(f64, bool)> = few.iter().map(|value| (*value, true)).collect();
        values.extend(many.iter().map(|value| (*value, false)));
        values.sort_unstable_by(|one, other| one.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal));
        let (mut all, mut sum) = (Vec::with_capacity(values.len()), 0);
        for equal in values.chunk_by(|one, other| one.0 >= other.0) {
            let doubled = 2 * all.len() + equal.len() + 1;
            all.resize(all.len() + equal.len(), doubled);
            sum += doubled * equal.iter().filter(|(_, is_few)| *is_few).count();
        }
        Self { all, sum, few: few.len() }
    }

    /// The distance of the sum from its mean, in standard deviations.
    #[expect(clippy::cast_precision_loss, reason = "samples are small")]
    fn deviation(&self) -> f64 {
        let (size, few) = (self.all.len() as f64, self.few as f64);
        let mean = self.all.iter().sum::<usize>() as f64 / size;
        let spread = self.all.iter().map(|rank| (*rank as f64 - mean).powi(2)).sum::<f64>() / (size - 1.0);
        let variance = spread * few * (size - few) / size;
        if variance <= 0.0 {
            return 0.0;
        }
        // The correction for continuity: doubled ranks have steps of two.
        ((self.sum as f64 - few * mean).abs() - 1.0).max(0.0) / variance.sqrt()
    }

    /// The share of all choices of as many ranks whose sum is as far out, on either side.
    fn exact(&self) -> f64 {
        let least: usize = self.all.iter().take(self.few).sum();
        let most: usize = self.all.iter().rev().take(self.few).sum();
        let total = self.all.iter().sum::<usize>() * 2 * self.few / self.all.len();
        // The tail that the sum is in; reversed ranks turn the upper tail into the lower one.
        let one_sided = if 2 * self.sum <= total {
            share_within(&self.all, self.few, self.sum - least)
        } else {
            let top = self.all.last().copied().unwrap_or(0);
            let reversed: Vec<usize> = self.all.iter().rev().map(|rank| top + 1 - rank).collect();
            share_within(&reversed, self.few, most - self.sum)
        };
        (2.0 * one_sided).min(1.0)
    }
}

/// The share of all choices of `few` of the ranks whose sum exceeds the least possible sum by at most `excess`.
fn share_within(ranks: &[usize], few: usize, excess: usize) -> f64 {
    let least: usize = ranks.iter().take(few).sum();
    let width = least + excess + 1;
    // `ways[taken][sum]` is a share of all choices: counts would overflow.
    let mut ways = vec![vec![0.0_f64; width]; few + 1];
    ways[0][0] = 1.0;
    for rank in ranks.iter().copied().take_while(|rank| *rank < width) {
        for taken in (1..=few).rev() {
            let (before, after) = ways.split_at_mut(taken);
            let (from, to) = (&before[taken - 1], &mut after[0]);
            for (target, source) in to[rank..].iter_mut().zip(from) {
                *target += source;
            }
        }
    }
    let found: f64 = ways[few].iter().sum();
    found / choices(ranks.len(), few)
}

/// The number of ways to choose `few` of `all`.
#[expect(clippy::cast_precision_loss, reason = "a probability needs few digits")]
fn choices(all: usize, few: usize) -> f64 {
    (0..few).map(|step| (all - step) as f64 / (few - step) as f64).product()
}

/// The probability that a normal value is at least this many standard deviations from its mean.
fn two_sided_normal(deviation: f64) -> f64 {
    // Abramowitz and Stegun, 7.1.26 has too few digits in the tail: the continued fraction of Mills' ratio has enough.
    if deviation < 2.0 {
        return 1.0 - central(deviation);
    }
    let ratio = (1..=60).rev().fold(deviation, |below, step| deviation + f64::from(step) / below);
    2.0 * (-deviation * deviation / 2.0).exp() / (ratio * std::f64::consts::TAU.sqrt())
}

/// The probability of less than this many standard deviations, from the series around 0.
fn central(deviation: f64) -> f64 {
    let (mut term, mut sum) = (deviation, deviation);
    for step in 1..60 {
        term *= deviation * deviation / f64::from(2 * step + 1);
        sum += term;
    }
    2.0 * sum * (-deviation * deviation / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one / other - 1.0).abs() < 1e-3
    }

    #[test]
    fn the_normal_distribution_is_that_of_tables() {
        for (deviation, probability) in
            [(0.0, 1.0), (1.0, 0.317_31), (1.96, 0.05), (2.0, 0.0455), (3.0, 2.6998e-3), (5.0, 5.7330e-7)]
        {
            assert!(close(two_sided_normal(deviation), probability), "{deviation}");
        }
    }

    #[test]
    fn separated_samples_have_the_probability_of_one_order() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        // Of C(100, 4) choices, two are as far out.
        assert!(close(probability(&values[..96], &values[96..]), 2.0 / 3_921_225.0));
        assert!(close(probability(&values[..4], &values[4..]), 2.0 / 3_921_225.0));
        // The published table: 5 and 5 values, completely separated.
        assert!(close(probability(&values[..7], &values[7..14]), 2.0 / 3_432.0));
    }

    #[test]
    fn equal_values_tell_nothing() {
        assert!(close(probability(&[1.0; 30], &[1.0; 4]), 1.0));
        assert!(close(probability(&[], &[1.0]), 1.0));
        let (low, high) = ([1.0; 50], [2.0; 4]);
        assert!(close(probability(&low, &high), 1.0 / choices(54, 4) * 2.0));
    }

    #[test]
    fn a_single_outlier_is_no_change_of_level() {
        let quiet: Vec<f64> = (0..50).map(f64::from).collect();
        assert!(probability(&quiet, &[1e9, 20.0, 31.0]) > 0.05);
        assert!(probability(&quiet, &[1e9]) > 0.03);
    }
}
