//! Ranges of costs and sizes, which never overflow.

use std::ops::Add;

/// The least and the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) min: u64,
    pub(super) max: u64,
}

impl Range {
    pub(super) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };
    /// The start of a union.
    pub(super) const NONE: Self = Self { min: u64::MAX, max: 0 };

    pub(super) const fn fixed(value: u64) -> Self {
        Self { min: value, max: value }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// The range times a part, rounded up.
    pub(super) fn factor(self, part: f64) -> Self {
        Self { min: factor(self.min, part), max: factor(self.max, part) }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

impl Add for Range {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }
}

/// A number times a part, rounded up.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "kube-apiserver calculates with doubles, and the cast saturates"
)]
pub(super) fn factor(number: u64, part: f64) -> u64 {
    (number as f64 * part).ceil() as u64
}
