//! Judges a history by all rules.

use super::operation::History;
use super::rule::HistoryRule;
use super::search::{self, Searched};
use super::shrink;
use super::violation::Violation;
use super::write_order::WriteOrder;

/// Why a rule is not known to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The history breaks it.
    Broken(Box<Violation>),
    /// No violation is visible, but the history does not suffice.
    Undecided(String),
}

/// The result for a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryResult {
    /// At most one violation per rule.
    pub violations: Vec<Violation>,
    /// Why the history does not suffice for the rest, if it does not.
    pub undecided: Option<String>,
}

/// Judges a history by all rules.
pub fn judge(history: &History) -> HistoryResult {
    let write_order = WriteOrder::of(history);
    let violations: Vec<_> =
        HistoryRule::ALL.iter().filter_map(|rule| shrink::smallest(&write_order, *rule)).collect();
    let mut judged = HistoryResult { violations, undecided: None };
    if judged.violations.is_empty()
        && let Some(why) = write_order.vague()
    {
        judged.search(&write_order, &why);
    }
    judged
}

impl HistoryResult {
    /// Searches for an order, as the history does not give one.
    fn search(&mut self, write_order: &WriteOrder<'_>, why: &str) {
        match search::explain(write_order) {
            Searched::Explained => {}
            Searched::GivenUp => {
                self.undecided = Some(format!("{why}, and the search for an order was given up"));
            }
            Searched::Stuck(stuck) => self.violations.push(Violation {
                rule: HistoryRule::ReadsLinearizable,
                expected: "an order of the writes that explains all acknowledged writes and all reads"
                    .to_owned(),
                actual: "no order: one of these operations fits nowhere after the earlier ones".to_owned(),
                operations: stuck.into_iter().map(|one| write_order.history[one].clone()).collect(),
            }),
        }
    }

    /// Whether a rule holds.
    pub fn of(&self, rule: HistoryRule) -> Result<(), Doubt> {
        let broken = |rule| self.violations.iter().find(|violation| violation.rule == rule);
        if let Some(violation) = broken(rule) {
            return Err(Doubt::Broken(Box::new(violation.clone())));
        }
        if let Some(violation) = broken(HistoryRule::WritesOrdered) {
            let why = format!("the writes have no order to judge reads by: {}", violation.actual);
            return Err(Doubt::Undecided(why));
        }
        self.undecided.clone().map_or(Ok(()), |why| Err(Doubt::Undecided(why)))
    }
}
