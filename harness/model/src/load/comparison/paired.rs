//! Pairs of runs: the median of their ratios, and its interval.

/// The ratio of new to base, over pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// The number of pairs.
    pub pairs: usize,
    /// The median of their ratios.
    pub ratio: f64,
    /// The lower bound of the ratio.
    pub low: f64,
    /// The upper bound of the ratio.
    pub high: f64,
}

impl Paired {
    /// Whether it is worse by more than a tolerance, with confidence: less is better.
    pub fn is_worse(&self, tolerance: f64) -> bool {
        self.low > 1.0 + tolerance
    }

    /// Whether it is better by more than a tolerance, with confidence.
    pub fn is_better(&self, tolerance: f64) -> bool {
        self.high * (1.0 + tolerance) < 1.0
    }

    /// The smallest rise that pairs with this scatter detect: 0.12 for 12 %.
    pub fn smallest_effect(&self, tolerance: f64) -> f64 {
        (1.0 + tolerance) * (self.ratio / self.low) - 1.0
    }
}

/// Which side runs first in each pair; `true` for the base. ABBA: a drift of the machine meets both sides alike.
pub fn interleaved(pairs: usize, seed: u64) -> Vec<bool> {
    (0..pairs).map(|pair| (pair % 2 == 0) == seed.is_multiple_of(2)).collect()
}
