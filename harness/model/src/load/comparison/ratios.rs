//! How much of a change is chance: the ratios of pairs of runs, and the interval of their median.
//!
//! The unit is the run, not the request: a million requests of one run share its luck. Each pair gives one logarithm of
//! a ratio. Without a change, its other sign would be as likely; the interval holds every ratio that this hypothesis
//! does not reject. It is Wilcoxon's signed-rank interval: exact, and without randomness of its own.

use super::paired::Paired;

/// The most pairs that a comparison may have.
pub const MOST_PAIRS: usize = 100;

/// The ratios of new to base over pairs, as logarithms.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    pairs: usize,
    median: f64,
    /// The means of every two logarithms, and of each with itself, ascending.
    averages: Vec<f64>,
}

impl Ratios {
    /// `None` without pairs, or if a value is 0 or not a number: then a ratio is not finite.
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let mut logs = Vec::with_capacity(pairs.len());
        for (base, new) in pairs {
            let log = (new / base).ln();
            logs.push(Some(log).filter(|log| log.is_finite())?);
        }
        let averages = averages(&logs);
        Some(Self { pairs: logs.len(), median: median(&mut logs)?, averages })
    }

    /// The median ratio.
    pub fn median(&self) -> f64 {
        self.median.exp()
    }

    /// The median ratio and its interval; `wrong` bounds the error probability of each end.
    ///
    /// `None` with fewer pairs than `pairs_needed`.
    pub fn interval(&self, wrong: f64) -> Option<Paired> {
        let skipped = outermost(self.pairs, wrong)?;
        let (low, high) =
            (self.averages.get(skipped)?, self.averages.get(self.averages.len() - 1 - skipped)?);
        Some(Paired { pairs: self.pairs, ratio: self.median(), low: low.exp(), high: high.exp() })
    }

    /// The logarithm below which this share of the averages lies, from 0 to 1.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "there are few averages"
    )]
    #[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * (self.averages.len() - 1) as f64;
        let (below, above) = (self.averages[place.floor() as usize], self.averages[place.ceil() as usize]);
        below + (above - below) * place.fract()
    }
}

/// The least number of pairs for an interval with this error probability.
pub(super) fn pairs_needed(wrong: f64) -> usize {
    (1..=MOST_PAIRS).find(|pairs| outermost(*pairs, wrong).is_some()).unwrap_or(MOST_PAIRS)
}

/// The share of the averages outside the interval at each end; `None` with too few pairs.
#[expect(clippy::cast_precision_loss, reason = "there are few averages")]
pub(super) fn left_out(pairs: usize, wrong: f64) -> Option<f64> {
    outermost(pairs, wrong).map(|skipped| skipped as f64 / (pairs * (pairs + 1) / 2 - 1).max(1) as f64)
}

fn averages(logs: &[f64]) -> Vec<f64> {
    let mut averages: Vec<f64> = logs
        .iter()
        .enumerate()
        .flat_map(|(at, one)| logs[at..].iter().map(move |other| f64::midpoint(*one, *other)))
        .collect();
    averages.sort_by(f64::total_cmp);
    averages
}

/// The number of averages outside the interval at each end: the greatest signed-rank sum within the probability.
///
/// Of 2ⁿ equally likely choices of signs, `ways[s]` give the positive ranks among 1…n the sum s.
fn outermost(pairs: usize, wrong: f64) -> Option<usize> {
    let most = pairs * (pairs + 1) / 2;
    let mut ways = vec![0.0; most + 1];
    ways[0] = 1.0;
    for rank in 1..=pairs {
        for sum in (rank..=most).rev() {
            // Halving at every rank turns the counts into probabilities.
            ways[sum] = f64::midpoint(ways[sum], ways[sum - rank]);
        }
        ways[..rank.min(most + 1)].iter_mut().for_each(|way| *way /= 2.0);
    }
    let mut rare = 0.0;
    let rare_sums = ways.iter().take_while(|way| {
        rare += **way;
        rare <= wrong
    });
    rare_sums.count().checked_sub(1)
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}
