//! A row of the mutation matrix: what the scenarios did in the face of one fault.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use harness::{Outcome, Tally};

use super::case::Case;
use super::right::{Right, describe};

/// What scenarios did, by their ids.
pub(super) type Cells = BTreeMap<String, Outcome>;

/// One fault, and what became of it.
#[derive(Debug)]
pub struct Row {
    pub(super) case: Case,
    /// What became of it.
    pub fate: Fate,
    /// The scenarios of its clauses.
    pub(super) own: Cells,
    /// Some of others.
    pub(super) sample: Cells,
    /// How often its own scenarios ran.
    pub(super) plays: u64,
    pub(super) took: Duration,
}

/// What became of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A scenario of its clauses failed.
    Caught,
    /// None did.
    Survived,
    /// This server skips the scenarios of its clauses, with a fault or without.
    NotApplicable,
    /// Before this server it changes nothing, and why.
    CannotBeShown(String),
}

impl Fate {
    /// All names, in the order of a table's columns.
    pub(super) const NAMES: [&'static str; 4] = ["caught", "surviving", "skipped", "cannot be shown"];

    /// Its place among [`Fate::NAMES`].
    pub(super) fn column(&self) -> usize {
        match self {
            Self::Caught => 0,
            Self::Survived => 1,
            Self::NotApplicable => 2,
            Self::CannotBeShown(_) => 3,
        }
    }

    /// The fate by the results of the scenarios; `hidden` is the reason why the fault may be invisible.
    pub(super) fn of(own: &Cells, right: &Right, hidden: Option<String>) -> Self {
        let unasked = |(scenario, outcome): (&String, &Outcome)| {
            matches!(outcome, Outcome::Skipped { .. }) && !right.passes(scenario)
        };
        match hidden {
            _ if own.values().any(is_kill) => Self::Caught,
            _ if own.iter().all(unasked) => Self::NotApplicable,
            Some(why) => Self::CannotBeShown(why),
            None => Self::Survived,
        }
    }
}

/// Whether a scenario found the server wrong.
pub(super) fn is_kill(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { .. })
}

/// Whether another play may show more.
pub(super) fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Errored { .. })
}

/// Adds a play to those before: what was killed once is killed.
pub(super) fn add(cells: &mut Cells, tally: &Tally) {
    for one in tally.scenarios() {
        let cell = cells.entry(one.scenario.to_string()).or_insert(Outcome::Passed);
        if !is_kill(cell) {
            cell.clone_from(&one.outcome);
        }
    }
}

impl Row {
    /// The scenarios of its clauses that failed.
    pub(super) fn kills(&self) -> impl Iterator<Item = &str> {
        self.own.iter().filter(|(_, outcome)| is_kill(outcome)).map(|(scenario, _)| scenario.as_str())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, fate, .. } = self;
        let (name, took) = (case.fault.name, self.took.as_secs_f64());
        match fate {
            Fate::Caught => write!(f, "{name}: caught after {took:.1} s")?,
            Fate::Survived => write!(f, "{name}: SURVIVES ({})", case.fault.what)?,
            Fate::NotApplicable => write!(f, "{name}: skipped")?,
            Fate::CannotBeShown(why) => write!(f, "{name}: cannot be shown: {why}")?,
        }
        let mut others = self.own.iter().filter(|(_, outcome)| !is_kill(outcome));
        others.try_for_each(|(scenario, outcome)| write!(f, "\n  {scenario} {}", describe(outcome)))
    }
}
