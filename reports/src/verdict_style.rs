//! How reports show a verdict: order, colour, and whether a table has room for it.

use model::Verdict;

use crate::page::Ink;

/// All verdicts, the most urgent for a reader first.
pub(crate) fn most_urgent_first() -> Vec<Verdict> {
    let mut verdicts = Verdict::ALL.to_vec();
    verdicts.sort_by_key(|verdict| verdict.rank());
    verdicts
}

/// The symbols and colours of a verdict.
pub(crate) trait VerdictStyle {
    /// The smaller, the more urgent for a reader.
    fn rank(self) -> u8;

    /// Whether tables have a column for it only if a clause has it.
    fn rare(self) -> bool;

    /// Its colour.
    fn ink(self) -> Ink;
}

impl VerdictStyle for Verdict {
    fn rank(self) -> u8 {
        match self {
            Self::Failed => 0,
            Self::Flaky => 1,
            Self::Inconclusive => 2,
            Self::Warning => 3,
            Self::KnownFailure => 4,
            Self::NotSupported => 5,
            Self::Skipped => 6,
            Self::Passed => 7,
        }
    }

    fn rare(self) -> bool {
        matches!(self, Self::Warning | Self::NotSupported | Self::Flaky | Self::KnownFailure)
    }

    fn ink(self) -> Ink {
        match self {
            Self::Passed => Ink::Green,
            Self::Failed | Self::Flaky => Ink::Red,
            Self::Warning => Ink::Yellow,
            Self::NotSupported | Self::KnownFailure => Ink::Plain,
            Self::Inconclusive => Ink::Magenta,
            Self::Skipped => Ink::Dim,
        }
    }
}
