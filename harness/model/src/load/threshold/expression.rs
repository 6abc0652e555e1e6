//! One threshold: a measure, a limit, and what they are about.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::metric::{Comparison, Metric};
use super::selector::Selector;

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
