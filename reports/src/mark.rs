//! What an outcome or a verdict is called once the level of its clause is taken into account.

use harness::{Counts, Level, Outcome, Verdict};

use crate::page::Ink;

/// One for each field of [`Counts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Upheld,
    Violated,
    Warned,
    NotOffered,
    Undetermined,
    Untested,
}

impl Mark {
    pub(crate) const ALL: [Self; 6] =
        [Self::Upheld, Self::Violated, Self::Warned, Self::NotOffered, Self::Undetermined, Self::Untested];

    /// Of a clause.
    pub(crate) fn of_verdict(verdict: &Verdict, level: Level) -> Self {
        match verdict {
            Verdict::Upheld => Self::Upheld,
            Verdict::Violated => Self::of_failure(level),
            Verdict::Undetermined => Self::Undetermined,
            Verdict::Untested { .. } => Self::Untested,
        }
    }

    /// Of a scenario whose strongest clause has this level.
    pub(crate) fn of_outcome(outcome: &Outcome, level: Level) -> Self {
        match outcome {
            Outcome::Passed => Self::Upheld,
            Outcome::Failed { .. } => Self::of_failure(level),
            Outcome::Errored { .. } => Self::Undetermined,
            Outcome::Skipped { .. } => Self::Untested,
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
        self == Self::Violated || (strict && self == Self::Warned)
    }

    /// The word for readers.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Violated => "violated",
            Self::Warned => "warned",
            Self::NotOffered => "not offered",
            Self::Undetermined => "undetermined",
            Self::Untested => "untested",
        }
    }

    /// The colour that goes with it.
    pub(crate) fn ink(self) -> Ink {
        match self {
            Self::Upheld => Ink::Green,
            Self::Violated => Ink::Red,
            Self::Warned => Ink::Yellow,
            Self::NotOffered => Ink::Plain,
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
            Self::Undetermined => counts.undetermined,
            Self::Untested => counts.untested,
        }
    }
}
