//! Known failures, stale ones and flaky scenarios, in every report.

use model::{
    Conditions, Event, EventKind, FailureReason, KnownFailure, Listed, Outcome, Repetitions, Stale, Staleness,
};

use crate::tests::example::{Example, clause, failed, skipped};
use crate::tests::{junit, rendered, shown};
use crate::{Format, Look, Options, Standing, Turned, Verbosity, turns, write_turns};

fn known(reason: &str) -> FailureReason {
    FailureReason { reason: reason.to_owned(), link: "https://example.com/issues/1".to_owned() }
}

fn stale(id: &str, why: Staleness) -> Stale {
    let until = (why == Staleness::Expired).then(|| jiff::civil::date(2026, 2, 28));
    let entry = KnownFailure {
        of: Listed::Clause(id.into()),
        why: known("it was so once"),
        until,
        inconclusive: false,
        only: Conditions::default(),
    };
    Stale { entry, why }
}

/// A run with two known failures for one reason, one of a `may`, a flaky scenario, and these stale entries.
fn run(stale: Vec<Stale>, flaky: bool) -> Vec<Event> {
    let level = |id: &str, level: &str| clause("watch", id, level, "It watches.");
    let levels = [("w-a", "must"), ("w-b", "must"), ("w-c", "may"), ("w-d", "should"), ("w-e", "must")];
    let mut run = Example::new(levels.map(|(id, of)| level(id, of)).to_vec());
    run.start(6);
    for id in ["w-a", "w-a/custom-resource"] {
        run.add(id, 5, failed("an event", "none")).known_failure = Some(known("our store has | no history"));
    }
    run.add("w-b", 5, skipped("no hook"));
    run.add("w-c", 5, failed("a table", "none")).known_failure = Some(known("no tables"));
    let last = run.add("w-d", 15, if flaky { failed("an event", "none") } else { Outcome::Passed });
    let failed = usize::from(flaky);
    last.repetitions = Some(Repetitions { passed: 3 - failed, failed, errored: 0, skipped: 0 });
    run.add("w-e", 5, Outcome::Passed);
    run.end(&[]);
    if let Some(Event { kind: EventKind::RunFinished(finished), .. }) = run.events.last_mut() {
        finished.stale = stale;
    }
    run.events
}

pub(super) fn all() -> Vec<Event> {
    use Staleness::{Expired, Passed, Unknown};
    run(vec![stale("w-e", Passed), stale("unknown", Unknown), stale("w-d", Expired)], true)
}

fn results(events: &[Event], verbosity: Verbosity) -> String {
    let look = Look { width: 100, colour: false };
    shown(events, Options { verbosity, results: look, ..Options::default() }).1
}

#[test]
fn the_terminal_tells_them_apart() {
    insta::assert_snapshot!(results(&all(), Verbosity::Normal));
}

#[test]
fn quiet_output_has_failures_only() {
    let output = results(&all(), Verbosity::Quiet);
    assert!(
        output.contains("flaky          w-d") && output.contains("stale          there is no clause unknown"),
        "{output}"
    );
    assert!(!output.contains("w-a"), "{output}");
}

#[test]
fn known_failures_fail_no_run() {
    let output = results(&run(Vec::new(), false), Verbosity::Normal);
    assert!(
        output.contains(
            "known failures: 2 clauses fail as expected; 4 of 5 clauses tested, 1 skipped (1 must clause)"
        ),
        "{output}"
    );
}

#[test]
fn a_may_that_fails_on_one_shape_does_not_hide_that_it_is_flaky_on_another() {
    let mut run = Example::new(vec![clause("watch", "w", "may", "It watches.")]);
    run.start(2);
    run.add("w", 5, failed("a table", "none"));
    run.add("w/custom-resource", 5, failed("a table", "none")).repetitions =
        Some(Repetitions { passed: 1, failed: 1, errored: 0, skipped: 0 });
    run.end(&[]);
    let output = results(&run.events, Verbosity::Normal);
    assert!(output.contains("of 2 repetitions: 1 passed, 1 failed"), "{output}");
    assert!(output.contains("nonconformant: 1 clause flaky"), "{output}");
}

#[test]
fn junit_skips_what_is_known_and_fails_what_is_stale_or_flaky() {
    let cases = junit::parse(&rendered(Format::Junit, &all()));
    let shown: Vec<String> = cases
        .iter()
        .map(|case| format!("{} {} {}: {}", case.class, case.name, case.came, case.message))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn the_coverage_lists_known_failures() {
    let coverage = rendered(Format::Coverage, &all());
    let row = r"| `w-a/custom-resource` | our store has \| no history | https://example.com/issues/1 |";
    assert!(coverage.contains(row), "{coverage}");
}

#[test]
fn the_summary_counts_them() {
    let summary: serde_json::Value = serde_json::from_str(&rendered(Format::Summary, &all())).unwrap();
    let counts = &summary["counts"];
    assert_eq!((&counts["known_failure"], &counts["flaky"]), (&2.into(), &1.into()));
    assert_eq!(summary["stale"].as_array().unwrap().len(), 3);
    assert_eq!(summary["clauses"][0]["verdict"], "known_failure");
    assert_eq!(
        summary["clauses"][0]["scenarios"][1]["known_failure"]["reason"],
        "our store has | no history"
    );
    assert_eq!(summary["clauses"][3]["scenarios"][0]["repetitions"]["failed"], 1);
}

#[test]
fn what_changed_between_two_runs_reads_well() {
    let standing = |events: &[Event]| Standing::read(&rendered(Format::Summary, events)).unwrap();
    let (base, new) = (standing(&crate::tests::example::everything()), standing(&all()));
    let changes = turns(&base, &new);
    assert!(changes.iter().all(|turn| turn.fails == (turn.turned == Turned::Failing)));
    let mut bytes = Vec::new();
    write_turns((&base, &new), &changes, Look { width: 80, colour: false }, &mut bytes).unwrap();
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
    assert!(turns(&new, &new).is_empty());
}

#[test]
fn a_summary_of_another_format_is_not_compared() {
    let summary = rendered(Format::Summary, &all());
    for (format, advice) in [("1", "repeat the run"), ("3", "use a newer kube-assay")] {
        let other = summary.replacen("\"format\": 2", &format!("\"format\": {format}"), 1);
        let refused = Standing::read(&other).unwrap_err().to_string();
        assert!(refused.contains(advice), "{refused}");
    }
}
