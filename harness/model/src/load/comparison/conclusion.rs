//! What several pairs of runs come to as a whole.

use super::needed_pairs::{Needed, needed};
use super::several::{Finding, PairedChange};

/// Whether the new server is worse than the base by more than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedConclusion {
    /// So many numbers are worse.
    Worse(usize),
    /// No number is worse.
    NotWorse,
    /// The generator was the bottleneck of a run.
    Doubtful,
    /// It cannot be told.
    Inconclusive {
        /// So many numbers scatter too much.
        unclear: usize,
        /// So many numbers have no value in some pair.
        unknown: usize,
        /// What would tell of the unclear numbers, estimated; `None` if no reasonable number of pairs would.
        needed: Option<Needed>,
    },
}

/// The conclusion for a limit, such as 0.1 for 10 %: not worse only if that is sure of every number.
pub fn conclude(changes: &[PairedChange], limit: f64, unreliable: bool) -> PairedConclusion {
    let count = |finding: Finding| changes.iter().filter(|change| change.finding(limit) == finding).count();
    let (unclear, unknown) = (count(Finding::Unclear), count(Finding::Unknown));
    match count(Finding::Worse) {
        0 if unreliable => PairedConclusion::Doubtful,
        0 if unclear + unknown > 0 || changes.is_empty() => {
            PairedConclusion::Inconclusive { unclear, unknown, needed: needed(changes, limit) }
        }
        0 => PairedConclusion::NotWorse,
        worse => PairedConclusion::Worse(worse),
    }
}
