//! How much of a change is chance: pairs of runs, and the interval in which their ratio lies.
//!
//! Runs are the unit, not requests: a million requests of one run share its luck. Each pair gives one logarithm of a
//! ratio. If nothing had changed, each of these could as well have had the other sign; the interval holds every ratio
//! that this thought does not contradict. It is Wilcoxon's signed-rank interval: exact, and without chance of its own.

/// The ratio of new to base, over pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// How many pairs there were.
    pub pairs: usize,
    /// The median of their ratios.
    pub ratio: f64,
    /// The ratio is not below this.
    pub low: f64,
    /// Nor above this.
    pub high: f64,
}

impl Paired {
    /// The median ratio and its interval, each end of which is wrong with at most this probability.
    ///
    /// `None` if there are fewer than [`pairs_needed`], or if a value is 0 or no number: nothing has a ratio to that.
    pub fn of(pairs: &[(f64, f64)], wrong: f64) -> Option<Self> {
        let mut logs = Vec::with_capacity(pairs.len());
        for (base, new) in pairs {
            let log = (new / base).ln();
            logs.push(Some(log).filter(|log| log.is_finite())?);
        }
        let skipped = outermost(logs.len(), wrong)?;
        let averages = averages(&logs);
        let (low, high) = (averages.get(skipped)?, averages.get(averages.len() - 1 - skipped)?);
        Some(Self { pairs: logs.len(), ratio: median(&mut logs)?.exp(), low: low.exp(), high: high.exp() })
    }

    /// Whether it is worse by more than a tolerance, beyond doubt: less is better.
    pub fn is_worse(&self, tolerance: f64) -> bool {
        self.low > 1.0 + tolerance
    }

    /// Whether it is better by more than a tolerance, beyond doubt.
    pub fn is_better(&self, tolerance: f64) -> bool {
        self.high * (1.0 + tolerance) < 1.0
    }

    /// The smallest rise that pairs as scattered as these would have shown: 0.12 for 12 %.
    pub fn smallest_effect(&self, tolerance: f64) -> f64 {
        (1.0 + tolerance) * (self.ratio / self.low) - 1.0
    }
}

/// How many pairs it takes until an interval can be so sure.
pub fn pairs_needed(wrong: f64) -> usize {
    (1..=MOST_PAIRS).find(|pairs| outermost(*pairs, wrong).is_some()).unwrap_or(MOST_PAIRS)
}

/// More are not asked for: the sums below would grow without use.
const MOST_PAIRS: usize = 200;

/// Which of two goes first in each pair: ABBA, so that a drift of the machine meets both alike. `true`: the base.
pub fn interleaved(pairs: usize, seed: u64) -> Vec<bool> {
    (0..pairs).map(|pair| (pair % 2 == 0) == seed.is_multiple_of(2)).collect()
}

/// The means of every two logarithms, and of each with itself, ascending.
fn averages(logs: &[f64]) -> Vec<f64> {
    let mut averages: Vec<f64> = logs
        .iter()
        .enumerate()
        .flat_map(|(at, one)| logs[at..].iter().map(move |other| f64::midpoint(*one, *other)))
        .collect();
    averages.sort_by(f64::total_cmp);
    averages
}

/// How many averages may be left out at each end: the greatest signed-rank sum that is as rare as allowed.
///
/// Of 2ⁿ equally likely choices of signs, `ways[s]` give the ranks 1…n with a plus the sum s.
fn outermost(pairs: usize, wrong: f64) -> Option<usize> {
    let most = pairs * (pairs + 1) / 2;
    let mut ways = vec![0.0; most + 1];
    ways[0] = 1.0;
    for rank in 1..=pairs {
        for sum in (rank..=most).rev() {
            // Halving at every rank keeps the counts probabilities.
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
