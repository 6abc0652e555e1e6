//! A run so far: the tally, and the instants and names that the tally does not keep.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use model::{
    Clause, ClauseId, Event, EventKind, Level, RunStarted, ScenarioFinished, ScenarioId, Tally, Verdict,
};

/// Why a scenario of a run that ended by itself has no result.
const LOST_RESULT: &str = "the recording has lost its result";

/// The folded events: the input of every report.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) tally: Tally,
    began: Option<Timestamp>,
    latest: Timestamp,
    running: Vec<(ScenarioId, Timestamp)>,
    areas_began: HashMap<String, Timestamp>,
    positions: HashMap<ClauseId, usize>,
    exchanges: usize,
    /// Why a scenario has not finished: the run ended during it, or before it.
    not_finished: [String; 2],
}

impl Default for Record {
    fn default() -> Self {
        Self {
            tally: Tally::default(),
            began: None,
            latest: Timestamp::default(),
            running: Vec::new(),
            areas_began: HashMap::new(),
            positions: HashMap::new(),
            exchanges: 0,
            not_finished: not_finished(None),
        }
    }
}

impl Record {
    pub(crate) fn add(&mut self, event: &Event) {
        self.latest = self.latest.max(event.at);
        match &event.kind {
            EventKind::RunStarted(started) => self.begin(event.at, started),
            EventKind::ScenarioStarted { scenario } => self.running.push((scenario.clone(), event.at)),
            EventKind::ScenarioFinished(finished) => self.end_of(event.at, finished),
            EventKind::RunFinished(finished) => {
                self.not_finished = not_finished(finished.stopped.as_deref());
            }
        }
        self.tally.add(event);
    }

    fn begin(&mut self, at: Timestamp, started: &RunStarted) {
        (self.began, self.latest) = (Some(at), at);
        self.positions = positions(&started.clauses);
    }

    fn end_of(&mut self, at: Timestamp, finished: &ScenarioFinished) {
        let mut began = at;
        if let Some(position) = self.running.iter().position(|(id, _)| *id == finished.scenario) {
            // An invariant check finishes without a start; its exchanges belong to the scenarios.
            self.exchanges = self.exchanges.saturating_add(finished.exchanges);
            began = self.running.remove(position).1;
        }
        let area = self.area_of(finished).to_owned();
        self.areas_began.entry(area).and_modify(|known| *known = began.min(*known)).or_insert(began);
    }

    /// The clause of that id, if it is in scope.
    pub(crate) fn clause(&self, id: &ClauseId) -> Option<&Clause> {
        self.positions.get(id).and_then(|&position| self.tally.clauses().get(position))
    }

    /// The observable clauses in scope of a scenario.
    pub(crate) fn clauses_of<'a>(
        &'a self,
        finished: &'a ScenarioFinished,
    ) -> impl Iterator<Item = &'a Clause> {
        finished.clauses.iter().filter_map(|id| self.clause(id)).filter(|clause| clause.observable())
    }

    /// The area that a scenario is counted under; empty if nothing of it is in scope.
    pub(crate) fn area_of<'a>(&'a self, finished: &'a ScenarioFinished) -> &'a str {
        self.clauses_of(finished).next().map_or("", |clause| clause.area.as_str())
    }

    /// The strongest level among a scenario's clauses; `None` if nothing of it is in scope.
    pub(crate) fn level_of(&self, finished: &ScenarioFinished) -> Option<Level> {
        self.clauses_of(finished).map(|clause| clause.level).min()
    }

    /// The verdict on a scenario: that on its strongest clause; skipped if none is in scope.
    pub(crate) fn verdict_of(&self, finished: &ScenarioFinished) -> Verdict {
        self.level_of(finished).map_or(Verdict::Skipped, |level| finished.verdict(level))
    }

    /// The observable clauses with this verdict, in the catalogue's order.
    pub(crate) fn with_verdict(&self, verdict: Verdict) -> Vec<&Clause> {
        self.tally.verdicts().filter(|(_, known)| *known == verdict).map(|(clause, _)| clause).collect()
    }

    /// Why a clause was skipped: of a run that stopped early, that reason.
    pub(crate) fn reason(&self, clause: &Clause) -> Option<&str> {
        let reason = self.tally.skip_reason(clause)?;
        let reported = self.tally.scenarios_of(&clause.id).next().is_some();
        if reported || self.is_whole() || !self.tally.has_scenario(&clause.id) {
            return Some(reason);
        }
        if self.tally.lost_results() > 0 {
            return Some(LOST_RESULT);
        }
        let running = self.running.iter().any(|(id, _)| id.clause() == clause.id.as_str());
        let [during, before] = &self.not_finished;
        Some(if running { during } else { before })
    }

    /// Whether the run ended by itself.
    pub(crate) fn complete(&self) -> bool {
        self.tally.finished().is_some_and(|finished| finished.stopped.is_none())
    }

    /// Whether the run ended by itself, and every scenario has a result.
    fn is_whole(&self) -> bool {
        self.complete() && self.tally.lost_results() == 0
    }

    /// The server under test, by name: the embedded one, or address and release.
    pub(crate) fn server(&self) -> String {
        let Some(started) = self.tally.started() else { return "no server".to_owned() };
        let target = &started.target;
        match (started.invocation.embedded, target.release.as_str()) {
            (true, _) => "the embedded reference server".to_owned(),
            (false, "") => format!("{}{}", target.address, target.and_replicas()),
            (false, release) => format!("{} {release}{}", target.address, target.and_replicas()),
        }
    }

    pub(crate) fn strict(&self) -> bool {
        self.tally.started().is_some_and(|started| started.strict)
    }

    /// When the run began.
    pub(crate) fn began(&self) -> Timestamp {
        self.began.unwrap_or(self.latest)
    }

    /// The instant of the latest event.
    pub(crate) fn latest(&self) -> Timestamp {
        self.latest
    }

    /// When an area's first scenario began.
    pub(crate) fn area_began(&self, area: &str) -> Timestamp {
        self.areas_began.get(area).copied().unwrap_or_else(|| self.began())
    }

    /// The scenarios that have begun and not ended, the oldest first.
    pub(crate) fn running(&self) -> &[(ScenarioId, Timestamp)] {
        &self.running
    }

    /// How many exchanges all scenarios made.
    pub(crate) fn exchanges(&self) -> usize {
        self.exchanges
    }

    /// Wall time of the run, as far as it is known.
    pub(crate) fn elapsed(&self) -> Duration {
        self.tally.finished().map_or_else(|| between(self.began(), self.latest), |finished| finished.elapsed)
    }
}

/// Without the instants: enough for verdicts and causes.
impl From<Tally> for Record {
    fn from(tally: Tally) -> Self {
        Self { positions: positions(tally.clauses()), tally, ..Self::default() }
    }
}

/// The reasons for scenarios without a result, with the reason of a run that stopped early.
fn not_finished(stopped: Option<&str>) -> [String; 2] {
    let why = stopped.map(|why| format!(": {why}")).unwrap_or_default();
    ["during", "before"].map(|when| format!("the run ended {when} its scenario{why}"))
}

fn positions(clauses: &[Clause]) -> HashMap<ClauseId, usize> {
    clauses.iter().enumerate().map(|(position, clause)| (clause.id.clone(), position)).collect()
}

/// From one instant to a later one; nothing if the clock was set back.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}
