//! The finding of one check.

use super::rule::HistoryRule;

/// A broken rule: the operations (by index) that show it, expected and actual.
#[derive(Debug, Clone)]
pub(super) struct HistoryFinding {
    pub(super) rule: HistoryRule,
    pub(super) operations: Vec<usize>,
    pub(super) expected: String,
    pub(super) actual: String,
}

impl HistoryFinding {
    pub(super) fn new(
        rule: HistoryRule,
        operations: impl IntoIterator<Item = usize>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        let mut operations: Vec<_> = operations.into_iter().collect();
        operations.sort_unstable();
        operations.dedup();
        Self { rule, operations, expected: expected.into(), actual: actual.into() }
    }
}

/// The operations that count. The others contribute the order and the states of the objects only.
pub(super) struct Kept(Vec<bool>);

impl Kept {
    pub(super) fn all(count: usize) -> Self {
        Self(vec![true; count])
    }

    pub(super) fn only(count: usize, operations: &[usize]) -> Self {
        let mut kept = vec![false; count];
        for operation in operations {
            kept[*operation] = true;
        }
        Self(kept)
    }

    pub(super) fn has(&self, operation: usize) -> bool {
        self.0[operation]
    }
}
