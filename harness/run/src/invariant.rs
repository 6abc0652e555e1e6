//! Invariant checks: rules that every exchange and every stream must keep.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use checkers::stream::{self, Findings, FollowedStream, WriteLog};
pub use model::{Breach, CheckResult, kept};
use model::{ClauseId, Curl, Exchange, Failure, Outcome, ScenarioId, Transcript};

/// A rule for exchanges.
pub type ExchangeCheck = fn(&Exchange) -> CheckResult;

/// A clause that is judged on everything that the run sees.
#[derive(Debug, Clone, Copy)]
pub struct Invariant {
    /// Its clause.
    pub clause: &'static str,
    /// Its rule.
    pub rule: Rule,
}

/// What a clause is judged on.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Every exchange.
    Exchange(ExchangeCheck),
    /// Every stream.
    Stream(stream::StreamRule),
}

/// Looks at every exchange and every stream of a run and remembers the first breach of each rule.
#[derive(Debug, Default)]
pub struct InvariantChecks {
    rules: Vec<Invariant>,
    write_log: WriteLog,
    seen: Mutex<BTreeMap<&'static str, Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    exchanges: usize,
    breach: Option<Shown>,
}

/// A breach, the exchange or stream that shows it, and the scenario that this is of.
#[derive(Debug)]
struct Shown {
    breach: Breach,
    transcript: Transcript,
    scenario: ScenarioId,
}

/// What a rule came to over the whole run.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its clause.
    pub clause: ClauseId,
    /// What came of it.
    pub outcome: Outcome,
    /// To how many exchanges or streams it applied.
    pub exchanges: usize,
    /// The exchange or stream that breaks it.
    pub evidence: Vec<Transcript>,
    /// The scenario that the evidence is of.
    pub scenario: Option<ScenarioId>,
}

impl InvariantChecks {
    /// Watches for these rules.
    pub fn new(rules: Vec<Invariant>) -> Self {
        Self { rules, ..Self::default() }
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// What the run did and saw.
    pub fn write_log(&self) -> &WriteLog {
        &self.write_log
    }

    /// Judges an exchange of a scenario by every rule.
    pub fn look(&self, exchange: &Exchange, scenario: &ScenarioId, curl: &Curl) {
        for rule in &self.rules {
            let Rule::Exchange(judge) = rule.rule else { continue };
            let Some(kept) = judge(exchange) else { continue };
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = seen.entry(rule.clause).or_default();
            seen.exchanges += 1;
            if let (Err(breach), None) = (kept, &seen.breach) {
                let (transcript, scenario) = (exchange.transcript(curl), scenario.clone());
                seen.breach = Some(Shown { breach, transcript, scenario });
            }
        }
    }

    /// What every rule came to, each breach with the command that shows it again.
    pub fn findings(&self, curl: &Curl) -> Vec<Finding> {
        let mut seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let streams = self.write_log.judge(None);
        let mut come_to = |rule: &Invariant| match rule.rule {
            Rule::Exchange(_) => seen.remove(rule.clause).unwrap_or_default(),
            Rule::Stream(rule) => seen_of(rule, &streams, curl),
        };
        self.rules.iter().map(|rule| finding(rule.clause, come_to(rule))).collect()
    }
}

/// What all streams show of a rule.
fn seen_of(rule: stream::StreamRule, streams: &[(Arc<FollowedStream>, Findings)], curl: &Curl) -> Seen {
    let exchanges = streams.iter().filter(|(_, findings)| findings.applied(rule)).count();
    let breach = streams.iter().find_map(|(followed, findings)| {
        let breach = findings.breach(rule)?.clone();
        let exchange = followed.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let transcript = exchange.as_ref()?.transcript(curl);
        Some(Shown { breach, transcript, scenario: followed.scenario.clone() })
    });
    Seen { exchanges, breach }
}

fn finding(clause: &str, seen: Seen) -> Finding {
    let (clause, exchanges) = (clause.into(), seen.exchanges);
    let Some(Shown { breach: Breach { expected, actual }, transcript, scenario }) = seen.breach else {
        let skipped = || Outcome::Skipped { reason: "no exchange of this run shows it".to_owned() };
        let outcome = if exchanges > 0 { Outcome::Passed } else { skipped() };
        return Finding { clause, outcome, exchanges, evidence: Vec::new(), scenario: None };
    };
    let outcome = Outcome::Failed { failure: Failure { expected, actual, exchange: Some(0) } };
    Finding { clause, outcome, exchanges, evidence: vec![transcript], scenario: Some(scenario) }
}
