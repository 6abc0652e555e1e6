//! Invariant checks: they judge every exchange and every stream of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use checkers::stream::{self, Findings, FollowedStream, WriteLog};
pub use model::{Breach, CheckResult, ensure};
use model::{ClauseId, Curl, Exchange, Failure, Outcome, RecordedStep, ScenarioId, TestError, Transcript};

/// The check of one exchange.
pub type ExchangeCheck = fn(&Exchange) -> CheckResult;

/// A clause with its invariant check.
#[derive(Debug, Clone, Copy)]
pub struct Invariant {
    /// Its clause.
    pub clause: &'static str,
    /// Its check.
    pub rule: Rule,
}

/// The check of a clause.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Every exchange.
    Exchange(ExchangeCheck),
    /// Every stream.
    Stream(stream::StreamRule),
    /// Every read, compared with the run's writes and other reads.
    Contents,
}

/// Judges every exchange and every stream of a run, and keeps the first breach of each check.
#[derive(Debug, Default)]
pub struct InvariantChecks {
    rules: Vec<Invariant>,
    write_log: WriteLog,
    totals: Mutex<BTreeMap<&'static str, Total>>,
}

#[derive(Debug, Default)]
struct Total {
    exchanges: usize,
    breach: Option<Evidence>,
    /// Whether some streams were too large to be judged.
    incomplete: bool,
}

/// A breach, its exchange or stream, and the scenario of these.
#[derive(Debug)]
struct Evidence {
    breach: Breach,
    transcript: Transcript,
    scenario: ScenarioId,
    /// The exchange's position in its scenario.
    exchange: usize,
    /// The scenario's steps up to the exchange; none for a stream.
    steps: Vec<RecordedStep>,
}

/// The result of an invariant check over the whole run.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Its clause.
    pub clause: ClauseId,
    /// Its outcome.
    pub outcome: Outcome,
    /// The number of exchanges or streams that it applied to.
    pub exchanges: usize,
    /// The exchange or stream that breaks the clause.
    pub evidence: Vec<Transcript>,
    /// The steps of the scenario up to the exchange; none for a stream.
    pub steps: Vec<RecordedStep>,
    /// The scenario of the evidence.
    pub scenario: Option<ScenarioId>,
}

impl InvariantChecks {
    /// Runs these checks in a run with so many executions of scenarios.
    pub fn new(rules: Vec<Invariant>, executions: usize) -> Self {
        Self { rules, write_log: WriteLog::of_run(executions), ..Self::default() }
    }

    /// The number of checks.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// The run's acknowledged writes and streams.
    pub fn write_log(&self) -> &WriteLog {
        &self.write_log
    }

    /// Judges an exchange of a scenario by every check. `steps` are those of the scenario so far.
    pub fn look(
        &self,
        exchange: &Exchange,
        scenario: &ScenarioId,
        curl: &Curl,
        steps: impl Fn() -> Vec<RecordedStep>,
    ) {
        if exchange.is_web_page() || exchange.is_denied_by_admission() {
            return;
        }
        for rule in &self.rules {
            let kept = match rule.rule {
                Rule::Exchange(judge) => judge(exchange),
                Rule::Contents => self.write_log.check_read(exchange),
                Rule::Stream(_) => None,
            };
            let Some(kept) = kept else { continue };
            let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
            let total = totals.entry(rule.clause).or_default();
            total.exchanges += 1;
            if let (Err(breach), None) = (kept, &total.breach) {
                let (transcript, scenario) = (exchange.transcript(curl), scenario.clone());
                total.breach =
                    Some(Evidence { breach, transcript, scenario, exchange: exchange.index, steps: steps() });
            }
        }
    }

    /// The result of every check.
    pub fn findings(&self) -> Vec<Finding> {
        let mut totals = std::mem::take(&mut *self.totals.lock().unwrap_or_else(PoisonError::into_inner));
        let (streams, full) = (self.write_log.judge(None), self.write_log.is_full());
        let mut total_of = |rule: &Invariant| match rule.rule {
            Rule::Exchange(_) => totals.remove(rule.clause).unwrap_or_default(),
            Rule::Contents => Total { incomplete: full, ..totals.remove(rule.clause).unwrap_or_default() },
            Rule::Stream(rule) => Total { incomplete: full, ..judge_all(rule, &streams) },
        };
        self.rules.iter().map(|rule| finding(rule.clause, total_of(rule))).collect()
    }
}

/// The result of a check over all streams.
fn judge_all(rule: stream::StreamRule, streams: &[(Arc<FollowedStream>, Findings)]) -> Total {
    let exchanges = streams.iter().filter(|(_, findings)| findings.applied(rule)).count();
    let breach = streams.iter().find_map(|(followed, findings)| {
        let breach = findings.breach(rule)?.clone();
        let transcript = followed.transcript.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let (scenario, exchange) = (followed.scenario.clone(), followed.index);
        Some(Evidence { breach, transcript, scenario, exchange, steps: Vec::new() })
    });
    Total { exchanges, breach, incomplete: false }
}

/// Some events were not followed: a missing breach proves nothing.
pub(crate) fn streams_too_large() -> TestError {
    TestError::new("compare the streams of this run", "their events take too much memory")
        .hint("does the server send events of changes that never happened? else run fewer areas at a time")
}

fn finding(clause: &str, total: Total) -> Finding {
    let (clause, exchanges) = (clause.into(), total.exchanges);
    let Some(evidence) = total.breach else {
        let outcome = match (total.incomplete, exchanges) {
            (true, _) => Outcome::Errored { test_error: streams_too_large() },
            (false, 0) => Outcome::Skipped { reason: "no exchange of this run shows it".to_owned() },
            (false, _) => Outcome::Passed,
        };
        return Finding {
            clause,
            outcome,
            exchanges,
            evidence: Vec::new(),
            steps: Vec::new(),
            scenario: None,
        };
    };
    let Evidence { breach: Breach { expected, actual }, transcript, scenario, exchange, steps } = evidence;
    let outcome = Outcome::Failed { failure: Failure { expected, actual, exchange: Some(exchange) } };
    Finding { clause, outcome, exchanges, evidence: vec![transcript], steps, scenario: Some(scenario) }
}

#[cfg(test)]
mod tests {
    use checkers::stream::{Stream, StreamRule, WatchRequest};
    use model::Request;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_check_of_streams_is_inconclusive_if_they_took_too_much_memory() {
        let invariant = Invariant { clause: "stream-ordered", rule: Rule::Stream(StreamRule::Ordered) };
        let checks = InvariantChecks::new(vec![invariant], 0);
        let watch = Request::get("/api/v1/namespaces/n/configmaps").query("watch", 1);
        let stream = Stream::new(WatchRequest::of(&watch).unwrap());
        let followed = checks.write_log().follow((ScenarioId::of_invariant(&"a".into()), 1, 0), stream);
        let outcome = || checks.findings().remove(0).outcome;
        for number in 0_usize.. {
            let name = format!("{}{number}", "a".repeat(1 << 20));
            let metadata =
                json!({ "name": name, "namespace": "n", "resourceVersion": (10 + number).to_string() });
            let object = json!({ "kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata });
            followed.check(Some(&json!({ "type": "ADDED", "object": object })));
            if checks.write_log().is_full() {
                break;
            }
            assert_eq!(outcome(), Outcome::Passed);
        }
        assert_eq!(outcome(), Outcome::Errored { test_error: streams_too_large() });
    }
}
