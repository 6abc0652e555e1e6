//! The mutation matrix: every fault, with the results of the scenarios.

use std::time::Duration;

use harness::Catalogue;

use super::idle::idle;
use super::page::page;
use super::right::Right;
use super::row::{Fate, Row};
use crate::exit::Exit;

/// The result of a proof.
#[derive(Debug)]
pub struct Matrix {
    /// Whether the faults were played on the reference server.
    pub(super) reference: bool,
    pub(super) right: Right,
    /// The faults in the catalogue's order, and then the bugs.
    pub(super) rows: Vec<Row>,
    /// Scenarios that no fault fails.
    pub idle: Vec<String>,
    pub(super) took: Duration,
}

impl Matrix {
    /// Sorts the rows.
    pub fn new(reference: bool, right: Right, mut rows: Vec<Row>, took: Duration) -> Self {
        let catalogue = suites::catalogue();
        rows.sort_by_cached_key(|row| place(&catalogue, row));
        // A proof of bugs alone does not show that no fault fails a scenario.
        let faults = rows.iter().any(|row| !row.case.is_bug());
        let idle = if faults { idle(&right, &rows) } else { Vec::new() };
        Self { reference, right, rows, idle, took }
    }

    /// Passes if every fault is caught, no scenario fails on the correct server, and no scenario is idle.
    pub(super) fn exit(&self) -> Exit {
        let survives = self.rows.iter().any(|row| row.fate == Fate::Survived);
        match () {
            () if survives || !self.right.wrong().is_empty() || !self.idle.is_empty() => Exit::Failed,
            () if self.right.unknown.is_some() => Exit::Inconclusive,
            () => Exit::Passed,
        }
    }

    /// The page of the documentation, `docs/matrix.md`.
    pub fn page(&self) -> String {
        page(self)
    }

    /// The rows of faults, or those of bugs.
    pub(super) fn rows(&self, bugs: bool) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.case.is_bug() == bugs)
    }
}

/// Faults have the order of their clauses; bugs follow, by their names and numbers.
fn place(catalogue: &Catalogue, row: &Row) -> (bool, usize, &'static str, usize, &'static str) {
    let name = row.case.fault.name;
    let (owner, number) = name.rsplit_once('-').unwrap_or((name, ""));
    let clause = catalogue.clauses().position(|clause| clause.id.as_str() == name);
    let bug = row.case.is_bug();
    (bug, clause.unwrap_or_default(), owner, number.parse().unwrap_or_default(), name)
}
