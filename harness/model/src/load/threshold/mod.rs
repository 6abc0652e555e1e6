//! What a run must not exceed: `p99<500ms for LIST configmaps`, `errors<1%`, `delivered=100%`.
//!
//! A [`Threshold`] is one such sentence, a [`Preset`] a table of them that others have agreed on, and [`judge`] says
//! what became of each in a run.

mod judge;
mod metric;
mod parse;
mod preset;
mod selector;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use judge::{Judged, Observed, ThresholdVerdict, judge};
pub use metric::{Comparison, Metric, Statistic};
pub use parse::NotAThreshold;
pub use preset::Preset;
pub use selector::{Selector, Verbs};

/// A measure, a limit, and what they are about. It is written and read as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Threshold {
    /// What is looked at.
    pub metric: Metric,
    /// On which side of the limit it has to stay.
    pub comparison: Comparison,
    /// The limit, in the metric's own unit: microseconds, a share of 1, a count, or so many a second.
    pub limit: f64,
    /// Whose.
    pub selector: Selector,
}

impl Threshold {
    /// Whether a value in the metric's own unit keeps it.
    pub fn keeps(&self, value: f64) -> bool {
        self.comparison.holds(value, self.limit)
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.metric, self.comparison, self.metric.write_limit(self.limit))?;
        if self.selector == Selector::default() { Ok(()) } else { write!(f, " for {}", self.selector) }
    }
}

impl From<Threshold> for String {
    fn from(threshold: Threshold) -> Self {
        threshold.to_string()
    }
}

impl TryFrom<String> for Threshold {
    type Error = NotAThreshold;

    fn try_from(text: String) -> Result<Self, NotAThreshold> {
        text.parse()
    }
}
