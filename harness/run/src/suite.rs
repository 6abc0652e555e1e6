//! Suites: the rows of one area.

use std::collections::HashSet;

use model::ClauseId;

use crate::capability::Capability;
use crate::invariant::Invariant;
use crate::row::Row;
use crate::scenario::Scenario;

/// The ids of all clauses that a scenario or a rule for every exchange answers.
pub fn answered(suites: &[Suite]) -> HashSet<&str> {
    let scenarios = suites.iter().flat_map(|suite| &suite.scenarios).flat_map(|scenario| &scenario.clauses);
    let rules = suites.iter().flat_map(|suite| &suite.invariants).map(|rule| rule.clause);
    scenarios.map(ClauseId::as_str).chain(rules).collect()
}

/// The scenarios and invariant checks of one area.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The area's name.
    pub area: &'static str,
    /// One for each row and kind of resource.
    pub scenarios: Vec<Scenario>,
    /// What must hold of every exchange, or every stream, of the run.
    pub invariants: Vec<Invariant>,
}

impl Suite {
    /// A suite of these rows, file by file.
    pub fn new(area: &'static str, rows: impl IntoIterator<Item = Vec<Row>>) -> Self {
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        let scenarios = rows.iter().flat_map(|row| row.0.scenarios()).collect();
        let invariants = rows.iter().filter_map(|row| row.0.invariant()).collect();
        Self { area, scenarios, invariants }
    }

    /// If the scenario of this clause fails, on whatever kind, the server lacks a capability.
    pub fn probes(mut self, clause: &str, capability: Capability) -> Self {
        let of_clause = self.scenarios.iter_mut().filter(|scenario| scenario.id.clause() == clause);
        of_clause.for_each(|scenario| scenario.probes.push(capability));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::row::{row, table};
    use model::{Checked, Kinds};

    async fn asks(_: Context) -> Checked {
        Ok(())
    }

    async fn asks_a_row(_: Context, _: u8) -> Checked {
        Ok(())
    }

    fn ids(suite: &Suite) -> Vec<&str> {
        suite.scenarios.iter().map(|scenario| scenario.id.as_str()).collect()
    }

    #[test]
    fn a_row_is_a_scenario_for_each_kind_that_it_applies_to() {
        let rows = vec![row("a", asks).own_kinds(), row("b", asks).full_only()];
        let suite = Suite::new("own", [rows, vec![row("c", asks).namespaced().also("d")]]);
        let every = ["b", "b/deployment", "b/cluster-scoped", "b/custom-resource"];
        assert_eq!(ids(&suite), [&["a"], &every[..], &["c", "c/custom-resource"]].concat());
        let full = |scenario: &Scenario| scenario.full_only == scenario.id.as_str().starts_with('b');
        assert!(suite.scenarios.iter().all(full));
        let clauses: Vec<&str> = suite.scenarios[6].clauses.iter().map(ClauseId::as_str).collect();
        assert_eq!(clauses, ["c", "d"]);
    }

    #[test]
    fn all_rows_of_a_table_apply_to_the_same_kinds() {
        let rows: &'static [(&str, u8)] = &[("b", 1), ("c", 2)];
        let suite = Suite::new("own", [table(rows, Kinds::WithStatus, asks_a_row)]);
        let expected = ["b/deployment", "b/custom-resource", "c/deployment", "c/custom-resource"];
        assert_eq!(ids(&suite), expected);
    }
}
