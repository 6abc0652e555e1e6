//! A quantile of values, some of which are only lower bounds.

use std::fmt;

/// The bounds of a quantile, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// The lower bound.
    pub at_least: u64,
    /// The upper bound; `None` if its rank falls among the unfinished attempts.
    pub at_most: Option<u64>,
}

/// Bounds closer than this part of the value count as one number.
const SAME: u64 = 100;

impl Quantile {
    /// An exact value.
    pub fn exactly(micros: u64) -> Self {
        Self { at_least: micros, at_most: Some(micros) }
    }

    /// The upper bound, if it exceeds the lower one by at most 1 %.
    pub fn value(self) -> Option<u64> {
        self.at_most.filter(|most| most - self.at_least.min(*most) <= self.at_least / SAME)
    }

    /// Whether only the lower bound is known: printed as `> x`.
    pub fn is_open(self) -> bool {
        self.value().is_none()
    }

    /// The value, or its lower bound.
    pub fn micros(self) -> u64 {
        self.value().unwrap_or(self.at_least)
    }
}

impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "it is printed with three digits")]
        let text = micros_text(self.micros() as f64);
        f.pad(&if self.is_open() { format!("> {text}") } else { text })
    }
}

/// Microseconds with three digits, in a suitable unit: `193 ms`, `1.25 s`, `847 µs`.
pub fn micros_text(micros: f64) -> String {
    let (value, unit) = match micros {
        micros if micros < 999.5 => return format!("{micros:.0} µs"),
        micros if micros < 999_500.0 => (micros / 1e3, "ms"),
        micros => (micros / 1e6, "s"),
    };
    match value {
        value if value < 9.995 => format!("{value:.2} {unit}"),
        value if value < 99.95 => format!("{value:.1} {unit}"),
        value => format!("{value:.0} {unit}"),
    }
}

/// A share of 1 in percent: a share below 1 never reads as 100, and one above 0 never as 0.
pub fn share_text(share: f64) -> String {
    let percent = share.clamp(0.0, 1.0) * 100.0;
    let digits = if percent > 0.0 && percent < 100.0 && !(0.01..=99.99).contains(&percent) { 4 } else { 2 };
    let scale = 10f64.powi(digits);
    // Adding 0 turns a negative zero into a positive one.
    let cut = match percent {
        percent if percent < 50.0 => (percent * scale - 1e-6).ceil() + 0.0,
        percent => (percent * scale + 1e-6).floor(),
    };
    format!("{} %", cut / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (micros, text) in [
            (0.0, "0 µs"),
            (847.0, "847 µs"),
            (999.7, "1.00 ms"),
            (1_234.0, "1.23 ms"),
            (9_996.0, "10.0 ms"),
            (193_400.0, "193 ms"),
            (999_600.0, "1.00 s"),
            (61_000_000.0, "61.0 s"),
            (3_600_000_000.0, "3600 s"),
        ] {
            assert_eq!(micros_text(micros), text);
        }
    }

    #[test]
    fn shares_are_rounded_towards_one_half() {
        for (share, text) in [
            (0.0, "0 %"),
            (1.0, "100 %"),
            (0.01, "1 %"),
            (1.0 / 3.0, "33.34 %"),
            (0.924_997, "92.49 %"),
            (0.999_999, "99.9999 %"),
            (0.000_001, "0.0001 %"),
        ] {
            assert_eq!(share_text(share), text);
        }
    }

    #[test]
    fn an_open_quantile_is_marked() {
        assert_eq!(Quantile::exactly(1_500).to_string(), "1.50 ms");
        assert_eq!(Quantile { at_least: 1_500, at_most: None }.to_string(), "> 1.50 ms");
        assert_eq!(Quantile { at_least: 1_000_000, at_most: Some(1_005_000) }.to_string(), "1.00 s");
        assert_eq!(Quantile { at_least: 1_000_000, at_most: Some(2_000_000) }.to_string(), "> 1.00 s");
    }
}
