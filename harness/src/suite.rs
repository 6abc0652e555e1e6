//! All that is asked of one area: rows of clause id and function.

use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;

use crate::ambient::{Ambient, Judge, Rule};
use crate::capability::Capability;
use crate::clause::ClauseId;
use crate::context::Context;
use crate::outcome::Halt;
use crate::scenario::{Ask, Breadth, Scenario, Subject, Turn};

/// The ids of all clauses that a scenario or a rule for every exchange answers.
pub fn answered(suites: &[Suite]) -> HashSet<&str> {
    let scenarios = suites.iter().flat_map(|suite| &suite.scenarios).flat_map(|scenario| &scenario.clauses);
    let rules = suites.iter().flat_map(|suite| &suite.ambient).map(|rule| rule.clause);
    scenarios.map(ClauseId::as_str).chain(rules).collect()
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
    /// Where the last scenario, or the last table, begins.
    latest: usize,
}

impl Suite {
    /// A suite without scenarios.
    pub fn new(area: &'static str) -> Self {
        Self { area, scenarios: Vec::new(), ambient: Vec::new(), latest: 0 }
    }

    /// Adds a scenario for a clause.
    pub fn scenario<F>(mut self, clause: &str, ask: fn(Context) -> F) -> Self
    where
        F: Future<Output = Result<(), Halt>> + Send + 'static,
    {
        self.latest = self.scenarios.len();
        self.push(clause, Arc::new(move |cx| Box::pin(ask(cx))));
        self
    }

    /// Adds a scenario per row of a table of the text.
    pub fn table<R, F>(mut self, rows: &'static [(&'static str, R)], ask: fn(Context, R) -> F) -> Self
    where
        R: Copy + Send + Sync + 'static,
        F: Future<Output = Result<(), Halt>> + Send + 'static,
    {
        self.latest = self.scenarios.len();
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
            breadth: Breadth::default(),
            turn: Turn::default(),
            full_only: false,
            read_only: false,
            probes: Vec::new(),
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

    /// If the scenario of this clause fails, on whatever it is asked, the server lacks a capability.
    pub fn probes(mut self, clause: &str, capability: Capability) -> Self {
        let of_clause = self.scenarios.iter_mut().filter(|scenario| scenario.id.clause() == clause);
        of_clause.for_each(|scenario| scenario.probes.push(capability));
        self
    }

    /// Changes the last scenario, and its variants, if it has some already.
    fn last(&mut self, change: impl Fn(&mut Scenario)) {
        let Some(last) = self.scenarios.last().map(|scenario| scenario.id.clone()) else { return };
        let of_last = self.scenarios.iter_mut().filter(|scenario| scenario.id.clause() == last.clause());
        of_last.for_each(change);
    }

    /// Asks every scenario added so far on a custom resource, too, unless it was said already on what it is asked.
    pub fn on_custom_resources(self) -> Self {
        self.broaden(0, Breadth::Namespaced)
    }

    /// Asks the last scenario, or all of the last table, on every shape of subjects: `cx.things()` is one of
    /// `ConfigMaps`, of Deployments, of a cluster-scoped type or of a custom resource.
    pub fn on_every_shape(self) -> Self {
        self.broaden_latest(Breadth::Any)
    }

    /// Asks the last scenario, or all of the last table, on the shapes of subjects that live in namespaces: it looks
    /// at collections of its own as a whole, or at namespaces.
    pub fn on_namespaced_shapes(self) -> Self {
        self.broaden_latest(Breadth::Namespaced)
    }

    /// Asks the last scenario, or all of the last table, on the shapes of subjects that have a status subresource.
    pub fn on_shapes_with_status(self) -> Self {
        self.broaden_latest(Breadth::WithStatus)
    }

    fn broaden_latest(self, breadth: Breadth) -> Self {
        let first = self.latest;
        self.broaden(first, breadth)
    }

    fn broaden(mut self, first: usize, breadth: Breadth) -> Self {
        let known = self.scenarios.split_off(first.min(self.scenarios.len()));
        let (broad, particular): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|scenario| scenario.breadth != Breadth::Particular);
        let particular: Vec<_> =
            particular.into_iter().map(|scenario| Scenario { breadth, ..scenario }).collect();
        let on = |subject: &Subject| -> Vec<_> {
            particular.iter().map(|scenario| scenario.on(subject.clone())).collect()
        };
        self.scenarios.extend(broad);
        self.scenarios.extend(breadth.subjects().iter().flat_map(on));
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

#[cfg(test)]
mod tests {
    use super::*;

    async fn asks(_: Context) -> Result<(), Halt> {
        Ok(())
    }

    async fn asks_a_row(_: Context, _: u8) -> Result<(), Halt> {
        Ok(())
    }

    fn ids(suite: &Suite) -> Vec<&str> {
        suite.scenarios.iter().map(|scenario| scenario.id.as_str()).collect()
    }

    #[test]
    fn a_scenario_is_asked_on_the_shapes_that_it_is_given() {
        let suite = Suite::new("own").scenario("a", asks).scenario("b", asks).on_every_shape().full_only();
        assert_eq!(ids(&suite), ["a", "b", "b/deployment", "b/cluster-scoped", "b/custom-resource"]);
        assert!(
            suite
                .scenarios
                .iter()
                .all(|scenario| scenario.full_only == scenario.id.as_str().starts_with('b'))
        );
    }

    #[test]
    fn all_of_a_table_are_asked_on_the_shapes_that_have_a_status() {
        let rows: &'static [(&str, u8)] = &[("b", 1), ("c", 2)];
        let suite = Suite::new("own").scenario("a", asks).table(rows, asks_a_row).on_shapes_with_status();
        let expected = ["a", "b/deployment", "c/deployment", "b/custom-resource", "c/custom-resource"];
        assert_eq!(ids(&suite), expected);
    }

    #[test]
    fn what_was_said_of_a_scenario_is_not_said_again() {
        let suite = Suite::new("own").scenario("a", asks).on_every_shape().scenario("b", asks).also("c");
        let suite = suite.on_custom_resources();
        let expected =
            ["a", "a/deployment", "a/cluster-scoped", "a/custom-resource", "b", "b/custom-resource"];
        assert_eq!(ids(&suite), expected);
        let clauses: Vec<&str> = suite.scenarios[5].clauses.iter().map(ClauseId::as_str).collect();
        assert_eq!(clauses, ["b", "c"]);
    }
}
