//! Servers without one feature: clauses that do not mention it still pass.

mod features;
mod run;

use features::{FEATURES, Feature};
use futures::StreamExt;
use harness::Outcome;

/// The number of concurrent servers.
const SERVERS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_feature_fails_no_clause_that_does_not_mention_it() {
    let failures = futures::stream::iter(FEATURES).map(failures).buffer_unordered(SERVERS);
    let failures = failures.collect::<Vec<_>>().await.concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_pattern_matches_a_clause_with_a_scenario() {
    let suites = suites::all();
    let with_scenarios = suites::tested_clauses(&suites);
    for pattern in FEATURES.iter().flat_map(|feature| feature.silent) {
        assert!(
            with_scenarios.iter().any(|clause| harness::matches(pattern, clause)),
            "no scenario tests {pattern}"
        );
    }
}

/// The failures on a server without a feature, one line each.
async fn failures(feature: &'static Feature) -> Vec<String> {
    let name = feature.fault.name;
    let tally = match run::run(feature).await {
        Ok(tally) => tally,
        Err(test_error) => return vec![format!("without {name}: {test_error}")],
    };
    assert!(tally.executed() > 0, "without {name} no scenario runs");
    let failed = tally.scenarios().filter_map(|scenario| match &scenario.outcome {
        Outcome::Failed { failure } => {
            let (expected, actual) = (&failure.expected, &failure.actual);
            Some(format!("without {name}: {}: expected {expected}, actual {actual}", scenario.scenario))
        }
        _ => None,
    });
    failed.collect()
}
