//! The mutation matrix as JSON: `reports/schema/mutation-matrix.json` describes it.

use harness::{Catalogue, Outcome};
use serde_json::{Map, Value, json};

use super::matrix::Matrix;
use super::row::{Cells, Fate, Row};
use super::table::area;
use crate::exit::Exit;
use crate::run::TOOL;

/// The version of the format.
const FORMAT: u32 = 2;

/// The whole matrix.
pub(super) fn document(matrix: &Matrix) -> Value {
    let verdict = match matrix.exit() {
        Exit::Passed => "proven",
        Exit::Failed | Exit::Usage => "not-proven",
        Exit::Inconclusive => "inconclusive",
    };
    let right = &matrix.right;
    let catalogue = suites::catalogue();
    let rows = |bugs| matrix.rows(bugs).map(|one| row(&catalogue, one)).collect::<Vec<_>>();
    json!({
        "format": FORMAT,
        "kind": "mutation-matrix",
        "tool": TOOL,
        "server": right.server,
        "reference": matrix.reference,
        "verdict": verdict,
        "elapsed_ms": u64::try_from(matrix.took.as_millis()).unwrap_or(u64::MAX),
        "right": {
            "executed": right.executed(),
            "wrong": right.wrong(),
            "error": right.unknown.as_ref().map(ToString::to_string),
        },
        "idle": matrix.idle,
        "faults": rows(false),
        "bugs": rows(true),
    })
}

fn row(catalogue: &Catalogue, row: &Row) -> Value {
    let case = &row.case;
    let mut shown = json!({
        "name": case.fault.name,
        "what": case.fault.what,
        "clauses": case.clauses,
        "fate": Fate::NAMES[row.fate.column()].replace(' ', "-"),
        "plays": row.plays,
        "scenarios": cells(&row.own),
        "sample": cells(&row.sample),
    });
    match case.thread {
        Some(thread) => shown["thread"] = thread.into(),
        None => shown["area"] = area(catalogue, row).into(),
    }
    if let Fate::CannotBeShown(why) = &row.fate {
        shown["reason"] = why.as_str().into();
    }
    shown
}

fn cells(cells: &Cells) -> Value {
    let cell = |(scenario, outcome): (&String, &Outcome)| (scenario.clone(), word(outcome).into());
    Value::Object(cells.iter().map(cell).collect::<Map<_, _>>())
}

/// The result of a scenario, as a word.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Failed { .. } => "killed",
        Outcome::Passed => "passed",
        Outcome::Skipped { .. } => "skipped",
        Outcome::Errored { .. } => "errored",
    }
}
