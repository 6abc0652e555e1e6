//! What people see of a load run, letter by letter.

use model::load::{LoadRun, PhaseName, Workload};
use unicode_width::UnicodeWidthStr;

use super::example::{calm, stormy};
use crate::load::{Live, live_lines, plain_line, write_terminal};
use crate::terminal::Look;

fn shown(run: &LoadRun, width: usize, colour: bool) -> String {
    let mut bytes = Vec::new();
    write_terminal(run, Look { width, colour }, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn visible(text: &str) -> String {
    text.replace('\u{1b}', "␛").replace('\r', "␍")
}

#[test]
fn a_calm_run_at_120_columns() {
    insta::assert_snapshot!(shown(&calm(), 120, false));
}

#[test]
fn a_stormy_run_at_80_columns() {
    insta::assert_snapshot!(shown(&stormy(), 80, false));
}

#[test]
fn a_stormy_run_in_colour() {
    insta::assert_snapshot!(visible(&shown(&stormy(), 130, true)));
}

#[test]
fn a_rule_that_another_client_may_have_broken_has_a_hint() {
    let mut run = stormy();
    let hint = "hint: another client that changes objects in the namespaces of the run has the same effect";
    assert!(!shown(&run, 160, false).contains(hint));
    run.breaches[0].rule = "list-short".to_owned();
    assert_eq!(shown(&run, 160, false).matches(hint).count(), 1);
}

#[test]
fn a_run_without_results() {
    let target = model::TargetInfo::default();
    let began = "2026-03-01T12:00:00Z".parse().unwrap();
    let mut run = LoadRun::new("kube-assay 0.1.0", "k7f3", Workload::default(), target, began);
    run.partial = Some("the server refused every connection".to_owned());
    insta::assert_snapshot!(shown(&run, 80, false));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [80, 100, 120, 160] {
        for run in [calm(), stormy()] {
            let text = shown(&run, width, false);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn the_live_view_of_a_second() {
    let run = calm();
    let lines = |at: usize| live_lines(&run.intervals[at], Look { width: 100, colour: false }).join("\n");
    insta::assert_snapshot!(format!("{}\n\n{}", lines(0), lines(29)));
    for line in live_lines(&run.intervals[29], Look { width: 60, colour: false }) {
        assert!(line.width() < 60, "{line}");
    }
}

#[test]
fn a_second_as_one_line() {
    insta::assert_snapshot!(plain_line(&calm().intervals[29]));
}

#[test]
fn a_clean_up_shows_how_many_objects_are_left() {
    let mut interval = calm().intervals[29].clone();
    (interval.phase, interval.left) = (PhaseName::CleanUp, Some(1_204));
    let line = plain_line(&interval);
    assert!(line.contains(" clean-up: 1,204 objects left, "), "{line}");
}

#[test]
fn a_terminal_redraws_each_second_and_a_pipe_gets_a_line_now_and_then() {
    let output = |interactive: bool, seconds: usize| {
        let mut bytes = Vec::new();
        let mut live = Live::new(&mut bytes, interactive, Look::default());
        calm().intervals[..seconds].iter().for_each(|interval| live.show(interval).unwrap());
        live.clear().unwrap();
        visible(&String::from_utf8(bytes).unwrap())
    };
    let drawn = output(true, 2);
    assert_eq!(drawn.matches("␛[4A␍␛[0J").count(), 2, "{drawn}");
    assert!(drawn.ends_with("␛[0J"), "{drawn}");
    let lines = output(false, 62);
    assert_eq!(lines.lines().count(), 7, "{lines}");
}
