//! The requirements of a history.

/// A requirement of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistoryRule {
    /// Versions have the order of the writes, and each write follows the state that it names.
    WritesOrdered,
    /// A read without resourceVersion returns the state of a moment between its call and its return.
    ReadsLinearizable,
    /// A read at version 0 returns a whole state that a write made.
    CachedReadsWhole,
    /// A list returns exactly the state at its version.
    ListsSnapshot,
    /// Every watcher receives the same changes, in the same order, without gaps.
    WatchersAgree,
    /// A refused write leaves no trace, and had a reason at its time.
    RefusalsWithoutTrace,
    /// Every write happens at most once and under its conditions, even if its response was lost.
    UnknownOutcomes,
}

impl HistoryRule {
    /// All rules. A violation of the first leaves the others undecided.
    pub const ALL: [Self; 7] = [
        Self::WritesOrdered,
        Self::ReadsLinearizable,
        Self::CachedReadsWhole,
        Self::ListsSnapshot,
        Self::WatchersAgree,
        Self::RefusalsWithoutTrace,
        Self::UnknownOutcomes,
    ];
}
