//! What is asked: rows of clause id and function.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::ambient::{Ambient, Judge, Rule};
use crate::clause::ClauseId;
use crate::context::Context;
use crate::outcome::Halt;

/// The first clause that a scenario answers, and behind a `/` its variant, if it is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScenarioId(String);

impl ScenarioId {
    /// The id as printed and as given by users.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scenario's first clause.
    pub fn clause(&self) -> &str {
        self.0.split_once('/').map_or(self.0.as_str(), |(clause, _)| clause)
    }

    /// What the scenario's random choices are made from: the run's seed, so that they can be repeated, and its own name,
    /// so that they are not everybody's.
    pub(crate) fn seed(&self, run: u64) -> [u8; 32] {
        let mut seed = [0; 32];
        let (first, rest) = seed.split_at_mut(8);
        first.copy_from_slice(&run.to_le_bytes());
        for (index, byte) in self.0.bytes().enumerate() {
            let place = &mut rest[index % 24];
            *place = place.rotate_left(3) ^ byte;
        }
        seed
    }
}

impl From<&str> for ScenarioId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for ScenarioId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// On what a generic scenario is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Subject {
    /// A built-in namespaced type.
    #[default]
    ConfigMap,
    /// A custom resource, defined for this run.
    CustomResource,
}

/// When a scenario may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Turn {
    /// Beside others.
    #[default]
    Any,
    /// After the others, by itself: it loads or breaks the server.
    Alone,
    /// After everything was removed: the server does not survive it.
    Last,
}

/// The function behind a scenario.
pub type Ask = Arc<dyn Fn(Context) -> BoxFuture<'static, Result<(), Halt>> + Send + Sync>;

/// One question to the server.
#[derive(Clone)]
pub struct Scenario {
    /// Its name.
    pub id: ScenarioId,
    /// The clauses that it answers.
    pub clauses: Vec<ClauseId>,
    /// On what it is asked.
    pub subject: Subject,
    /// When it may run.
    pub turn: Turn,
    /// Left out of the core profile: slow or heavy.
    pub full_only: bool,
    /// Changes nothing on the server.
    pub read_only: bool,
    /// Asks it.
    pub ask: Ask,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

/// All scenarios of one area.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The area's name.
    pub area: &'static str,
    /// In the text's order.
    pub scenarios: Vec<Scenario>,
    /// What must hold of every exchange, or every stream, of the run.
    pub ambient: Vec<Ambient>,
}

impl Suite {
    /// A suite without scenarios.
    pub fn new(area: &'static str) -> Self {
        Self { area, scenarios: Vec::new(), ambient: Vec::new() }
    }

    /// Adds a scenario for a clause.
    pub fn scenario<F>(mut self, clause: &str, ask: fn(Context) -> F) -> Self
    where
        F: Future<Output = Result<(), Halt>> + Send + 'static,
    {
        self.push(clause, Arc::new(move |cx| Box::pin(ask(cx))));
        self
    }

    /// Adds a scenario per row of a table of the text.
    pub fn table<R, F>(mut self, rows: &'static [(&'static str, R)], ask: fn(Context, R) -> F) -> Self
    where
        R: Copy + Send + Sync + 'static,
        F: Future<Output = Result<(), Halt>> + Send + 'static,
    {
        for &(clause, row) in rows {
            self.push(clause, Arc::new(move |cx| Box::pin(ask(cx, row))));
        }
        self
    }

    fn push(&mut self, clause: &str, ask: Ask) {
        self.scenarios.push(Scenario {
            id: clause.into(),
            clauses: vec![clause.into()],
            subject: Subject::default(),
            turn: Turn::default(),
            full_only: false,
            read_only: false,
            ask,
        });
    }

    /// The last scenario answers this clause as well: it says the same.
    pub fn also(mut self, clause: &str) -> Self {
        self.last(|scenario| scenario.clauses.push(clause.into()));
        self
    }

    /// The last scenario is asked by itself, after the others.
    pub fn alone(mut self) -> Self {
        self.last(|scenario| scenario.turn = Turn::Alone);
        self
    }

    /// The last scenario ends the server: it is asked when all else is done and removed.
    pub fn last_of_all(mut self) -> Self {
        self.last(|scenario| scenario.turn = Turn::Last);
        self
    }

    /// The last scenario is too slow or heavy for the core profile.
    pub fn full_only(mut self) -> Self {
        self.last(|scenario| scenario.full_only = true);
        self
    }

    /// The last scenario changes nothing on the server.
    pub fn read_only(mut self) -> Self {
        self.last(|scenario| scenario.read_only = true);
        self
    }

    fn last(&mut self, change: impl FnOnce(&mut Scenario)) {
        if let Some(scenario) = self.scenarios.last_mut() {
            change(scenario);
        }
    }

    /// Asks every scenario added so far on a custom resource, too.
    pub fn on_custom_resources(mut self) -> Self {
        let variants: Vec<_> = self.scenarios.iter().map(Scenario::on_custom_resource).collect();
        self.scenarios.extend(variants);
        self
    }

    /// Adds a rule for every exchange of the run.
    pub fn ambient(mut self, clause: &'static str, judge: Judge) -> Self {
        self.ambient.push(Ambient { clause, rule: Rule::Exchange(judge) });
        self
    }

    /// Adds a rule for every stream of the run.
    pub fn of_every_stream(mut self, clause: &'static str, rule: crate::stream::Rule) -> Self {
        self.ambient.push(Ambient { clause, rule: Rule::Stream(rule) });
        self
    }
}

impl Scenario {
    fn on_custom_resource(&self) -> Self {
        let id = ScenarioId(format!("{}/custom-resource", self.id));
        Self { id, subject: Subject::CustomResource, ..self.clone() }
    }
}
