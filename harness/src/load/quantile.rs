//! A quantile of values of which some are only known to be at least so much.

/// What is known of a quantile, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// It is not less than this.
    pub at_least: u64,
    /// Nor more than this; `None` if its rank falls among what had not come to an end.
    pub at_most: Option<u64>,
}

/// Bounds that are closer than this part of the value are as good as one number.
const SAME: u64 = 100;

impl Quantile {
    /// A value without doubt.
    pub fn exactly(micros: u64) -> Self {
        Self { at_least: micros, at_most: Some(micros) }
    }

    /// The value, if what is unknown moves it by less than 1 %; the greater bound, to be fair to nobody.
    pub fn value(self) -> Option<u64> {
        self.at_most.filter(|most| most - self.at_least.min(*most) <= self.at_least / SAME)
    }

    /// Whether only a lower bound can be given: to be shown as `> x`.
    pub fn is_open(self) -> bool {
        self.value().is_none()
    }

    /// The value, or else its lower bound.
    pub fn micros(self) -> u64 {
        self.value().unwrap_or(self.at_least)
    }
}
