//! Violations: a broken rule, and the operations that show it.

use std::fmt;

use super::operation::Operation;
use super::rule::HistoryRule;
use super::timeline::timeline;

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: HistoryRule,
    /// The behaviour of a right server.
    pub expected: String,
    /// The behaviour of this server.
    pub actual: String,
    /// The few operations that show it, in the order of their calls: without any one no violation is left.
    pub operations: Vec<Operation>,
}

impl fmt::Display for Violation {
    /// The finding, and the timeline of its operations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n{}", self.actual, timeline(&self.operations))
    }
}
