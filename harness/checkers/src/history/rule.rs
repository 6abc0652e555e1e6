//! What must hold of a history.

/// What must hold of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistoryRule {
    /// Writes have versions in the order in which they happened, and each follows the state that it names.
    WritesOrdered,
    /// A read without resourceVersion shows what was there at some moment while it was under way.
    ReadsLinearizable,
    /// A read at version 0 shows a state that a write made, wholly.
    CachedReadsWhole,
    /// A list shows exactly what there was at its version.
    ListsSnapshot,
    /// Every watcher receives the same changes, in the same order, and of all of them.
    WatchersAgree,
    /// A refused write leaves no trace, and had a reason when it was refused.
    RefusalsWithoutTrace,
    /// Every write happens at most once, and under its conditions, also one whose response was lost.
    UnknownOutcomes,
}

impl HistoryRule {
    /// All rules. What does not hold of the first makes the others undecided.
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
