//! The output for GitHub Actions: commands for its runner, and Markdown.

use model::Outcome;

use crate::Format;
use crate::tests::example::{Example, clause, everything};
use crate::tests::rendered;

/// A finding, read back: its kind, its title and its text.
pub(super) type Finding = (String, String, String);

/// Reads commands as GitHub's runner does.
pub(super) fn findings(commands: &str) -> Vec<Finding> {
    commands.lines().map(finding).collect()
}

fn finding(line: &str) -> Finding {
    let (command, text) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (kind, properties) = command.split_once(' ').unwrap();
    let title = properties.strip_prefix("title=").unwrap();
    assert!(!title.contains([',', ':']), "{line:?}");
    let plain = |text: &str| {
        text.replace("%0D", "\r")
            .replace("%0A", "\n")
            .replace("%3A", ":")
            .replace("%2C", ",")
            .replace("%25", "%")
    };
    (kind.to_owned(), plain(title), plain(text))
}

/// How many findings of a kind there are, also those that are only counted.
pub(super) fn count(findings: &[Finding], kind: &str) -> usize {
    let of_kind: Vec<&Finding> = findings.iter().filter(|finding| finding.0 == kind).collect();
    assert!(of_kind.len() <= 10, "GitHub drops what is more");
    let more =
        of_kind.last().and_then(|finding| finding.1.strip_prefix("and ")?.strip_suffix(" findings more"));
    of_kind.len() + more.map_or(0, |more| more.replace(',', "").parse::<usize>().unwrap() - 1)
}

/// Markdown outside of its code blocks.
pub(super) fn prose(markdown: &str) -> Vec<&str> {
    let (mut prose, mut fence) = (Vec::new(), None);
    for line in markdown.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(length) if ticks >= length && line.len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => prose.push(line),
        }
    }
    assert_eq!(fence, None, "a block does not end");
    prose
}

#[test]
fn the_commands_read_well() {
    insta::assert_snapshot!(rendered(Format::Annotations, &everything()));
}

#[test]
fn the_summary_of_the_step_reads_well() {
    insta::assert_snapshot!(rendered(Format::StepSummary, &everything()));
}

#[test]
fn what_is_too_much_for_github_is_counted() {
    let ids: Vec<String> = (0..3_000).map(|number| format!("c{number}")).collect();
    let mut run = Example::new(ids.iter().map(|id| clause("watch", id, "must", "s")).collect());
    run.start(ids.len());
    for id in &ids {
        // Numbers make no causes.
        let letters: String = id.bytes().map(|byte| char::from(byte | 0x60)).collect();
        let why = format!("{letters} {}", "b`|<".repeat(1_000));
        run.add(id, 1, Outcome::Errored { test_error: model::TestError::new("send", why) });
    }
    run.end(&[]);
    let findings = findings(&rendered(Format::Annotations, &run.events));
    assert_eq!((findings.len(), count(&findings, "error")), (10, 3_000));
    assert_eq!(findings[9].1, "and 2,991 findings more");
    let summary = rendered(Format::StepSummary, &run.events);
    assert!(summary.len() < 1 << 20, "{}", summary.len());
    assert!(prose(&summary).contains(&"And 2,960 causes: see report.html."));
}

#[test]
fn a_calm_run_has_no_findings() {
    let mut run = Example::new(vec![clause("health", "health-livez", "must", "/livez responds.")]);
    run.start(1);
    run.add("health-livez", 3, Outcome::Passed);
    run.end(&[]);
    assert_eq!(rendered(Format::Annotations, &run.events), "");
    assert!(!rendered(Format::StepSummary, &run.events).contains("<details>"));
}
