//! Scenarios: one test on one subject.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use model::{Checked, ClauseId, Kinds, ScenarioId, Subject};

use crate::capability::Capability;
use crate::context::Context;

/// When a scenario may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Turn {
    /// Beside others.
    #[default]
    Any,
    /// After the others, by itself: it loads or breaks the server.
    Alone,
    /// After the removal of all fixtures: the server does not survive it.
    Last,
}

/// The function of a scenario.
pub type TestFn = Arc<dyn Fn(Context) -> BoxFuture<'static, Checked> + Send + Sync>;

/// One test on one subject.
#[derive(Clone)]
pub struct Scenario {
    /// Its id.
    pub id: ScenarioId,
    /// The clauses that it tests.
    pub clauses: Vec<ClauseId>,
    /// The resource under test.
    pub subject: Subject,
    /// The kinds of resources that it applies to.
    pub kinds: Kinds,
    /// When it may run.
    pub turn: Turn,
    /// Slow or heavy: not in the core profile.
    pub full_only: bool,
    /// Whether it waits for the server for seconds: it starts early, so that no run ends with waiting.
    pub waits: bool,
    /// Whether it changes nothing on the server.
    pub read_only: bool,
    /// The capabilities that the server lacks if this fails: it runs before the scenarios that rely on them.
    pub probes: Vec<Capability>,
    /// Runs it.
    pub test: TestFn,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Scenario {
    /// Its stage among the probes; `None` if it runs after them.
    pub(crate) fn stage(&self) -> Option<usize> {
        let beside = self.turn == Turn::Any;
        self.probes.iter().map(|capability| capability.stage()).max().filter(|_| beside)
    }

    /// The same scenario on another subject.
    pub(crate) fn on(&self, subject: Subject) -> Self {
        let clause = self.id.clause();
        let id = subject.variant().map_or_else(|| clause.to_owned(), |variant| format!("{clause}/{variant}"));
        Self { id: ScenarioId::from(id.as_str()), subject, ..self.clone() }
    }
}
