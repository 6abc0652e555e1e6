//! One threshold: a metric, a limit, and a selector.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::metric::{Comparison, Metric};
use super::selector::Selector;

/// A metric, a limit, and a selector. In files it is one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Threshold {
    /// The measured value.
    pub metric: Metric,
    /// The legal side of the limit.
    pub comparison: Comparison,
    /// The limit, in the metric's unit: microseconds, a share of 1, a count, or a rate per second.
    pub limit: f64,
    /// The series that it applies to.
    pub selector: Selector,
}

impl Threshold {
    /// Whether a value in the metric's unit keeps it.
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
