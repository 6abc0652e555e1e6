//! One response that is late or lost decides nothing about the server, and stops no other scenario.

use std::time::Duration;

use crate::support::{Proxy, Reference, Reply, kube_assay};

/// Nobody owes a watch an event of a write that is still under way.
#[test]
fn a_write_that_takes_longer_than_an_event_may() {
    let reference = Reference::right();
    let proxy = Proxy::but_first(
        &reference,
        |method, path| method == "PATCH" && path.contains("/writer-"),
        || {
            std::thread::sleep(Duration::from_secs(4));
            Reply::Pass
        },
    );
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let clause = ["--clause", "watch-concurrent-same-order", "--event-timeout", "1500ms"];
    run.with(&clause).end().ended_with(0);
}

/// All rules of a definition are tried by one dry run.
#[test]
fn a_definition_of_many_scenarios_survives_a_lost_response() {
    let reference = Reference::right();
    let is_trial = |method: &str, path: &str| method == "POST" && path.contains(".kube-assay.dev/");
    let proxy = Proxy::but_first(&reference, is_trial, || Reply::Hold);
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    run.with(&["--clause", "cel-types-b*", "--request-timeout", "2s"]).end().ended_with(0);
}
