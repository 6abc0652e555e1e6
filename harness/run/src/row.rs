//! The rows of a suite: a clause, the function that tests it, and its kinds of resources.
//!
//! A row is independent of other rows: their order has no meaning.

use std::future::Future;
use std::sync::Arc;

use model::{Checked, ClauseId, Kinds, Subject};

use crate::context::Context;
use crate::invariant::{ExchangeCheck, Invariant, Rule};
use crate::scenario::{Scenario, TestFn, Turn};

/// One row of a suite.
#[derive(Debug, Clone)]
pub struct Row(pub(crate) Entry);

#[derive(Debug, Clone)]
pub(crate) enum Entry {
    Scenario(Scenario),
    Invariant(Invariant),
}

/// A scenario of this clause, on every kind of resource.
pub fn row<F>(clause: &str, test: impl Fn(Context) -> F + Send + Sync + 'static) -> Row
where
    F: Future<Output = Checked> + Send + 'static,
{
    scenario(clause, Kinds::All, Arc::new(move |cx| Box::pin(test(cx))))
}

/// A scenario for each row of a table of the text, on these kinds of resources.
pub fn table<R, F>(rows: &'static [(&'static str, R)], kinds: Kinds, test: fn(Context, R) -> F) -> Vec<Row>
where
    R: Copy + Send + Sync + 'static,
    F: Future<Output = Checked> + Send + 'static,
{
    let of =
        |&(clause, row): &(&str, R)| scenario(clause, kinds, Arc::new(move |cx| Box::pin(test(cx, row))));
    rows.iter().map(of).collect()
}

/// An invariant check: it judges every exchange of the run.
pub fn invariant(clause: &'static str, check: ExchangeCheck) -> Row {
    Row(Entry::Invariant(Invariant { clause, rule: Rule::Exchange(check) }))
}

/// An invariant check: it judges every stream of the run.
pub fn stream_invariant(clause: &'static str, check: checkers::stream::StreamRule) -> Row {
    Row(Entry::Invariant(Invariant { clause, rule: Rule::Stream(check) }))
}

/// An invariant check: it compares every read of the run with its writes and other reads.
pub fn content_invariant(clause: &'static str) -> Row {
    Row(Entry::Invariant(Invariant { clause, rule: Rule::Contents }))
}

/// The invariant checks of a table.
pub fn invariants(rows: &[(&'static str, ExchangeCheck)]) -> Vec<Row> {
    rows.iter().map(|&(clause, check)| invariant(clause, check)).collect()
}

fn scenario(clause: &str, kinds: Kinds, test: TestFn) -> Row {
    Row(Entry::Scenario(Scenario {
        id: clause.into(),
        clauses: vec![clause.into()],
        subject: Subject::default(),
        kinds,
        turn: Turn::default(),
        full_only: false,
        waits: false,
        read_only: false,
        probes: Vec::new(),
        test,
    }))
}

impl Row {
    /// The scenario also tests this clause, which requires the same.
    pub fn also(self, clause: &str) -> Self {
        self.with(|scenario| scenario.clauses.push(ClauseId::from(clause)))
    }

    /// The scenario tests kinds that it names itself.
    pub fn own_kinds(self) -> Self {
        self.with(|scenario| scenario.kinds = Kinds::Own)
    }

    /// The scenario applies to kinds with namespaces: it tests a whole collection, or namespaces.
    pub fn namespaced(self) -> Self {
        self.with(|scenario| scenario.kinds = Kinds::Namespaced)
    }

    /// The scenario applies to kinds without namespaces.
    pub fn cluster_scoped(self) -> Self {
        self.with(|scenario| scenario.kinds = Kinds::ClusterScoped)
    }

    /// The scenario applies to kinds with a status subresource.
    pub fn with_status(self) -> Self {
        self.with(|scenario| scenario.kinds = Kinds::WithStatus)
    }

    /// The scenario runs by itself, after the others.
    pub fn alone(self) -> Self {
        self.with(|scenario| scenario.turn = Turn::Alone)
    }

    /// The scenario ends the server: it runs after all others, and after the removal of all fixtures.
    pub fn last_of_all(self) -> Self {
        self.with(|scenario| scenario.turn = Turn::Last)
    }

    /// The scenario is too slow or heavy for the core profile.
    pub fn full_only(self) -> Self {
        self.with(|scenario| scenario.full_only = true)
    }

    /// The scenario waits for the server for seconds, without a place among those that run: it starts before the others.
    pub fn waits(self) -> Self {
        self.with(|scenario| scenario.waits = true)
    }

    /// The scenario changes nothing on the server.
    pub fn read_only(self) -> Self {
        self.with(|scenario| scenario.read_only = true)
    }

    fn with(mut self, change: impl FnOnce(&mut Scenario)) -> Self {
        if let Entry::Scenario(scenario) = &mut self.0 {
            change(scenario);
        }
        self
    }
}

impl Entry {
    /// The scenarios of a row: one for each kind that it applies to.
    pub(crate) fn scenarios(&self) -> Vec<Scenario> {
        match self {
            Self::Scenario(scenario) => {
                scenario.kinds.subjects().iter().map(|subject| scenario.on(subject.clone())).collect()
            }
            Self::Invariant(_) => Vec::new(),
        }
    }

    /// The invariant check of a row, if it has one.
    pub(crate) fn invariant(&self) -> Option<Invariant> {
        match self {
            Self::Invariant(check) => Some(*check),
            Self::Scenario(_) => None,
        }
    }
}
