//! Scenarios that no fault fails: their pass proves nothing.

use harness::{ClauseId, ScenarioFinished};

use super::right::Right;
use super::row::{Fate, Row};

/// The scenarios that passed on the right server and that no fault of their clauses killed.
///
/// Without the scenarios that have an untried, hidden or surviving fault: the row of that fault reports it.
pub(super) fn idle(right: &Right, rows: &[Row]) -> Vec<String> {
    let row_of = |clause: &ClauseId| rows.iter().find(|row| row.case.fault.name == clause.as_str());
    let untried = |clause: &ClauseId| {
        row_of(clause).is_none() && reference::faults().any(|fault| fault.name == clause.as_str())
    };
    let is_idle = |one: &&ScenarioFinished| {
        let kills =
            |row: &Row| row.fate != Fate::Caught || row.kills().any(|kill| kill == one.scenario.as_str());
        !one.clauses.iter().any(untried) && !one.clauses.iter().filter_map(row_of).any(kills)
    };
    right.passed().filter(is_idle).map(|one| one.scenario.to_string()).collect()
}
