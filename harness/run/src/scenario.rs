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
    /// After everything was removed: the server does not survive it.
    Last,
}

/// The function behind a scenario.
pub type Ask = Arc<dyn Fn(Context) -> BoxFuture<'static, Checked> + Send + Sync>;

/// One question to the server.
#[derive(Clone)]
pub struct Scenario {
    /// Its name.
    pub id: ScenarioId,
    /// The clauses that it answers.
    pub clauses: Vec<ClauseId>,
    /// On what it is asked.
    pub subject: Subject,
    /// On what else it can be asked.
    pub kinds: Kinds,
    /// When it may run.
    pub turn: Turn,
    /// Left out of the core profile: slow or heavy.
    pub full_only: bool,
    /// Changes nothing on the server.
    pub read_only: bool,
    /// What the server lacks if this fails: it runs before what relies on that.
    pub probes: Vec<Capability>,
    /// Asks it.
    pub ask: Ask,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Scenario {
    /// When it runs among those that probe capabilities; `None` if it runs after them.
    pub(crate) fn stage(&self) -> Option<usize> {
        let beside = self.turn == Turn::Any;
        self.probes.iter().map(|capability| capability.stage()).max().filter(|_| beside)
    }

    /// The same question, asked on another subject.
    pub(crate) fn on(&self, subject: Subject) -> Self {
        let clause = self.id.clause();
        let id = subject.variant().map_or_else(|| clause.to_owned(), |variant| format!("{clause}/{variant}"));
        Self { id: ScenarioId::from(id.as_str()), subject, ..self.clone() }
    }
}
