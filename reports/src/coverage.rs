//! Which clauses are asked about: of the whole catalogue, or of one run.

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
    pub asked: usize,
    /// Observable clauses.
    pub observable: usize,
}

impl Share {
    fn add(&mut self, asked: bool) {
        self.observable += 1;
        self.asked += usize::from(asked);
    }

    /// In whole percent, rounded down: only all is 100.
    pub fn percent(self) -> usize {
        (100 * self.asked).checked_div(self.observable).unwrap_or(100)
    }

    /// As tables show it.
    pub(crate) fn cell(self) -> String {
        if self.observable == 0 { "–".to_owned() } else { format!("{} / {}", self.asked, self.observable) }
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
    pub unasked: Vec<ClauseId>,
}

impl Row {
    fn add(&mut self, clause: &Clause, asked: bool) {
        if !clause.observable() {
            self.unobservable += 1;
            return;
        }
        self.all.add(asked);
        for (share, level) in self.levels.iter_mut().zip(Level::ALL) {
            if clause.level == level {
                share.add(asked);
            }
        }
        if !asked {
            self.unasked.push(clause.id.clone());
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

/// How much of the specification is asked about.
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
    /// Of the whole catalogue; `asked` are the clauses that have a scenario.
    pub fn of_catalogue(catalogue: &Catalogue, asked: &HashSet<ClauseId>) -> Self {
        Self::of_clauses(catalogue.clauses(), |clause| asked.contains(&clause.id))
    }

    /// Of the clauses in scope of a run.
    pub(crate) fn of_run(record: &Record) -> Self {
        let asked = |clause: &Clause| record.tally.has_scenario(&clause.id);
        let known = known_failures::failures(record)
            .map(|(finished, known)| (finished.scenario.clone(), known.clone()));
        Self { known: known.collect(), ..Self::of_clauses(record.tally.clauses(), asked) }
    }

    fn of_clauses<'a>(
        clauses: impl IntoIterator<Item = &'a Clause>,
        asked: impl Fn(&Clause) -> bool,
    ) -> Self {
        let total = Row { area: "total".to_owned(), ..Row::default() };
        let mut coverage = Self { total, ..Self::default() };
        for clause in clauses {
            let asked = asked(clause);
            if coverage.areas.last().is_none_or(|row| row.area != clause.area) {
                coverage.areas.push(Row { area: clause.area.clone(), ..Row::default() });
            }
            if let Some(row) = coverage.areas.last_mut() {
                row.add(clause, asked);
            }
            coverage.total.add(clause, asked);
        }
        coverage
    }

    /// The table, and below it what is not asked about yet.
    pub fn markdown(&self) -> String {
        let mut text =
            String::from("# Coverage\n\nObservable clauses with a scenario, of all observable clauses.\n\n");
        text.push_str("| area | must | should | may | all | | not observable |\n");
        text.push_str("|:-----|-----:|-------:|----:|----:|--:|---------------:|\n");
        for row in self.areas.iter().chain([&self.total]) {
            text.push_str(&row.markdown());
            text.push('\n');
        }
        if !self.total.unasked.is_empty() {
            text.push_str("\n## Without a scenario\n");
        }
        for row in self.areas.iter().filter(|row| !row.unasked.is_empty()) {
            let ids: Vec<String> = row.unasked.iter().map(|id| format!("`{}`", code(id.as_str()))).collect();
            // Writing to a string cannot fail.
            let _ = write!(text, "\n- {}: {}", cell(&row.area), ids.join(", "));
        }
        if !self.total.unasked.is_empty() {
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
