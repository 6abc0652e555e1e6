//! What people see, letter by letter.

use std::sync::Arc;
use std::time::Duration;

use crate::tests::example::{Example, clause, everything, failed};
use crate::tests::{feed, shown};
use crate::{Look, Options, Terminal, Verbosity};
use model::{Clause, EventKind, Outcome, TestError};

fn look(width: usize, colour: bool) -> Options {
    let look = Look { width, colour };
    Options { progress: look, results: look, ..Options::default() }
}

/// Escapes made visible, so that a diff of a snapshot shows them.
fn visible(text: &str) -> String {
    text.replace('\u{1b}', "␛").replace('\r', "␍\n")
}

#[test]
fn results_at_80_columns() {
    let (progress, results) = shown(&everything(), look(80, false));
    insta::assert_snapshot!(format!("{progress}{results}"));
}

#[test]
fn results_at_120_columns_in_colour() {
    let (progress, results) = shown(&everything(), look(120, true));
    insta::assert_snapshot!(visible(&format!("{progress}{results}")));
}

#[test]
fn verbose_results() {
    let options = Options { verbosity: Verbosity::Verbose, ..look(100, false) };
    let (progress, results) = shown(&everything(), options);
    insta::assert_snapshot!(format!("{progress}{results}"));
}

#[test]
fn quiet_results() {
    let options = Options { verbosity: Verbosity::Quiet, interactive: true, ..look(80, false) };
    let (progress, results) = shown(&everything(), options);
    assert_eq!(progress, "");
    insta::assert_snapshot!(results);
}

#[test]
fn a_progress_line_is_drawn_again_and_then_cleared() {
    let options = Options { interactive: true, ..look(80, false) };
    let (progress, _) = shown(&everything(), options);
    insta::assert_snapshot!(visible(&progress));
}

#[test]
fn a_conformant_run_is_calm() {
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "/livez responds.")]);
    run.start(1);
    run.add("health-livez", 3, Outcome::Passed);
    run.end(&[]);
    let (progress, results) = shown(&run.events, look(80, false));
    insta::assert_snapshot!(format!("{progress}{results}"));
}

#[test]
fn a_test_error_is_explained_once() {
    let ids = ["health-livez", "health-readyz", "health-verbose"];
    let mut run = Example::new(ids.map(|id| clause("health", id, "must", "It responds.")).to_vec());
    run.start(3);
    for id in ids {
        let test_error =
            TestError::new(format!("GET /{id}"), "connection refused").hint("is the server running?");
        run.add(id, 3, Outcome::Errored { test_error });
    }
    run.end(&[]);
    insta::assert_snapshot!(shown(&run.events, look(80, false)).1);
}

#[test]
fn a_scenario_with_a_test_error_is_not_listed_under_failed() {
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "It answers.")]);
    run.start(2);
    run.add("health-livez", 3, failed("HTTP 200", "500"));
    let test_error = TestError::new("GET /livez", "connection refused");
    run.add("health-livez/anonymous", 3, Outcome::Errored { test_error });
    run.end(&[]);
    let options = Options { verbosity: Verbosity::Verbose, ..look(80, false) };
    insta::assert_snapshot!(shown(&run.events, options).1);
}

#[test]
fn a_truncated_run_is_marked() {
    let mut events = everything();
    events.retain(|event| !matches!(event.kind, EventKind::RunFinished(_)));
    events.truncate(4);
    let (_, results) = shown(&events, look(80, false));
    insta::assert_snapshot!(results);
}

#[test]
fn no_line_is_wider_than_the_terminal_except_commands_and_links() {
    for width in [80, 120] {
        let (_, results) = shown(&everything(), look(width, false));
        let is_command =
            |line: &&str| ["  curl", "  kube-assay "].iter().any(|start| line.starts_with(start));
        for line in results.lines().filter(|line| !is_command(line)) {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(
                columns <= width
                    || ["https://", "/"].iter().any(|start| line.trim_start().starts_with(start)),
                "{width}: {line}"
            );
        }
    }
}

#[test]
fn what_is_slow_is_named_while_nothing_happens() {
    let mut progress = Vec::new();
    let options = Options { interactive: true, ..look(80, false) };
    let mut terminal = Terminal::new(&mut progress, Vec::new(), options);
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "/livez responds.")]);
    run.start(1);
    run.emit(EventKind::ScenarioStarted { scenario: "health-livez".into() });
    feed(&mut terminal, &run.events);
    let began = run.events[1].at;
    for (seconds, reason) in [(1, ""), (12, "3 throttled"), (75, "responses take 2.5 s")] {
        terminal.tick(began + jiff::SignedDuration::from_secs(seconds), reason.to_owned(), None).unwrap();
    }
    insta::assert_snapshot!(visible(&String::from_utf8(progress).unwrap()));
}

