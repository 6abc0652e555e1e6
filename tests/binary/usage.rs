//! Wrong usage: nothing is asked of any server, and the exit code is 2.

use crate::support::{Listener, Program, kube_assay};

/// What clap says itself has no fixed words of ours.
#[track_caller]
fn refused(arguments: &[&str], words: &[&str]) {
    let ended = kube_assay(arguments).end().ended_with(2);
    for word in words {
        assert!(ended.err.contains(word), "no {word:?} in: {}", ended.err);
    }
    assert!(!ended.reports().exists());
}

#[test]
fn an_unknown_clause_area_or_feature() {
    refused(
        &["run", "--clause", "rv-list-exact-nolimit-nonzro"],
        &["did you mean", "rv-list-exact-nolimit-nonzero"],
    );
    refused(&["run", "--clause", "zzz"], &["no clause or scenario matches \"zzz\"", "list clauses"]);
    refused(&["run", "--skip", "zzz"], &["no clause or scenario matches \"zzz\""]);
    refused(&["run", "--area", "helth"], &["there is no area \"helth\"; did you mean health?"]);
    refused(&["run", "--area", "zzz"], &["`kube-assay list coverage` shows all"]);
    refused(&["run", "--feature", "CustomResorces"], &["did you mean CustomResources?"]);
    refused(&["run", "--no-feature", "zzz"], &["there is no feature \"zzz\"; there are ", "CustomResources"]);
    refused(&["list", "clauses", "--area", "helth"], &["did you mean health?"]);
}

#[test]
fn an_output_that_cannot_be_written() {
    let program = Program::asking("http://127.0.0.1:1");
    let file = program.file("taken", "");
    let ended = program.with(&["--output-dir", &file]).end();
    ended.complains(2, &["could not make the output folder", "taken", "choose another folder"]);
    let ended = kube_assay(&["run", "--output-dir", "/proc/nowhere"]).end();
    ended.complains(2, &["could not make the output folder /proc/nowhere"]);
}

#[test]
fn flags_that_make_no_sense() {
    refused(&["run", "--hook", "bad"], &["give NAME=CMD", "compact"]);
    refused(&["run", "--hook", "bad=true"], &["there is no hook \"bad\"; give one of compact"]);
    refused(&["run", "--scenario-timeout", "soon"], &["is not a time such as 90s"]);
    refused(&["run", "--scenario-timeout", "0s"], &["more than nothing"]);
    refused(&["run", "--event-timeout", "18446744073709551615h"], &["at most 168h"]);
    refused(&["run", "--request-timeout", "3 weeks"], &["use ms, s, m or h"]);
    refused(&["run", "--parallel", "0"], &["1..=256"]);
    refused(&["run", "--token", "x"], &["--server"]);
    refused(&["run", "--kubeconfig", "a", "--server", "b"], &["cannot be used with"]);
    refused(&["run", "--level", "maybe"], &["must", "should", "may"]);
    refused(&["prove", "--token", "x"], &["--through"]);
    refused(&["prove", "--bug", "kubernetes-58544"], &["there is no bug", "kubernetes-58545"]);
    refused(&["serve", "--bug", "zzz"], &["there is no bug \"zzz\"; `kube-assay list bugs` shows all"]);
    refused(&["walk"], &["unrecognized subcommand"]);
    refused(&[], &["Usage: kube-assay"]);
}

#[test]
fn nothing_is_asked_of_the_server() {
    let listener = Listener::start(drop);
    for wrong in [["--clause", "zzz"], ["--scenario-timeout", "0"], ["--output-dir", "/proc/nowhere"]] {
        Program::facing(&listener).with(&wrong).end().ended_with(2);
    }
    assert_eq!(listener.visitors(), 0);
}

#[test]
fn help_is_readable_at_80_columns() {
    for command in [
        &["--help"][..],
        &["run", "--help"],
        &["run", "-h"],
        &["list", "--help"],
        &["explain", "-h"],
        &["report", "--help"],
        &["compare", "--help"],
        &["serve", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
    ] {
        let ended = kube_assay(command).env("COLUMNS", "80").end().ended_with(0);
        assert!(ended.out.contains("Usage: kube-assay"));
        for line in ended.out.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
