//! Rules that EVERY exchange must keep, whatever its scenario asks.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::clause::ClauseId;
use crate::exchange::{Exchange, Transcript};
use crate::outcome::{Failure, Outcome};

/// What a rule says of one exchange: nothing if it does not apply, else whether it is kept.
pub type Judge = fn(&Exchange) -> Option<Result<(), Breach>>;

/// How an exchange breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// What was legal.
    pub expected: String,
    /// What came.
    pub actual: String,
}

/// A clause that is judged on every exchange of the run.
#[derive(Debug, Clone, Copy)]
pub struct Ambient {
    /// Its clause.
    pub clause: &'static str,
    /// Its rule.
    pub judge: Judge,
}

/// Looks at every exchange of a run and remembers the first breach of each rule.
#[derive(Debug, Default)]
pub struct Watchdog {
    rules: Vec<Ambient>,
    seen: Mutex<BTreeMap<&'static str, Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    exchanges: usize,
    breach: Option<(Breach, Transcript)>,
}

/// What a rule came to over the whole run.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its clause.
    pub clause: ClauseId,
    /// What came of it.
    pub outcome: Outcome,
    /// To how many exchanges it applied.
    pub exchanges: usize,
    /// The exchange that breaks it.
    pub evidence: Vec<Transcript>,
}

impl Watchdog {
    /// Watches for these rules.
    pub fn new(rules: Vec<Ambient>) -> Self {
        Self { rules, seen: Mutex::default() }
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// Judges an exchange by every rule.
    pub fn look(&self, exchange: &Exchange, address: &str) {
        for rule in &self.rules {
            let Some(kept) = (rule.judge)(exchange) else { continue };
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = seen.entry(rule.clause).or_default();
            seen.exchanges += 1;
            if let (Err(breach), None) = (kept, &seen.breach) {
                seen.breach = Some((breach, exchange.transcript(address)));
            }
        }
    }

    /// What every rule came to.
    pub fn findings(&self) -> Vec<Finding> {
        let mut seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        self.rules
            .iter()
            .map(|rule| finding(rule.clause, seen.remove(rule.clause).unwrap_or_default()))
            .collect()
    }
}

fn finding(clause: &str, seen: Seen) -> Finding {
    let exchanges = seen.exchanges;
    let (outcome, evidence) = match seen.breach {
        Some((Breach { expected, actual }, transcript)) => {
            (Outcome::Failed { failure: Failure { expected, actual, exchange: Some(0) } }, vec![transcript])
        }
        None if exchanges > 0 => (Outcome::Passed, Vec::new()),
        None => (Outcome::Skipped { reason: "no exchange of this run shows it".to_owned() }, Vec::new()),
    };
    Finding { clause: clause.into(), outcome, exchanges, evidence }
}