#[test]
fn a_log_has_a_heartbeat_every_15_seconds() {
    let mut progress = Vec::new();
    let mut terminal = Terminal::new(&mut progress, Vec::new(), look(80, false));
    let clauses = ["health-livez", "health-readyz"].map(|id| clause("health", id, "must", "It responds."));
    let mut run = Example::new(clauses.to_vec());
    run.start(2);
    run.add("health-readyz", 5, Outcome::Passed);
    run.emit(EventKind::ScenarioStarted { scenario: "health-livez".into() });
    feed(&mut terminal, &run.events);
    let began = run.events[0].at;
    for seconds in [14, 15, 16, 29, 31] {
        terminal.tick(began + jiff::SignedDuration::from_secs(seconds), String::new(), None).unwrap();
    }
    let progress = String::from_utf8(progress).unwrap();
    let lines: Vec<&str> = progress.lines().filter(|line| line.contains(" of 2 scenarios")).collect();
    assert_eq!(lines.len(), 2, "{progress}");
    assert!(lines[0].starts_with("15 s of about 30 s: 1 of 2 scenarios; health-livez for "), "{progress}");
}

/// The heartbeat of a run of three scenarios, one of which has passed, 20 s after its last event.
fn heartbeat_with(events: &[&str], clean_up: Option<Duration>) -> String {
    let mut progress = Vec::new();
    let mut terminal = Terminal::new(&mut progress, Vec::new(), look(80, false));
    let clauses = ["health-livez", "health-readyz"].map(|id| clause("health", id, "must", "It responds."));
    let mut run = Example::new(clauses.to_vec());
    run.start(3);
    run.add("health-readyz", 5, Outcome::Passed);
    for scenario in events {
        run.emit(EventKind::ScenarioStarted { scenario: (*scenario).into() });
    }
    feed(&mut terminal, &run.events);
    let now = run.events.last().unwrap().at + jiff::SignedDuration::from_secs(20);
    terminal.tick(now, String::new(), clean_up).unwrap();
    let progress = String::from_utf8(progress).unwrap();
    progress.lines().find(|line| line.contains(" of 3 scenarios")).unwrap().to_owned()
}

#[test]
fn a_clean_up_is_named_in_the_place_of_a_scenario_that_it_ended() {
    let running = heartbeat_with(&["health-livez"], None);
    assert!(running.ends_with("; health-livez for 20 s"), "{running}");
    let cleaning = heartbeat_with(&["health-livez"], Some(Duration::from_secs(12)));
    assert!(cleaning.ends_with(" 1 of 3 scenarios; cleaning up for 12 s"), "{cleaning}");
}

/// The checks of every exchange, and scenarios that may shut the server down, finish after the clean-up.
#[test]
fn a_run_without_a_running_scenario_removes_objects() {
    let idle = heartbeat_with(&[], None);
    assert!(idle.ends_with(" 1 of 3 scenarios; cleaning up for 20 s"), "{idle}");
}

/// A run in which every clause with a scenario passed.
fn passing(clauses: Vec<Clause>, version: &str) -> String {
    passing_with(look(120, false), clauses, version)
}

fn passing_with(options: Options, clauses: Vec<Clause>, version: &str) -> String {
    let mut ids: Vec<String> = clauses.iter().map(|clause| clause.id.to_string()).collect();
    ids.retain(|id| id != "exec-upgrades");
    let mut run = Example::new(clauses);
    run.start(ids.len());
    let EventKind::RunStarted(started) = &mut run.events[0].kind else { unreachable!() };
    Arc::make_mut(started).target.version = version.parse().ok();
    for id in &ids {
        run.add(id, 3, Outcome::Passed);
    }
    run.end(&[]);
    shown(&run.events, options).1
}

#[test]
fn a_clause_without_a_scenario_makes_a_run_incomplete() {
    let tested = clause("health", "health-livez", "must", "/livez responds.");
    assert!(passing(vec![tested.clone()], "1.36").contains("\nconformant: "));
    let unwritten =
        clause("streaming-subresources", "exec-upgrades", "should", "exec upgrades to WebSocket.");
    let results = passing(vec![tested, unwritten], "1.36");
    let last = "\nincomplete: 1 of 2 clauses tested, 1 skipped (1 without a scenario)\n";
    assert!(results.contains(last), "{results}");
    assert!(results.contains("https://127.0.0.1:6443 v1.36.2"), "{results}");
}

#[test]
fn a_server_that_silences_many_clauses_by_its_version_is_warned_of() {
    let newer = Clause { since: "1.20".parse().ok(), ..clause("a", "newer", "must", "It is new.") };
    let clauses = || vec![newer.clone(), clause("a", "old", "must", "It is old.")];
    for verbosity in [Verbosity::Normal, Verbosity::Quiet] {
        let results = passing_with(Options { verbosity, ..look(120, false) }, clauses(), "1.2");
        assert!(
            results.contains("warning: 1 of 2 must clauses are skipped because they are newer than 1.2"),
            "{results}"
        );
    }
    assert!(!passing(clauses(), "1.36").contains("warning"));
}
