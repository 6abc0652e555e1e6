//! The verdicts of a conformance run, read from its `summary.json`.

use std::collections::{BTreeMap, HashSet};

use model::{Counts, FORMAT, Level, Verdict};
use serde::Deserialize;

use crate::words::plural;

/// A conformance run, as far as another one is compared with it.
#[derive(Debug, Clone)]
pub struct Standing {
    pub(super) about: String,
    pub(super) incomplete: Option<&'static str>,
    pub(super) strict: bool,
    pub(super) scenarios: BTreeMap<String, Stood>,
}

/// How a scenario, or a clause without any, stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stood {
    pub(super) verdict: Verdict,
    pub(super) why: String,
}

/// Why a summary cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum StandingError {
    /// Written by a later version.
    #[error("its format is {0}, and this kube-assay reads format {FORMAT}; hint: use a newer kube-assay")]
    TooNew(u32),
    /// Written by an earlier version.
    #[error(
        "its format is {0}, and this kube-assay reads format {FORMAT}; hint: repeat the run with this kube-assay"
    )]
    TooOld(u32),
    /// No summary of a conformance run.
    #[error(
        "it is no summary of a conformance run ({0}); hint: name the summary.json or events.jsonl that `kube-assay run` wrote"
    )]
    Damaged(#[from] serde_json::Error),
    /// No run has both results.
    #[error(
        "it contradicts itself: {0}; hint: write it again with `kube-assay report EVENTS --summary FILE`"
    )]
    Contradiction(String),
}

/// As much of `summary.json` as is compared.
#[derive(Deserialize)]
struct Summary {
    run: Run,
    target: Option<Target>,
    counts: Counts,
    clauses: Vec<OfClause>,
}

#[derive(Deserialize)]
struct Run {
    id: String,
    strict: bool,
    ended: bool,
    stopped: Option<String>,
    server_change: Option<String>,
    #[serde(default)]
    lost_results: usize,
}

#[derive(Deserialize)]
struct Target {
    address: String,
    #[serde(default)]
    release: String,
}

#[derive(Deserialize)]
struct OfClause {
    id: String,
    level: Level,
    observable: bool,
    verdict: Verdict,
    #[serde(default)]
    reason: String,
    scenarios: Vec<OfScenario>,
}

#[derive(Deserialize)]
struct OfScenario {
    id: String,
    verdict: Verdict,
    #[serde(default)]
    why: String,
}

impl Standing {
    /// Of the `summary.json` of a run.
    pub fn read(summary: &str) -> Result<Self, StandingError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format } = serde_json::from_str(summary)?;
        match format {
            ..FORMAT => return Err(StandingError::TooOld(format)),
            FORMAT => {}
            _ => return Err(StandingError::TooNew(format)),
        }
        let Summary { run, target, counts, mut clauses } = serde_json::from_str(summary)?;
        clauses.retain(|clause| clause.observable);
        if let Some(contradiction) = contradiction(&clauses, counts) {
            return Err(StandingError::Contradiction(contradiction));
        }
        let at = target.map(|target| format!("{} {}, ", target.address, target.release)).unwrap_or_default();
        Ok(Self {
            about: format!("{at}run {}", run.id),
            incomplete: run.incomplete(),
            strict: run.strict,
            scenarios: scenarios(clauses),
        })
    }

    /// Why the run is not the whole run of one server; `None` if it ended by itself, and all its results are known.
    pub fn incomplete(&self) -> Option<&'static str> {
        self.incomplete
    }
}

impl Run {
    fn incomplete(&self) -> Option<&'static str> {
        match self {
            Self { ended: false, .. } | Self { stopped: Some(_), .. } => Some("the run did not finish"),
            Self { server_change: Some(_), .. } => Some("the server changed during the run"),
            Self { lost_results: 1.., .. } => Some("the recording has lost results"),
            _ => None,
        }
    }
}

fn scenarios(clauses: Vec<OfClause>) -> BTreeMap<String, Stood> {
    let mut scenarios = BTreeMap::new();
    for clause in clauses {
        if clause.scenarios.is_empty() {
            let stood = Stood { verdict: Verdict::Skipped, why: clause.reason };
            scenarios.entry(clause.id).or_insert(stood);
        }
        for OfScenario { id, verdict, why } in clause.scenarios {
            scenarios.insert(id, Stood { verdict, why });
        }
    }
    scenarios
}

