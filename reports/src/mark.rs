//! What an outcome or a verdict is called once the level of its clause is taken into account.

use harness::{Counts, Level, Verdict};

use crate::page::Ink;

/// One for each field of [`Counts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Upheld,
    Violated,
    Warned,
    NotOffered,
    Flaky,
    Known,
    Undetermined,
    Untested,
}

impl Mark {
    pub(crate) const ALL: [Self; 8] = [
        Self::Upheld,
        Self::Violated,
        Self::Warned,
        Self::NotOffered,
        Self::Flaky,
        Self::Known,
        Self::Undetermined,
        Self::Untested,
    ];

    /// All, what calls for a reader first.
    pub(crate) fn gravest_first() -> Vec<Self> {
        let mut marks = Self::ALL.to_vec();
        marks.sort_by_key(|mark| mark.rank());
        marks
    }

    /// The smaller, the more it calls for a reader.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Violated => 0,
            Self::Flaky => 1,
            Self::Undetermined => 2,
            Self::Warned => 3,
            Self::Known => 4,
            Self::NotOffered => 5,
            Self::Untested => 6,
            Self::Upheld => 7,
        }
    }

    /// Of a clause, or of a scenario whose strongest clause has this level.
    pub(crate) fn of_verdict(verdict: &Verdict, level: Level) -> Self {
        match verdict {
            Verdict::Upheld => Self::Upheld,
            Verdict::Violated => Self::of_failure(level),
            Verdict::Flaky => Self::Flaky,
            Verdict::Known { .. } => Self::Known,
            Verdict::Undetermined => Self::Undetermined,
            Verdict::Untested { .. } => Self::Untested,
        }
    }

    fn of_failure(level: Level) -> Self {
        match level {
            Level::Must => Self::Violated,
            Level::Should => Self::Warned,
            Level::May => Self::NotOffered,
        }
    }

    /// Whether it fails the run.
    pub(crate) fn fails(self, strict: bool) -> bool {
        matches!(self, Self::Violated | Self::Flaky) || (strict && self == Self::Warned)
    }

    /// Whether tables show it only where there is any.
    pub(crate) fn rare(self) -> bool {
        matches!(self, Self::Warned | Self::NotOffered | Self::Flaky | Self::Known)
    }

    /// The word for readers.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Violated => "violated",
            Self::Warned => "warned",
            Self::NotOffered => "not offered",
            Self::Flaky => "flaky",
            Self::Known => "known",
            Self::Undetermined => "undetermined",
            Self::Untested => "untested",
        }
    }

    /// The colour that goes with it.
    pub(crate) fn ink(self) -> Ink {
        match self {
            Self::Upheld => Ink::Green,
            Self::Violated | Self::Flaky => Ink::Red,
            Self::Warned => Ink::Yellow,
            Self::NotOffered | Self::Known => Ink::Plain,
            Self::Undetermined => Ink::Magenta,
            Self::Untested => Ink::Dim,
        }
    }

    /// How many clauses have it.
    pub(crate) fn count(self, counts: &Counts) -> usize {
        match self {
            Self::Upheld => counts.upheld,
            Self::Violated => counts.violated,
            Self::Warned => counts.warned,
            Self::NotOffered => counts.not_offered,
            Self::Flaky => counts.flaky,
            Self::Known => counts.known,
            Self::Undetermined => counts.undetermined,
            Self::Untested => counts.untested,
        }
    }
}
