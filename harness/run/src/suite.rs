//! Suites: the rows of one area.

use std::collections::HashSet;

use model::ClauseId;

use crate::capability::Capability;
use crate::invariant::Invariant;
use crate::row::Row;
use crate::scenario::Scenario;

/// The ids of all clauses with a scenario or an invariant check.
pub fn tested_clauses(suites: &[Suite]) -> HashSet<&str> {
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
    /// The invariant checks of the area.
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

    /// Makes the scenarios of this clause probes: if one fails on a kind, the server lacks the capability there.
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

    async fn pass(_: Context) -> Checked {
        Ok(())
    }

    async fn pass_row(_: Context, _: u8) -> Checked {
        Ok(())
    }

    fn ids(suite: &Suite) -> Vec<&str> {
        suite.scenarios.iter().map(|scenario| scenario.id.as_str()).collect()
    }

    #[test]
    fn a_row_has_a_scenario_for_each_kind() {
        let rows = vec![row("a", pass).own_kinds(), row("b", pass).full_only()];
        let suite = Suite::new("own", [rows, vec![row("c", pass).namespaced().also("d")]]);
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
        let suite = Suite::new("own", [table(rows, Kinds::WithStatus, pass_row)]);
        let expected = ["b/deployment", "b/custom-resource", "c/deployment", "c/custom-resource"];
        assert_eq!(ids(&suite), expected);
    }
}
