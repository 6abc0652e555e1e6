//! Daily use: known failures, shards, repetitions, and what failed before.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::support::http::Message;
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

/// The scenario runs on two types.
const EXACT: &str = "rv-list-exact-nolimit-nonzero";
const ON_CUSTOM: &str = "rv-list-exact-nolimit-nonzero/custom-resource";

fn deaf_to_exact(reference: &Reference) -> Proxy {
    Proxy::deaf(reference, "resourceVersionMatch=Exact")
}

fn test_run(url: &str, reference: &Reference) -> Program {
    kube_assay(&["run", "--server", url, "--token", reference.token()])
}

/// Asks about the one clause, with this list of known failures.
fn excusing(url: &str, reference: &Reference, known: &str) -> Program {
    let program = test_run(url, reference).with(&["--clause", EXACT, "--known-failures", "known.toml"]);
    program.file("known.toml", known);
    program
}

fn entry(of: &str, more: &str) -> String {
    format!("[[known_failure]]\n{of}\nreason = \"it is deaf\"\nlink = \"https://example.com/1\"\n{more}\n")
}

fn summary(ended: &Ended) -> Value {
    serde_json::from_str(&ended.report("summary.json")).unwrap()
}

/// Every scenario of a run with its outcome.
fn outcomes(ended: &Ended) -> BTreeSet<(String, String)> {
    let summary = summary(ended);
    let clauses = summary["clauses"].as_array().unwrap();
    let scenarios = clauses.iter().flat_map(|clause| clause["scenarios"].as_array().unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    scenarios.map(|one| (text(&one["id"]), text(&one["outcome"]))).collect()
}

#[test]
fn the_list_that_a_run_writes_is_accepted_as_it_stands() {
    let reference = Reference::right();
    let proxy = deaf_to_exact(&reference);
    let program = test_run(&proxy.url(), &reference).with(&["--clause", EXACT]);
    let found = program.with(&["--write-known-failures", "known.toml"]).end().ended_with(1);
    assert!(found.err.contains("known.toml: 0 known failures kept, 2 new"), "{}", found.err);
    let written = fs::read_to_string(found.folder().join("known.toml")).unwrap();
    assert!(written.contains(ON_CUSTOM) && written.contains("expected "));
    assert_eq!(written.matches("\n[[known_failure]]").count(), 1, "one entry for each cause: {written}");
    let (_, cause) = written.split_once("\n# c").unwrap();
    let cause = format!("cause = \"c{}\"", &cause[..8]);
    excusing(&proxy.url(), &reference, &entry(&cause, "")).end().ended_with(0);
    let pattern = entry("clause = \"rv-list-exact-*-nonzero\"", "");
    excusing(&proxy.url(), &reference, &pattern).end().ended_with(0);
    // The selection leaves out other matches, so that the pattern is not stale.
    excusing(&reference.url(), &reference, &pattern).end().ended_with(0);
    let unlinked = excusing(&proxy.url(), &reference, &written).end().ended_with(0);
    assert!(unlinked.err.contains("2 of 2 known failures in"), "{}", unlinked.err);
    assert!(unlinked.out.contains("not tracked yet"), "{}", unlinked.out);

    let linked = written.replace("\nreason = ", "\nlink = \"https://example.com/1\"\nreason = ");
    let excused = excusing(&proxy.url(), &reference, &linked).end().ended_with(0);
    assert!(excused.out.contains("known failures: 1 clause fails as expected"), "{}", excused.out);
    assert!(excused.out.contains("https://example.com/1"), "{}", excused.out);
    let counts = &summary(&excused)["counts"];
    assert_eq!((&counts["known_failure"], &counts["failed"]), (&Value::from(1), &Value::from(0)));
    let junit = excused.report("junit.xml");
    assert!(junit.contains("known failure: ") && !junit.contains("<failure"), "{junit}");
    assert!(excused.report("coverage.md").contains("## Known failures"));

    let stale = excusing(&reference.url(), &reference, &linked).end().ended_with(1);
    assert!(stale.out.contains(&format!("scenario {EXACT} passes: remove the entry")), "{}", stale.out);
    assert!(stale.out.contains("nonconformant: 2 known failures stale"), "{}", stale.out);
    assert!(stale.report("junit.xml").contains("kube-assay.known-failures"));
}

#[test]
fn an_entry_applies_only_under_its_conditions() {
    let reference = Reference::right();
    let proxy = deaf_to_exact(&reference);
    let clause = format!("clause = \"{EXACT}\"");
    let excused = |known: &str| excusing(&proxy.url(), &reference, known).end();
    excused(&entry(&clause, "version = \">=1.20\"\nuntil = 9999-12-31")).ended_with(0);
    for elsewhere in ["version = \">=9.0\"", "server = \"+nobody\"", "feature = \"CEL\""] {
        let ended = excused(&entry(&clause, elsewhere)).ended_with(1);
        assert!(!ended.out.contains("stale"), "{}", ended.out);
    }
    let past = excused(&entry(&clause, "until = 2020-02-29")).ended_with(1);
    assert!(past.out.contains("the entry was valid until 2020-02-29"), "{}", past.out);
    assert_eq!(summary(&past)["counts"]["failed"], 1);
    let unknown = entry(&clause, "") + &entry("scenario = \"nobody\"", "");
    let unknown = excused(&unknown).ended_with(1);
    assert!(unknown.out.contains("there is no scenario nobody"), "{}", unknown.out);
    let errors = [
        excused(&entry(&clause, "feature = \"CLE\"")).error(),
        excused("[[known_failure]]\nreason = 3\n").error(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_list_is_written_again_without_what_is_stale() {
    let reference = Reference::right();
    let elsewhere = entry("clause = \"watch-a\"", "version = \">=9.0\"");
    let list = entry(&format!("clause = \"{EXACT}\""), "") + &elsewhere;
    let program = excusing(&reference.url(), &reference, &list);
    let ended = program.with(&["--write-known-failures", "known.toml"]).end().ended_with(1);
    let written = fs::read_to_string(ended.folder().join("known.toml")).unwrap();
    assert!(
        !written.contains(EXACT) && written.contains("watch-a") && written.contains(">=9.0"),
        "{written}"
    );
}

#[test]
fn only_failed_scenarios_run_again() {
    let mut errors = Vec::new();
    let reference = Reference::right();
    let proxy = deaf_to_exact(&reference);
    let first = test_run(&proxy.url(), &reference).with(&["--clause", "rv-list-exact-*"]).end().ended_with(1);
    let failed: BTreeSet<String> =
        outcomes(&first).into_iter().filter(|(_, outcome)| outcome == "failed").map(|(id, _)| id).collect();
    assert!(failed.contains(EXACT) && failed.contains(ON_CUSTOM), "{failed:?}");
    assert!(outcomes(&first).len() > failed.len());

    let again = |recording: &str| {
        let program = test_run(&reference.url(), &reference).with(&["--rerun-failed", "before.jsonl"]);
        program.file("before.jsonl", recording);
        program.end()
    };
    let whole = first.report("events.jsonl");
    errors.push(again(&whole).error());
    let whole = whole.replace(&proxy.url(), &reference.url());
    let second = again(&whole).ended_with(0);
    let repeated: BTreeSet<String> = outcomes(&second).into_iter().map(|(id, _)| id).collect();
    assert_eq!(repeated, failed);
    let cut = again(&whole[..whole.len() - 40]).ended_with(0);
    assert!(cut.err.contains("is cut off") && outcomes(&cut) == outcomes(&second), "{}", cut.err);
    let nothing = again(&second.report("events.jsonl")).ended_with(0);
    assert!(nothing.err.contains("nothing to run again: in before.jsonl nothing failed"), "{}", nothing.err);
    errors.push(again("hello\n").error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_folder_names_the_recording_in_it() {
    let reference = Reference::right();
    let first = test_run(&reference.url(), &reference).with(&["--clause", EXACT]).end().ended_with(0);
    let reports = first.reports();
    let program = test_run(&reference.url(), &reference);
    let again = program.with(&["--rerun-failed", reports.to_str().unwrap()]).end().ended_with(0);
    assert!(again.err.contains("nothing to run again"), "{}", again.err);
}

#[test]
fn a_failed_invariant_check_runs_again_with_its_scenario() {
    let rule = "pagination-remaining-count-unchunked";
    let reference = Reference::wrong(&[rule]);
    let program =
        test_run(&reference.url(), &reference).with(&["--clause", rule, "--clause", "rv-list-nomatch-*"]);
    let first = program.end().ended_with(1);
    let program = test_run(&reference.url(), &reference).with(&["--rerun-failed", "before.jsonl", "-v"]);
    program.file("before.jsonl", &first.report("events.jsonl"));
    let again = program.end().ended_with(1);
    assert!(outcomes(&again).contains(&(format!("{rule}/invariant"), "failed".to_owned())), "{}", again.out);
    assert!(again.out.contains("seen in"), "{}", again.out);
}

/// The ids that `list scenarios` shows.
fn listed(more: &[&str]) -> Vec<String> {
    let ended = kube_assay(&["list", "scenarios", "-o", "json"]).with(more).end().ended_with(0);
    let rows: Vec<Value> = serde_json::from_str(&ended.out).unwrap();
    rows.iter().map(|row| row["scenario"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn shards_are_disjoint_and_complete() {
    let mut parts: Vec<String> =
        ["1/3", "2/3", "3/3"].iter().flat_map(|shard| listed(&["--shard", shard])).collect();
    let mut whole = listed(&[]);
    parts.sort_unstable();
    whole.sort_unstable();
    assert!(whole.len() > 500);
    assert_eq!(parts, whole);
    kube_assay(&["list", "scenarios", "--shard", "4/3"]).end().ended_with(2);
}

#[test]
fn one_shard_has_every_kind_and_the_others_are_empty() {
    let reference = Reference::right();
    let ran = ["1/2", "2/2"].map(|shard| {
        let program = test_run(&reference.url(), &reference).with(&["--clause", EXACT]);
        program.with(&["--shard", shard]).end().ended_with(0)
    });
    let (idle, busy): (Vec<_>, Vec<_>) =
        ran.iter().partition(|ended| ended.err.contains("no selected scenario"));
    assert_eq!((idle.len(), busy.len()), (1, 1));
    assert_eq!(outcomes(busy[0]).len(), 2);
}

#[test]
fn shards_of_an_empty_selection_test_nothing() {
    let reference = Reference::right();
    for shard in ["1/2", "2/2"] {
        let program = test_run(&reference.url(), &reference).with(&["--read-only", "--shard", shard]);
        let ended = program.with(&["--clause", "update-put-overwrites"]).end().ended_with(3);
        assert!(ended.err.contains("none of the selected scenarios can run"), "{}", ended.err);
    }
}

#[test]
fn differing_repetitions_are_flaky() {
    let reference = Reference::right();
    let deaf_once = AtomicBool::new(false);
    let proxy = Proxy::before(&reference, move |request| {
        let first = request.first.replace("resourceVersionMatch=Exact", "");
        if first == request.first || deaf_once.swap(true, Ordering::SeqCst) {
            return Reply::Pass;
        }
        Reply::Instead(Message { first, ..request.clone() })
    });
    let program = test_run(&proxy.url(), &reference).with(&["--clause", EXACT, "--repeat", "3"]);
    let ended = program.end().ended_with(1);
    assert_eq!(summary(&ended)["counts"]["flaky"], 1);
    let junit = ended.report("junit.xml");
    assert_eq!((junit.matches("<testcase").count(), junit.matches("<failure").count()), (2, 1), "{junit}");
    assert_eq!(reference.left_behind(), [""; 0]);

    let program = test_run(&reference.url(), &reference).with(&["--clause", EXACT, "--repeat", "3"]);
    let steady = program.end().ended_with(0);
    assert!(steady.report("events.jsonl").contains("\"repetitions\":{\"passed\":3"), "{}", steady.out);
    assert_eq!(outcomes(&steady).len(), 2);
}

/// A run that was stopped has results without a name: nobody knows which scenarios they are of.
#[test]
fn a_rerun_of_what_failed_in_a_stopped_run_is_not_green() {
    let reference = Reference::right();
    let proxy = deaf_to_exact(&reference);
    let first = test_run(&proxy.url(), &reference).with(&["--clause", EXACT]).end().ended_with(1);
    let whole = first.report("events.jsonl").replace(&proxy.url(), &reference.url());
    let is_kept = |line: &&str| line.contains("\"event\":\"run_started\"") || !line.contains(ON_CUSTOM);
    let kept = whole.lines().filter(is_kept).map(|line| format!("{line}\n"));
    let program = test_run(&reference.url(), &reference).with(&["--rerun-failed", "before.jsonl"]);
    program.file("before.jsonl", &kept.collect::<String>());
    let again = program.end().ended_with(3);
    assert_eq!(outcomes(&again), BTreeSet::from([(EXACT.to_owned(), "passed".to_owned())]));
    let why = "1 results are missing without the names of their scenarios; hint: repeat the whole run";
    assert!(again.err.contains(why), "{}", again.err);
}

/// A recording that lacks results shows no server to be right.
#[test]
fn a_recording_that_lacks_results_never_has_nothing_to_run_again() {
    let reference = Reference::right();
    let first = test_run(&reference.url(), &reference).with(&["--clause", EXACT]).end().ended_with(0);
    let whole = first.report("events.jsonl");
    let again = |without: &dyn Fn(&str) -> bool| {
        let program = test_run(&reference.url(), &reference).with(&["--rerun-failed", "before.jsonl"]);
        let lines = whole.lines().filter(|line| !without(line)).map(|line| format!("{line}\n"));
        program.file("before.jsonl", &lines.collect::<String>());
        program.end()
    };
    let of = |line: &str, event: &str| line.contains(&format!("\"event\":\"{event}\""));
    let is_result = |line: &str| of(line, "scenario_finished") && line.contains(ON_CUSTOM);
    let lost = again(&is_result).ended_with(0);
    assert_eq!(outcomes(&lost), BTreeSet::from([(ON_CUSTOM.to_owned(), "passed".to_owned())]));

    let unnamed = again(&|line| line.contains(ON_CUSTOM) && !of(line, "run_started")).ended_with(3);
    assert!(
        unnamed.err.contains("1 results are missing") && unnamed.err.contains("hint: repeat"),
        "{}",
        unnamed.err
    );
    let unfinished = again(&|line| of(line, "run_finished")).ended_with(3);
    assert!(unfinished.err.contains("the run did not come to its own end"), "{}", unfinished.err);
    again(&|_| false).ended_with(0);
}
