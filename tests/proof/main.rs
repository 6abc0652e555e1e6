//! Every scenario passes on the reference server, and every fault in it fails a scenario: each a test case of its own.
//!
//! The cases are `scenario::ID`, `fault::ID` and `bug::NAME` in snake case, so that `cargo test rv_list` runs the
//! scenarios of `rv-list-*` and plays their faults, and nothing else. What the mutation matrix as a whole must be
//! (`matrix::…`) follows when nothing was filtered out.

mod catalogue;
mod proof;

use std::process::ExitCode;
use std::sync::Arc;

use harness::ScenarioId;
use kube_assay::prove::{Case, cases};
use libtest_mimic::{Arguments, Completion, Failed, Trial, run};
use tokio::runtime::Runtime;

use proof::Proof;

/// How many test cases run at a time, unless `--test-threads` says otherwise: faults mostly wait.
const AT_A_TIME: usize = 12;

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    args.test_threads.get_or_insert(AT_A_TIME);
    let chosen = |name: &str| !args.is_filtered_out(&Trial::test(name, || Ok(())));
    let (scenarios, cases) = (scenarios(), cases());
    let all = scenarios.len() + cases.len();
    let chosen_scenarios: Vec<_> =
        scenarios.iter().filter(|id| chosen(&scenario_name(id))).cloned().collect();
    let chosen_cases: Vec<_> = cases.iter().filter(|case| chosen(&case_name(**case))).copied().collect();
    let is_whole = chosen_scenarios.len() + chosen_cases.len() == all;
    let runtime = Runtime::new().expect("a runtime");
    let proof = Arc::new(Proof::new(runtime.handle().clone(), &chosen_scenarios, &chosen_cases, is_whole));

    let judged = scenarios.into_iter().map(|id| scenario(&proof, id));
    let played = cases.into_iter().map(|case| fault(&proof, case));
    let conclusion = run(&args, catalogue::trials().into_iter().chain(judged).chain(played).collect());
    let of_the_whole = run(&args, matrix(&proof));
    if of_the_whole.has_failed() { of_the_whole.exit_code() } else { conclusion.exit_code() }
}

/// The ids of all scenarios and invariant checks.
fn scenarios() -> Vec<ScenarioId> {
    let suites = suites::all();
    let of = |suite: &harness::Suite| -> Vec<ScenarioId> {
        let rules = suite.invariants.iter().map(|rule| ScenarioId::of_invariant(&rule.clause.into()));
        suite.scenarios.iter().map(|scenario| scenario.id.clone()).chain(rules).collect()
    };
    suites.iter().flat_map(of).collect()
}

fn scenario_name(id: &ScenarioId) -> String {
    format!("scenario::{}", id.as_str().replace('-', "_"))
}

fn case_name(case: Case) -> String {
    let kind = if case.is_bug() { "bug" } else { "fault" };
    format!("{kind}::{}", case.name().replace('-', "_"))
}

fn scenario(proof: &Arc<Proof>, id: ScenarioId) -> Trial {
    let proof = proof.clone();
    Trial::ignorable_test(scenario_name(&id), move || proof.judge(&id))
}

fn fault(proof: &Arc<Proof>, case: Case) -> Trial {
    let proof = proof.clone();
    Trial::ignorable_test(case_name(case), move || proof.play(case))
}

/// What must hold of all scenarios and faults together.
fn matrix(proof: &Arc<Proof>) -> Vec<Trial> {
    let trial = |name: &str, check: fn(&Proof) -> Result<(), Failed>| {
        let proof = proof.clone();
        Trial::ignorable_test(format!("matrix::{name}"), move || {
            if !proof.is_whole {
                return Ok(Completion::ignored_with("it needs every scenario and every fault"));
            }
            check(&proof).map(|()| Completion::Completed)
        })
    };
    vec![
        trial("nothing_is_left_behind", Proof::leaves_nothing_behind),
        trial("every_scenario_is_killed_by_a_fault", Proof::has_no_idle_scenario),
        trial("docs_matrix_md_says_the_same", Proof::is_documented),
    ]
}
