//! The mutation matrix as a page of the documentation.
//!
//! It is the same for every run: without times and samples, and for each fault with the scenarios of its own clause.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::matrix::Matrix;
use super::row::Row;
use super::table::area;

/// The text above the tables.
const INTRODUCTION: &str = "\
# The mutation matrix

Every clause with a scenario has a fault: one way to break the clause. `kube-assay prove` plays each fault in the reference
server and runs the scenarios of its clause. A fault that no scenario notices fails the proof, and so does a scenario that
no fault kills. `cargo ci matrix` writes this page; a test compares it with what it sees.

A fault has the name of the clause that it breaks. *itself* is the scenario of that name, `/x` the same scenario on another
kind of resource, `/invariant` the invariant check of every exchange or stream of the run.
";

/// The page.
pub(super) fn page(matrix: &Matrix) -> String {
    let areas = areas(matrix);
    let mut text = INTRODUCTION.to_owned();
    text.push_str("\n| area | faults | scenarios killed |\n|---|---:|---:|\n");
    for (area, rows) in &areas {
        let _ = writeln!(text, "| [{area}](#{area}) | {} | {} |", rows.len(), killed(rows));
    }
    let all: Vec<&Row> = matrix.rows(false).collect();
    let _ = writeln!(text, "| all | {} | {} |", all.len(), killed(&all));
    for (area, rows) in &areas {
        let _ = write!(text, "\n## {area}\n\n| fault | what the server does | killed |\n|---|---|---|\n");
        for row in rows {
            let fault = row.case.fault;
            let _ = writeln!(text, "| `{}` | {} | {} |", fault.name, cell(fault.what), kills(row));
        }
    }
    text.push_str(&bugs(matrix));
    text
}

/// The rows of each area, in the catalogue's order.
fn areas(matrix: &Matrix) -> Vec<(String, Vec<&Row>)> {
    let catalogue = suites::catalogue();
    let mut areas: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in matrix.rows(false) {
        let area = area(&catalogue, row);
        match areas.last_mut() {
            Some((last, rows)) if *last == area => rows.push(row),
            _ => areas.push((area, vec![row])),
        }
    }
    areas
}

fn killed(rows: &[&Row]) -> usize {
    rows.iter().flat_map(|row| row.kills()).collect::<BTreeSet<_>>().len()
}

/// The shortest distinct names of the scenarios.
fn kills(row: &Row) -> String {
    let name = row.case.fault.name;
    let short = |scenario: &str| match scenario.strip_prefix(name) {
        Some("") => "itself".to_owned(),
        Some(variant) if variant.starts_with('/') => format!("`{variant}`"),
        _ => format!("`{scenario}`"),
    };
    row.kills().map(short).collect::<Vec<_>>().join(", ")
}

fn bugs(matrix: &Matrix) -> String {
    let mut text = String::from(
        "\n## Real bugs\n\nBugs that API servers, their stores, proxies and stand-ins once had, re-enacted: \
         `kube-assay prove --bug NAME`.\nEach is noticed by at least one of the clauses named.\n\n\
         | bug | what happened | noticed by |\n|---|---|---|\n",
    );
    for row in matrix.rows(true) {
        let (fault, thread) = (row.case.fault, row.case.thread.unwrap_or_default());
        let clauses: Vec<String> = row.case.clauses.iter().map(|clause| format!("`{clause}`")).collect();
        let _ =
            writeln!(text, "| [{}]({thread}) | {} | {} |", fault.name, cell(fault.what), clauses.join(", "));
    }
    text
}

/// A text without a character that ends the table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
