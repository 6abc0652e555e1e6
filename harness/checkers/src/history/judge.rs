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
    /// It is broken.
    Broken(Box<Violation>),
    /// Nothing is wrong as far as can be seen, but that is not far enough.
    Undecided(String),
}

/// What is to be said of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What is broken, at most one violation for each rule.
    pub violations: Vec<Violation>,
    /// Why the rest cannot be decided, if it cannot.
    pub undecided: Option<String>,
}

/// Judges a history by all rules.
pub fn judge(history: &History) -> Judged {
    let write_order = WriteOrder::of(history);
    let violations: Vec<_> =
        HistoryRule::ALL.iter().filter_map(|rule| shrink::smallest(&write_order, *rule)).collect();
    let mut judged = Judged { violations, undecided: None };
    if judged.violations.is_empty()
        && let Some(why) = write_order.vague()
    {
        judged.search(&write_order, &why);
    }
    judged
}

impl Judged {
    /// Decides what is vague by a search.
    fn search(&mut self, write_order: &WriteOrder<'_>, why: &str) {
        match search::explain(write_order) {
            Searched::Explained => {}
            Searched::GivenUp => {
                self.undecided = Some(format!("{why}, and the search for an order was given up"));
            }
            Searched::Stuck(stuck) => self.violations.push(Violation {
                rule: HistoryRule::ReadsLinearizable,
                expected: "an order of the writes that explains what was acknowledged and read".to_owned(),
                actual: "there is none: one of these cannot be put into any order with what came before"
                    .to_owned(),
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
            let why = format!("the writes have no order that reads could be judged by: {}", violation.actual);
            return Err(Doubt::Undecided(why));
        }
        self.undecided.clone().map_or(Ok(()), |why| Err(Doubt::Undecided(why)))
    }
}
