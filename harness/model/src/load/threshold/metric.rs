//! The metrics of thresholds, and their units.

use std::fmt;

use crate::load::key::DurationKind;

/// The measured value of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Metric {
    /// A statistic of the times of every series of a kind.
    Time(DurationKind, Statistic),
    /// The share of attempts that failed, of every series.
    Errors,
    /// The share of all attempts of the run that failed.
    Failed,
    /// Attempts per second.
    Rate,
    /// The share of expected deliveries that arrived.
    Delivered,
    /// Lost deliveries.
    Lost,
    /// Repeated deliveries.
    Repeated,
    /// Reordered deliveries.
    Reordered,
    /// Watches that the client did not end.
    Ended,
    /// The share of planned starts that were late.
    Late,
    /// The share of planned starts that were dropped.
    Dropped,
    /// The share of all processors that the generator used.
    GeneratorCpu,
    /// How much later than requested the generator's timers woke up.
    GeneratorLag(Statistic),
}

/// One number of a series of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// A percentile: 99.9 for `p99.9`.
    Percentile(f64),
    /// The greatest.
    Max,
}

/// The legal side of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

/// The unit of a metric's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Time,
    Share,
    Count,
    PerSecond,
}

impl Metric {
    /// Every metric with a name of one word.
    pub(super) const WORDS: [(&'static str, Self); 11] = [
        ("errors", Self::Errors),
        ("failed", Self::Failed),
        ("rate", Self::Rate),
        ("delivered", Self::Delivered),
        ("lost", Self::Lost),
        ("repeated", Self::Repeated),
        ("reordered", Self::Reordered),
        ("ended", Self::Ended),
        ("late", Self::Late),
        ("dropped", Self::Dropped),
        ("generator-cpu", Self::GeneratorCpu),
    ];

    /// The first word of a [`Metric::GeneratorLag`].
    pub(super) const GENERATOR_LAG: &'static str = "generator-lag";

    pub(super) fn unit(self) -> Unit {
        match self {
            Self::Time(..) | Self::GeneratorLag(_) => Unit::Time,
            Self::Errors
            | Self::Failed
            | Self::Delivered
            | Self::Late
            | Self::Dropped
            | Self::GeneratorCpu => Unit::Share,
            Self::Rate => Unit::PerSecond,
            Self::Lost | Self::Repeated | Self::Reordered | Self::Ended => Unit::Count,
        }
    }

    /// Whether a greater value is better.
    pub(super) fn wants_more(self) -> bool {
        matches!(self, Self::Rate | Self::Delivered)
    }

    /// Whether it has a value per series, not per run.
    pub(super) fn is_of_series(self) -> bool {
        matches!(self, Self::Time(..) | Self::Errors | Self::Rate)
    }

    /// Whether it is about the generator alone, not about the server.
    pub(super) fn is_of_generator(self) -> bool {
        matches!(self, Self::GeneratorCpu | Self::GeneratorLag(_))
    }

    /// Whether its value is worse if the generator stands still. A response that fails and a lost event are the server's.
    pub(super) fn needs_generator(self) -> bool {
        matches!(self, Self::Time(..) | Self::Errors | Self::Rate | Self::Ended | Self::Late | Self::Dropped)
    }

    /// The limit as the parser reads it.
    pub(super) fn write_limit(self, limit: f64) -> String {
        match self.unit() {
            Unit::Time if limit >= 1e6 && limit % 1e5 == 0.0 => format!("{}s", limit / 1e6),
            Unit::Time if limit >= 1e3 => format!("{}ms", limit / 1e3),
            Unit::Time => format!("{limit}us"),
            // 0.1 × 100 is not exact in floating point.
            Unit::Share => format!("{}%", (limit * 1e8).round() / 1e6),
            Unit::Count => limit.to_string(),
            Unit::PerSecond => format!("{limit}/s"),
        }
    }
}

impl Statistic {
    /// The quantile, from 0 to 1.
    pub fn quantile(self) -> f64 {
        match self {
            Self::Percentile(percent) => percent / 100.0,
            Self::Max => 1.0,
        }
    }
}

impl Comparison {
    /// Longer signs first: the parser takes the first match.
    pub(super) const SIGNS: [(&'static str, Self); 5] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Equal),
    ];

    pub(super) fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Less => value < limit,
            Self::AtMost => value <= limit,
            // The text of a limit has few digits.
            Self::Equal => (value - limit).abs() < 1e-9,
            Self::AtLeast => value >= limit,
            Self::More => value > limit,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(DurationKind::Latency, statistic) => return write!(f, "{statistic}"),
            Self::Time(kind, statistic) => return write!(f, "{kind} {statistic}"),
            Self::GeneratorLag(statistic) => return write!(f, "{} {statistic}", Self::GENERATOR_LAG),
            _ => {}
        }
        let word = Self::WORDS.iter().find(|(_, known)| known == self).map_or("", |(word, _)| word);
        f.write_str(word)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percentile(percent) => write!(f, "p{percent}"),
            Self::Max => f.write_str("max"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Self::SIGNS.iter().find(|(_, known)| known == self).map_or("", |(sign, _)| sign);
        f.write_str(sign)
    }
}