/// The first contradiction among the clauses, or between them and their counts. A summary that was changed by hand, or put
/// together from two, would hide failures.
fn contradiction(clauses: &[OfClause], counts: Counts) -> Option<String> {
    let mut ids = HashSet::new();
    for clause in clauses {
        if !ids.insert(&clause.id) {
            return Some(format!("it has the clause {:?} twice", clause.id));
        }
        let folded = Verdict::fold(clause.scenarios.iter().map(|one| at_level(one.verdict, clause.level)));
        if clause.verdict != folded {
            let (id, verdict) = (&clause.id, clause.verdict);
            return Some(format!(
                "the verdict on {id:?} is {verdict}, and that of its scenarios is {folded}"
            ));
        }
    }
    let counted: Counts = clauses.iter().map(|clause| clause.verdict).collect();
    let different = |verdict: &Verdict| counts.of(*verdict) != counted.of(*verdict);
    let verdict = Verdict::ALL.into_iter().find(different)?;
    let (said, found) = (counts.of(verdict), counted.of(verdict));
    Some(format!("it counts {} as {verdict}, and has {found}", plural(said, "clause")))
}

/// The verdict of a scenario, which is that on its strongest clause, at the level of another one of its clauses.
fn at_level(verdict: Verdict, level: Level) -> Verdict {
    match (verdict, level) {
        (Verdict::Failed | Verdict::Warning | Verdict::NotSupported, Level::Must) => Verdict::Failed,
        (Verdict::Failed | Verdict::Warning | Verdict::NotSupported, Level::Should) => Verdict::Warning,
        (Verdict::Failed | Verdict::Warning | Verdict::NotSupported, Level::May) => Verdict::NotSupported,
        _ => verdict,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn summary() -> Value {
        let clause = |id: &str, level: &str, verdict: &str| {
            json!({
                "id": id, "level": level, "observable": true, "verdict": verdict,
                "scenarios": [{ "id": "a-b", "verdict": "failed" }],
            })
        };
        json!({
            "format": FORMAT,
            "run": { "id": "r", "strict": false, "ended": true },
            "counts": {
                "passed": 0, "failed": 1, "warning": 1, "not_supported": 0, "flaky": 0, "known_failure": 0,
                "inconclusive": 0, "skipped": 0,
            },
            "clauses": [clause("a-b", "must", "failed"), clause("a-c", "should", "warning")],
        })
    }

    fn refused(change: impl Fn(&mut Value)) -> String {
        let mut summary = summary();
        change(&mut summary);
        Standing::read(&summary.to_string()).unwrap_err().to_string()
    }

    #[test]
    fn a_summary_that_contradicts_itself_is_refused() {
        let standing = Standing::read(&summary().to_string()).unwrap();
        assert_eq!((standing.incomplete(), standing.scenarios.len()), (None, 1));
        for (change, expected) in [
            (
                &(|all: &mut Value| all["clauses"] = json!([])) as &dyn Fn(&mut Value),
                "1 clause as failed, and has 0",
            ),
            (&|all| all["counts"]["passed"] = json!(3), "3 clauses as passed, and has 0"),
            (&|all| all["clauses"][1]["id"] = json!("a-b"), "it has the clause \"a-b\" twice"),
            (
                &|all| all["clauses"][0]["verdict"] = json!("passed"),
                "\"a-b\" is passed, and that of its scenarios is failed",
            ),
        ] {
            let why = refused(change);
            assert!(why.contains(expected), "{why}");
        }
    }

    #[test]
    fn a_run_without_all_its_results_from_one_server_is_incomplete() {
        for (field, value) in [
            ("ended", json!(false)),
            ("stopped", json!("Ctrl-C")),
            ("server_change", json!("another release")),
            ("lost_results", json!(2)),
        ] {
            let mut summary = summary();
            summary["run"][field] = value;
            assert!(Standing::read(&summary.to_string()).unwrap().incomplete().is_some(), "{field}");
        }
    }
}
