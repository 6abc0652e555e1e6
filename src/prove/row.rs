//! A row of the mutation matrix: the results of the scenarios for one fault.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use harness::{Outcome, Tally};

use super::case::Case;
use super::right::{Right, describe};

/// The outcomes of scenarios, by id.
pub(super) type Cells = BTreeMap<String, Outcome>;

/// One fault and its fate.
#[derive(Debug)]
pub struct Row {
    pub(super) case: Case,
    /// The fate of the fault.
    pub fate: Fate,
    /// The outcomes of the scenarios of its clauses.
    pub(super) own: Cells,
    /// The outcomes of some other scenarios.
    pub(super) sample: Cells,
    /// The number of runs of its own scenarios.
    pub(super) plays: u64,
    pub(super) took: Duration,
}

/// The fate of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A scenario of its clauses failed.
    Caught,
    /// No scenario of its clauses failed.
    Survived,
    /// The server skips the scenarios of its clauses, with and without the fault.
    NotApplicable,
    /// The fault changes nothing in front of this server, for this reason.
    CannotBeShown(String),
}

impl Fate {
    /// All names, in the order of a table's columns.
    pub(super) const NAMES: [&'static str; 4] = ["caught", "surviving", "skipped", "cannot be shown"];

    /// Its index in [`Fate::NAMES`].
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

/// Whether a scenario failed.
pub(super) fn is_kill(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { .. })
}

/// Whether another play may show more.
pub(super) fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Errored { .. })
}

/// Adds another play. A scenario that failed once counts as failed.
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
