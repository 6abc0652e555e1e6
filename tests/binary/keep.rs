//! `run --keep`: the objects of failed scenarios stay until `clean` removes them.

use serde_json::Value;

use crate::stand_alone::DEPLOYMENT;
use crate::support::{Ended, Reference, kube_assay};

/// Runs the command that the end of a run shows.
fn clean_as_shown(ended: &Ended, target: &[&str]) {
    let (_, command) = ended.out.split_once("kube-assay clean --run ").unwrap();
    let run = command.split_whitespace().next().unwrap();
    kube_assay(&["clean", "--run", run]).with(target).end().ended_with(0);
}

#[test]
fn kept_objects_stay_until_clean_removes_them() {
    let wrong = Reference::wrong(&["update-put-stale-rv-409"]);
    let target = ["--server", &wrong.url(), "--token", wrong.token()];
    let clause = "update-put-stale-rv-409";
    let ended = kube_assay(&["run", "--keep", "--clause", clause]).with(&target).end().ended_with(1);
    let kept = wrong.left_behind();
    assert!(kept.iter().any(|name| name.starts_with("gadgets.")), "{}", ended.out);
    // The next run works beside them, and removes nothing of them.
    kube_assay(&["run", "--clause", clause]).with(&target).end().ended_with(1);
    assert_eq!(wrong.left_behind(), kept);
    clean_as_shown(&ended, &target);
    assert_eq!(wrong.left_behind(), [""; 0]);
}

/// The definitions that a run of two clauses keeps on a server with these faults.
fn kept_definitions(faults: &[&str]) -> Vec<String> {
    let wrong = Reference::wrong(faults);
    let target = ["--server", &wrong.url(), "--token", wrong.token()];
    let clauses = ["--clause", "update-put-stale-rv-409", "--clause", "discovery-disabled-version-404"];
    kube_assay(&["run", "--keep"]).with(&clauses).with(&target).end().ended_with(1);
    let plural = |name: String| name.split_once('.').map(|(plural, _)| plural.to_owned());
    wrong.left_behind().into_iter().filter_map(plural).collect()
}

#[test]
fn a_definition_is_kept_only_if_a_failed_scenario_uses_it() {
    assert_eq!(kept_definitions(&["update-put-stale-rv-409"]), ["gadgets"]);
    assert_eq!(kept_definitions(&["discovery-disabled-version-404"]), ["editions"]);
}

#[test]
fn on_a_server_without_namespaces_the_collections_are_kept() {
    let wrong = Reference::stand_alone_with(&["update-put-stale-rv-409"]);
    let deployments = "/apis/apps/v1/deployments";
    let target = ["--server", &wrong.url(), "--token", wrong.token()];
    let clause = ["--clause", "update-put-stale-rv-409"];
    let program = kube_assay(&["run", "--keep", "--subject", "apps/v1/deployments"]).with(&target);
    let template = program.file("template.yaml", DEPLOYMENT);
    let ended = program.with(&["--template", &template]).with(&clause).end().ended_with(1);
    assert!(!wrong.ours(deployments).is_empty(), "{}", ended.out);
    let events = ended.report("events.jsonl");
    let finished: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    let kept = finished["kept"].as_array().unwrap();
    assert!(!kept.is_empty(), "{finished}");
    for path in kept {
        assert!(!wrong.names(path.as_str().unwrap()).is_empty(), "{finished}");
    }
}
