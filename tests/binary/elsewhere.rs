//! What others read of a run: TAP on standard output, and GitHub Actions.

use std::fs;
use std::process::Command;

use crate::support::{Ended, Proxy, Reference, kube_assay};

/// A small run on a server that does not know what an exact list is.
fn on_a_wrong_server(arguments: &[&str], environment: &[(&str, &str)]) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--server", &proxy.url(), "--token", reference.token()];
    let mut run = kube_assay(&server).with(&["--clause", "rv-list-exact-*"]).with(arguments);
    for (name, value) in environment {
        run = run.env(name, value);
    }
    run.end().ended_with(1)
}

#[test]
fn tap_stands_alone_on_standard_output() {
    let run = on_a_wrong_server(&["--tap"], &[]);
    let mut lines = run.out.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    assert!(run.out.lines().any(|line| line.starts_with("not ok ")), "{}", run.out);
    let rest = lines
        .filter(|line| !["1..", "# ", "ok ", "not ok ", "  "].iter().any(|known| line.starts_with(known)));
    assert_eq!(rest.count(), 0, "{}", run.out);
    let events = run.reports().join("events.jsonl");
    let again = kube_assay(&["report", events.to_str().unwrap(), "--tap"]).end().ended_with(0);
    assert_eq!(again.out, run.out);
}

#[test]
fn github_gets_failures_and_no_other_command() {
    let folder = tempfile::TempDir::new().unwrap();
    let summary = folder.path().join("summary.md");
    fs::write(&summary, "# Of another command\n").unwrap();
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap())];
    let run = on_a_wrong_server(&[], &github);
    let (first, rest) = run.out.split_once('\n').unwrap();
    let word = first.strip_prefix("::stop-commands::").unwrap();
    let (results, commands) = rest.split_once(&format!("::{word}::\n")).unwrap();
    assert!(results.contains("nonconformant") && !results.contains("::error"), "{results}");
    assert!(
        !commands.is_empty() && commands.lines().all(|line| line.starts_with("::error title=failed%3A "))
    );
    let shown = fs::read_to_string(&summary).unwrap();
    assert!(shown.starts_with("# Of another command\n## kube-assay: nonconformant\n"), "{shown}");
    assert!(shown.contains("| **total** |") && shown.contains("curl -sS -X GET"), "{shown}");
    let other = on_a_wrong_server(&[], &github);
    assert!(!other.out.contains(word), "a server could know the word");
}

#[test]
fn github_does_not_mix_with_tap() {
    let run = on_a_wrong_server(&["--tap"], &[("GITHUB_ACTIONS", "true")]);
    assert!(run.out.starts_with("TAP version 14\n") && !run.out.contains("::"), "{}", run.out);
    assert!(run.err.contains("::stop-commands::") && run.err.contains("\n::error title="), "{}", run.err);
}

#[test]
fn an_unwritable_summary_is_an_error() {
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/proc/nowhere/summary.md")];
    let run = on_a_wrong_server(&[], &github);
    insta::assert_snapshot!(run.error());
    assert!(run.report("summary.json").contains("nonconformant"));
}

#[test]
#[cfg(unix)]
fn a_pipe_in_the_place_of_the_summary_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("summary.md");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", pipe.to_str().unwrap())];
    let run = on_a_wrong_server(&[], &github);
    let expected = "error: failed to write the summary of the step to ";
    assert!(
        run.err.contains(expected) && run.err.contains("summary.md: it is a folder or a pipe"),
        "{}",
        run.err
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_summary_that_finds_no_room_is_named() {
    let github = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/dev/full")];
    let run = on_a_wrong_server(&[], &github);
    let expected = "error: failed to write the summary of the step to /dev/full: No space left on device";
    assert!(run.err.contains(expected), "{}", run.err);
}
