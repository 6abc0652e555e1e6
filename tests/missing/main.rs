//! Servers that lack one feature: clauses that do not mention it still pass.

mod features;
mod run;

use features::{FEATURES, Feature};
use futures::StreamExt;
use harness::Outcome;

/// How many servers are tested at a time.
const AT_A_TIME: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_feature_fails_no_clause_that_does_not_mention_it() {
    let failures = futures::stream::iter(FEATURES).map(failures).buffer_unordered(AT_A_TIME);
    let failures = failures.collect::<Vec<_>>().await.concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_pattern_names_a_clause_that_has_a_scenario() {
    let suites = suites::all();
    let answered = suites::answered(&suites);
    for pattern in FEATURES.iter().flat_map(|feature| feature.silent) {
        assert!(
            answered.iter().any(|clause| harness::matches(pattern, clause)),
            "nothing asks about {pattern}"
        );
    }
}

/// What is held against a server that lacks a feature, a line each.
async fn failures(feature: &'static Feature) -> Vec<String> {
    let name = feature.fault.name;
    let tally = match run::of(feature).await {
        Ok(tally) => tally,
        Err(test_error) => return vec![format!("without {name}: {test_error}")],
    };
    assert!(tally.executed() > 0, "without {name} nothing is asked");
    let failed = tally.scenarios().iter().filter_map(|one| match &one.outcome {
        Outcome::Failed { failure } => {
            let (expected, actual) = (&failure.expected, &failure.actual);
            Some(format!("without {name}: {}: expected {expected}, came {actual}", one.scenario))
        }
        _ => None,
    });
    failed.collect()
}
