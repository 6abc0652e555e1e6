use std::time::Duration;

use harness::{Failure, Outcome, TestError};
use serde_json::json;

use super::case::Case;
use super::json;
use super::matrix::Matrix;
use super::right::Right;
use super::row::{Cells, Fate, Row};
use crate::exit::Exit;

/// A fault of an area with few of them, and one of another.
const SWAP: &str = "stream-ordered";
const OTHER: &str = "watch-create-added";

fn case(name: &str) -> Case {
    Case::of_fault(reference::faults().find(|fault| fault.name == name).unwrap())
}

fn killed() -> Outcome {
    Outcome::Failed { failure: Failure { expected: "a".to_owned(), actual: "b".to_owned(), exchange: None } }
}

fn skipped() -> Outcome {
    Outcome::Skipped { reason: "it has none".to_owned() }
}

fn cells(cells: &[(&str, Outcome)]) -> Cells {
    cells.iter().map(|(name, outcome)| ((*name).to_owned(), outcome.clone())).collect()
}

fn right(passed: &[(&str, &str)]) -> Right {
    let scenarios = passed.iter().map(|(scenario, clause)| {
        let one = json!({
            "scenario": scenario, "clauses": [clause], "outcome": "passed", "elapsed_ms": 1, "exchanges": 1,
        });
        ((*scenario).to_owned(), serde_json::from_value(one).unwrap())
    });
    let nothing = Right::unknown(TestError::new("send", "nothing"));
    Right { scenarios: scenarios.collect(), unknown: None, ..nothing }
}

fn row(name: &str, own: &[(&str, Outcome)], right: &Right) -> Row {
    let own = cells(own);
    let fate = Fate::of(&own, right, None);
    Row { case: case(name), fate, own, sample: Cells::new(), plays: 1, took: Duration::ZERO }
}

fn matrix(right: Right, rows: Vec<Row>) -> Matrix {
    Matrix::new(true, right, rows, Duration::from_secs(1))
}

#[test]
fn a_fault_is_caught_by_what_fails_and_by_nothing_else() {
    let right = right(&[(SWAP, SWAP)]);
    let fate = |own: &[(&str, Outcome)], hidden: Option<&str>| {
        Fate::of(&cells(own), &right, hidden.map(str::to_owned))
    };
    let errored = Outcome::Errored { test_error: TestError::new("send", "no response") };
    assert_eq!(fate(&[(SWAP, killed())], Some("nothing changed")), Fate::Caught);
    assert_eq!(fate(&[(SWAP, Outcome::Passed)], None), Fate::Survived);
    assert_eq!(fate(&[(SWAP, errored)], None), Fate::Survived);
    assert_eq!(fate(&[(SWAP, skipped())], None), Fate::Survived, "the scenario runs on the right server");
    assert_eq!(fate(&[("stream-else", skipped())], None), Fate::NotApplicable);
    let hidden = fate(&[(SWAP, Outcome::Passed)], Some("nothing changed"));
    assert_eq!(hidden, Fate::CannotBeShown("nothing changed".to_owned()));
}

#[test]
fn a_scenario_that_no_fault_of_its_clause_kills_is_idle() {
    let variant = format!("{SWAP}/custom-resource");
    let right = right(&[(SWAP, SWAP), (variant.as_str(), SWAP), (OTHER, OTHER)]);
    let rows = vec![row(SWAP, &[(SWAP, killed()), (variant.as_str(), Outcome::Passed)], &right)];

    let matrix = matrix(right, rows);

    assert_eq!(matrix.idle, [variant], "of the other clause no fault was tried");
    assert_eq!(matrix.exit(), Exit::Failed);
}

#[test]
fn a_surviving_fault_is_reported_instead_of_an_idle_scenario() {
    let right = right(&[(SWAP, SWAP)]);
    let rows = vec![row(SWAP, &[(SWAP, Outcome::Passed)], &right)];

    let matrix = matrix(right, rows);

    assert_eq!(matrix.idle, [""; 0]);
    assert_eq!(matrix.exit(), Exit::Failed);
    assert!(matrix.to_string().contains("stream-ordered: SURVIVES"), "{matrix}");
}

#[test]
fn the_page_has_each_fault_and_its_failing_scenarios() {
    let variant = format!("{SWAP}/custom-resource");
    let right = right(&[(SWAP, SWAP), (variant.as_str(), SWAP), (OTHER, OTHER)]);
    let swap = row(SWAP, &[(SWAP, killed()), (variant.as_str(), killed())], &right);
    let other = row(OTHER, &[(OTHER, killed())], &right);

    let page = matrix(right, vec![swap, other]).page();

    let line = "| `stream-ordered` | a watch swaps each pair of events | itself, `/custom-resource` |";
    assert!(page.lines().any(|one| one == line), "{page}");
    let (watch, streams) = (page.find("## watch"), page.find("## streams"));
    assert!(watch.is_some() && watch < streams, "the order is that of the catalogue: {page}");
    assert!(page.contains("| all | 2 | 3 |"), "{page}");
}

#[test]
fn the_document_has_the_result_of_each_scenario() {
    let right = right(&[(SWAP, SWAP)]);
    let rows = vec![row(SWAP, &[(SWAP, killed()), ("stream-else", skipped())], &right)];

    let document = json::document(&matrix(right, rows));

    assert_eq!(document["verdict"], "proven");
    let expected = json!({ SWAP: "killed", "stream-else": "skipped" });
    assert_eq!(document["faults"][0]["scenarios"], expected);
    assert_eq!(document["faults"][0]["fate"], "caught");
    assert_eq!(document["faults"][0]["area"], "streams");
}
