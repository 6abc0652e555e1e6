//! What people see, letter by letter.

use crate::tests::example::{Example, clause, everything};
use crate::{Look, Options, Reporter, Terminal, Verbosity};
use harness::{Event, EventKind, Outcome};

/// Progress and results.
fn shown(events: &[Event], options: Options) -> (String, String) {
    let (mut progress, mut results) = (Vec::new(), Vec::new());
    let mut terminal = Box::new(Terminal::new(&mut progress, &mut results, options));
    events.iter().for_each(|event| terminal.report(event).unwrap());
    terminal.finish().unwrap();
    (String::from_utf8(progress).unwrap(), String::from_utf8(results).unwrap())
}

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
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "/livez answers.")]);
    run.start(1);
    run.ask("health-livez", 3, Outcome::Passed);
    run.end(&[]);
    let (progress, results) = shown(&run.events, look(80, false));
    insta::assert_snapshot!(format!("{progress}{results}"));
}

#[test]
fn a_run_that_was_cut_off_says_so() {
    let mut events = everything();
    events.retain(|event| !matches!(event.kind, EventKind::RunFinished(_)));
    events.truncate(4);
    let (_, results) = shown(&events, look(80, false));
    insta::assert_snapshot!(results);
}

#[test]
fn no_line_is_wider_than_the_terminal_except_commands_and_links() {
    for width in [40, 80, 120] {
        let (_, results) = shown(&everything(), look(width, false));
        for line in results.lines().filter(|line| !line.contains("curl") && !line.contains("kubectl")) {
            let columns = unicode_width::UnicodeWidthStr::width(line);
            assert!(columns <= width.max(80) || line.trim_start().starts_with("https://"), "{width}: {line}");
        }
    }
}
