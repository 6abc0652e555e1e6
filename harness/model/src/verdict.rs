//! Verdicts on clauses: one type and one fold, for the run and for every report.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::clause::Level;
use crate::outcome::Outcome;

/// The reason for a skipped clause in scope without a scenario.
pub const NO_SCENARIO: &str = "no scenario yet";

/// The reason for a skipped clause that no request can test.
pub(crate) const NOT_OBSERVABLE: &str = "cannot be observed over the API";

/// The verdict on a clause, or on a scenario, with the level of the clause applied. The greater, the graver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No scenario ran.
    Skipped,
    /// At least one scenario passed, and nothing graver happened.
    Passed,
    /// The list of known failures names every scenario that failed.
    KnownFailure,
    /// At least one scenario ended in a test error.
    Inconclusive,
    /// The server fails a `may` clause: it does not support the feature.
    NotSupported,
    /// The server fails a `should` clause.
    Warning,
    /// The repetitions of a scenario differ. Graver than every verdict that fails no run: these must not hide it.
    Flaky,
    /// The server fails a `must` clause.
    Failed,
}

impl Verdict {
    /// All, in the order of tables.
    pub const ALL: [Self; 8] = [
        Self::Passed,
        Self::Failed,
        Self::Warning,
        Self::NotSupported,
        Self::Flaky,
        Self::KnownFailure,
        Self::Inconclusive,
        Self::Skipped,
    ];

    /// The verdict on one outcome, of a scenario that was neither repeated nor known to fail.
    pub fn of(outcome: &Outcome, level: Level) -> Self {
        match (outcome, level) {
            (Outcome::Passed, _) => Self::Passed,
            (Outcome::Skipped { .. }, _) => Self::Skipped,
            (Outcome::Errored { .. }, _) => Self::Inconclusive,
            (Outcome::Failed { .. }, Level::Must) => Self::Failed,
            (Outcome::Failed { .. }, Level::Should) => Self::Warning,
            (Outcome::Failed { .. }, Level::May) => Self::NotSupported,
        }
    }

    /// The gravest verdict; skipped if there is none.
    pub fn fold(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Skipped)
    }

    /// Whether it fails the run; in a strict run a warning does too.
    pub fn fails(self, strict: bool) -> bool {
        matches!(self, Self::Failed | Self::Flaky) || (strict && self == Self::Warning)
    }

    /// Its name in reports for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Warning => "warning",
            Self::NotSupported => "not supported",
            Self::Flaky => "flaky",
            Self::KnownFailure => "known failure",
            Self::Inconclusive => "inconclusive",
            Self::Skipped => "skipped",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The number of clauses with each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Clauses that passed.
    pub passed: usize,
    /// `must` clauses that failed.
    pub failed: usize,
    /// `should` clauses that failed.
    pub warning: usize,
    /// `may` clauses that failed.
    pub not_supported: usize,
    /// Flaky clauses of any level.
    pub flaky: usize,
    /// Clauses of any level with known failures only.
    pub known_failure: usize,
    /// Inconclusive clauses.
    pub inconclusive: usize,
    /// Skipped clauses.
    pub skipped: usize,
}

impl Counts {
    /// Counts one more clause.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Failed => &mut self.failed,
            Verdict::Warning => &mut self.warning,
            Verdict::NotSupported => &mut self.not_supported,
            Verdict::Flaky => &mut self.flaky,
            Verdict::KnownFailure => &mut self.known_failure,
            Verdict::Inconclusive => &mut self.inconclusive,
            Verdict::Skipped => &mut self.skipped,
        } += 1;
    }

    /// The number of clauses with a verdict.
    pub fn of(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Passed => self.passed,
            Verdict::Failed => self.failed,
            Verdict::Warning => self.warning,
            Verdict::NotSupported => self.not_supported,
            Verdict::Flaky => self.flaky,
            Verdict::KnownFailure => self.known_failure,
            Verdict::Inconclusive => self.inconclusive,
            Verdict::Skipped => self.skipped,
        }
    }

    /// The number of all clauses.
    pub fn total(&self) -> usize {
        Verdict::ALL.into_iter().map(|verdict| self.of(verdict)).sum()
    }
}

impl FromIterator<Verdict> for Counts {
    fn from_iter<T: IntoIterator<Item = Verdict>>(verdicts: T) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            counts.add(verdict);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Failure, TestError};

    #[test]
    fn the_gravest_verdict_decides_in_any_order() {
        let by_gravity = |failure| {
            [
                Verdict::Skipped,
                Verdict::Passed,
                Verdict::KnownFailure,
                Verdict::Inconclusive,
                Verdict::min(failure, Verdict::Flaky),
                Verdict::max(failure, Verdict::Flaky),
            ]
        };
        for verdicts in [Verdict::Failed, Verdict::Warning, Verdict::NotSupported].map(by_gravity) {
            for (at, gravest) in verdicts.iter().enumerate() {
                let so_far = &verdicts[..=at];
                assert_eq!(Verdict::fold(so_far.iter().copied()), *gravest);
                assert_eq!(Verdict::fold(so_far.iter().rev().copied()), *gravest);
            }
        }
        assert!(Verdict::Failed > Verdict::Flaky && Verdict::Flaky > Verdict::Warning);
        assert_eq!(Verdict::fold([]), Verdict::Skipped);
    }

    #[test]
    fn the_level_decides_about_a_failure_and_about_nothing_else() {
        let failed = Outcome::Failed {
            failure: Failure { expected: String::new(), actual: String::new(), exchange: None },
        };
        let on_levels = |outcome: &Outcome| Level::ALL.map(|level| Verdict::of(outcome, level));
        assert_eq!(on_levels(&failed), [Verdict::Failed, Verdict::Warning, Verdict::NotSupported]);
        let errored = Outcome::Errored { test_error: TestError::new("a", "b") };
        assert_eq!(on_levels(&errored), [Verdict::Inconclusive; 3]);
        assert_eq!(on_levels(&Outcome::Passed), [Verdict::Passed; 3]);
        assert_eq!(on_levels(&Outcome::Skipped { reason: String::new() }), [Verdict::Skipped; 3]);
    }

    #[test]
    fn every_verdict_is_counted_once() {
        let counts: Counts = Verdict::ALL.into_iter().collect();
        assert_eq!(Verdict::ALL.map(|verdict| counts.of(verdict)), [1; 8]);
        assert_eq!(counts.total(), 8);
    }

    #[test]
    fn json_has_the_words_with_underscores() {
        for verdict in Verdict::ALL {
            let json = serde_json::to_value(verdict).unwrap();
            assert_eq!(json, verdict.word().replace(' ', "_"));
        }
    }
}
