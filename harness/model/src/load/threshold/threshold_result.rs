//! A threshold and its verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::expression::Threshold;
use super::metric::Unit;
use crate::load::key::SeriesKey;
use crate::load::quantile::{micros_text, share_text};

/// A threshold, the observed value and the verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThresholdResult {
    /// The threshold.
    pub threshold: Threshold,
    /// The name of the preset or SLO file that it belongs to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Whether a run without a value for it is inconclusive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// The verdict.
    pub verdict: ThresholdVerdict,
    /// The value of the worst series; `None` if the run has no value for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    /// The series of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<SeriesKey>,
}

/// The verdict on a threshold, or on all thresholds of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdVerdict {
    /// The run has no value for it; of a run: no threshold was judged.
    NotJudged,
    /// The value keeps the limit.
    Met,
    /// Too many unfinished attempts to decide, or a partial run that keeps the limit.
    Inconclusive,
    /// The value breaks the limit.
    Missed,
}

/// An observed value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// In the metric's unit: microseconds, a share of 1, a count, or a rate per second.
    pub value: f64,
    /// Whether it is a lower bound: `> x`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

impl ThresholdVerdict {
    /// Its name for readers.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotJudged => "not judged",
            Self::Met => "met",
            Self::Inconclusive => "inconclusive",
            Self::Missed => "missed",
        }
    }
}

impl ThresholdResult {
    /// Whether it lacks a value that it needs. Files of earlier versions do not mark a threshold of the command line.
    pub fn lacks_value(&self) -> bool {
        self.verdict == ThresholdVerdict::NotJudged && (self.required || self.preset.is_none())
    }

    /// The observed value as text: `> 742 ms`, `0.3 %`, `1,204/s`.
    pub fn observed_text(&self) -> String {
        let Some(Observed { value, open }) = self.observed else { return "nothing".to_owned() };
        let text = match self.threshold.metric.unit() {
            Unit::Time => micros_text(value),
            Unit::Share => share_text(value),
            Unit::Count => format!("{value:.0}"),
            Unit::PerSecond => format!("{value:.1}/s"),
        };
        if open { format!("> {text}") } else { text }
    }
}

impl fmt::Display for ThresholdResult {
    /// `missed: p99<500ms for LIST configmaps, was 742 ms (LIST configmaps namespace latency)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, was {}", self.verdict.word(), self.threshold, self.observed_text())?;
        self.about.as_ref().map_or(Ok(()), |about| write!(f, " ({about})"))
    }
}
