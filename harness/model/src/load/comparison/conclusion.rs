//! The conclusion of several pairs of runs.

use super::needed_pairs::{Needed, needed};
use super::several::{Finding, PairedChange};

/// Whether the new server is worse than the base by more than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedConclusion {
    /// How many numbers are worse.
    Worse(usize),
    /// No number is worse.
    NotWorse,
    /// The generator was the bottleneck of a run.
    Doubtful,
    /// The pairs do not decide.
    Inconclusive {
        /// How many numbers scatter too much.
        unclear: usize,
        /// How many numbers have no value in some pair.
        unknown: usize,
        /// The estimate of what would decide the unclear numbers; `None` if no reasonable number of pairs would.
        needed: Option<Needed>,
    },
}

/// The conclusion for a limit, such as 0.1 for 10 %: not worse only if every number is surely not worse.
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
