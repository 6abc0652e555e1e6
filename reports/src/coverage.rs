//! Coverage: the clauses with a scenario, of the whole catalogue or of one run.

use std::collections::HashSet;
use std::fmt::Write;

use model::{Catalogue, Clause, ClauseId, FailureReason, Level, ScenarioId};

use crate::known_failures;
use crate::markdown::{cell, code};
use crate::record::Record;

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Share {
    /// Observable clauses that have a scenario.
    pub with_scenario: usize,
    /// Observable clauses.
    pub observable: usize,
}

impl Share {
    fn add(&mut self, with_scenario: bool) {
        self.observable += 1;
        self.with_scenario += usize::from(with_scenario);
    }

    /// In whole percent, rounded down: only all is 100.
    pub fn percent(self) -> usize {
        (100 * self.with_scenario).checked_div(self.observable).unwrap_or(100)
    }

    /// As tables show it.
    pub(crate) fn cell(self) -> String {
        if self.observable == 0 {
            "–".to_owned()
        } else {
            format!("{} / {}", self.with_scenario, self.observable)
        }
    }
}

/// One area, or the total.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The area's name.
    pub area: String,
    /// Per level, in the order of [`Level::ALL`].
    pub levels: [Share; 3],
    /// Over all levels.
    pub all: Share,
    /// Clauses that cannot be judged by talking to the server.
    pub unobservable: usize,
    /// The observable clauses without a scenario.
    pub without_scenario: Vec<ClauseId>,
}

impl Row {
    fn add(&mut self, clause: &Clause, with_scenario: bool) {
        if !clause.observable() {
            self.unobservable += 1;
            return;
        }
        self.all.add(with_scenario);
        for (share, level) in self.levels.iter_mut().zip(Level::ALL) {
            if clause.level == level {
                share.add(with_scenario);
            }
        }
        if !with_scenario {
            self.without_scenario.push(clause.id.clone());
        }
    }

    fn markdown(&self) -> String {
        let [must, should, may] = self.levels.map(Share::cell);
        let percent = self.all.percent();
        let all = self.all.cell();
        format!(
            "| {} | {must} | {should} | {may} | {all} | {percent} % | {} |",
            cell(&self.area),
            self.unobservable
        )
    }
}

/// The coverage of the specification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Area by area, in the catalogue's order.
    pub areas: Vec<Row>,
    /// Over all areas.
    pub total: Row,
    /// The known failures, each with its reason.
    pub known: Vec<(ScenarioId, FailureReason)>,
}

impl Coverage {
    /// Of the whole catalogue; `with_scenario` are the clauses that have a scenario.
    pub fn of_catalogue(catalogue: &Catalogue, with_scenario: &HashSet<ClauseId>) -> Self {
        Self::of_clauses(catalogue.clauses(), |clause| with_scenario.contains(&clause.id))
    }

    /// Of the clauses in scope of a run.
    pub(crate) fn of_run(record: &Record) -> Self {
        let with_scenario = |clause: &Clause| record.tally.has_scenario(&clause.id);
        let known = known_failures::failures(record)
            .map(|(finished, known)| (finished.scenario.clone(), known.clone()));
        Self { known: known.collect(), ..Self::of_clauses(record.tally.clauses(), with_scenario) }
    }

    fn of_clauses<'a>(
        clauses: impl IntoIterator<Item = &'a Clause>,
        with_scenario: impl Fn(&Clause) -> bool,
    ) -> Self {
        let total = Row { area: "total".to_owned(), ..Row::default() };
        let mut coverage = Self { total, ..Self::default() };
        for clause in clauses {
            let with_scenario = with_scenario(clause);
            if coverage.areas.last().is_none_or(|row| row.area != clause.area) {
                coverage.areas.push(Row { area: clause.area.clone(), ..Row::default() });
            }
            if let Some(row) = coverage.areas.last_mut() {
                row.add(clause, with_scenario);
            }
            coverage.total.add(clause, with_scenario);
        }
        coverage
    }

    /// The table, and below it the clauses without a scenario.
    pub fn markdown(&self) -> String {
        let mut text =
            String::from("# Coverage\n\nObservable clauses with a scenario, of all observable clauses.\n\n");
        text.push_str("| area | must | should | may | all | | not observable |\n");
        text.push_str("|:-----|-----:|-------:|----:|----:|--:|---------------:|\n");
        for row in self.areas.iter().chain([&self.total]) {
            text.push_str(&row.markdown());
            text.push('\n');
        }
        if !self.total.without_scenario.is_empty() {
            text.push_str("\n## Without a scenario\n");
        }
        for row in self.areas.iter().filter(|row| !row.without_scenario.is_empty()) {
            let ids: Vec<String> =
                row.without_scenario.iter().map(|id| format!("`{}`", code(id.as_str()))).collect();
            // Writing to a string cannot fail.
            let _ = write!(text, "\n- {}: {}", cell(&row.area), ids.join(", "));
        }
        if !self.total.without_scenario.is_empty() {
            text.push('\n');
        }
        if !self.known.is_empty() {
            text.push_str("\n## Known failures\n\n");
            text.push_str("| scenario | reason | link |\n|:---------|:-------|:-----|\n");
        }
        for (scenario, known) in &self.known {
            let (reason, link) = (cell(&known.reason), cell(known.tracked()));
            let _ = writeln!(text, "| `{}` | {reason} | {link} |", code(scenario.as_str()));
        }
        text
    }
}
