//! Every scenario passes on the reference server, and every fault makes a scenario fail: each is a test case.
//!
//! The cases are `scenario::ID`, `fault::ID` and `bug::NAME` in snake case: `cargo test rv_list` runs the scenarios of
//! `rv-list-*` and plays their faults, and nothing else. Without a filter, the cases of the whole mutation matrix
//! (`matrix::…`) follow.

mod catalogue;
mod proof;

use std::process::ExitCode;
use std::sync::Arc;

use harness::ScenarioId;
use kube_assay::prove::{Case, cases};
use libtest_mimic::{Arguments, Completion, Failed, Trial, run};
use tokio::runtime::Runtime;

use proof::Proof;

/// The default number of concurrent test cases: faults mostly wait.
const DEFAULT_THREADS: usize = 24;

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    args.test_threads.get_or_insert(DEFAULT_THREADS);
    let is_selected = |name: &str| !args.is_filtered_out(&Trial::test(name, || Ok(())));
    let (scenarios, cases) = (scenarios(), cases());
    let all = scenarios.len() + cases.len();
    let chosen_scenarios: Vec<_> =
        scenarios.iter().filter(|id| is_selected(&scenario_name(id))).cloned().collect();
    let chosen_cases: Vec<_> = cases.iter().filter(|case| is_selected(&case_name(**case))).copied().collect();
    let is_whole = chosen_scenarios.len() + chosen_cases.len() == all;
    let runtime = Runtime::new().expect("a runtime");
    let proof = Arc::new(Proof::new(runtime.handle().clone(), &chosen_scenarios, &chosen_cases, is_whole));

    let tests = scenarios.into_iter().map(|id| scenario(&proof, id));
    let faults = cases.into_iter().map(|case| fault(&proof, case));
    let conclusion = run(&args, catalogue::trials().into_iter().chain(tests).chain(faults).collect());
    let matrix_conclusion = run(&args, matrix(&proof));
    if matrix_conclusion.has_failed() { matrix_conclusion.exit_code() } else { conclusion.exit_code() }
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

/// The checks of all scenarios and faults together.
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
        trial("every_scenario_fails_for_a_fault", Proof::has_no_idle_scenario),
        trial("docs_matrix_md_is_up_to_date", Proof::is_documented),
    ]
}
