//! What breaks a rule, with the operations that show it.

use std::fmt;

use super::operation::Operation;
use super::rule::HistoryRule;
use super::timeline::timeline;

/// What breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: HistoryRule,
    /// What a right server would have shown.
    pub expected: String,
    /// What was shown.
    pub actual: String,
    /// The few operations that show it, by the time when they were called: without any of them nothing is wrong.
    pub operations: Vec<Operation>,
}

impl fmt::Display for Violation {
    /// What is wrong, and the timeline that shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n{}", self.actual, timeline(&self.operations))
    }
}
