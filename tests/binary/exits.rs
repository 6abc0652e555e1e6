//! The exit codes: 0 passed, 1 failed, 2 wrong usage, 3 inconclusive.

use crate::support::http::{Message, response};
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

const EXACT: &str = "rv-list-exact-nolimit-nonzero";

/// Of a server that does not know `resourceVersionMatch=Exact`.
fn deaf_to_exact(reference: &Reference) -> Proxy {
    Proxy::deaf(reference, "resourceVersionMatch=Exact")
}

/// Asks about one clause.
fn asking_about(url: &str, reference: &Reference, clause: &str) -> Program {
    kube_assay(&["run", "--server", url, "--token", reference.token(), "--clause", clause])
}

#[test]
fn nothing_failed() {
    let reference = Reference::right();
    let ended = Program::testing_reference(&reference).end().ended_with(0);
    assert!(ended.out.contains("conformant"), "{}", ended.out);
    let last = ended.out.lines().next_back().unwrap_or_default();
    assert!(last.contains(&reference.url()), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The commands of reports repeat one scenario with all features of the run.
#[test]
fn a_feature_that_no_selected_clause_is_about_has_a_note() {
    let run = |clause: &str| kube_assay(&["run", "--feature", "CEL", "--clause", clause]).end().ended_with(0);
    let note = "no selected clause is about CEL, which --feature requires";
    let ended = run("rv-list-nomatch-nolimit-unset");
    assert!(ended.err.contains(note), "{}", ended.err);
    let ended = run("cel-language-every-write");
    assert!(!ended.err.contains(note), "{}", ended.err);
}

#[test]
fn the_stack_that_the_shell_allows_may_be_small() {
    kube_assay(&["run", "--clause", "rv-list-nomatch-*"]).after("ulimit -s 64").end().ended_with(0);
}

#[test]
fn fewer_open_files_than_any_command_needs_are_an_error() {
    let ended = kube_assay(&["list", "workloads"]).after("ulimit -n 7").end().ended_with(3);
    assert!(ended.err.contains("a command needs 16 open files, and the hard limit"), "{}", ended.err);
}

#[test]
fn without_a_target_the_run_tests_the_embedded_reference_and_notes_it() {
    let ended = kube_assay(&["run", "--clause", "rv-list-nomatch-*"]).end().ended_with(0);
    assert!(
        ended.err.starts_with(
            "no target given: using the embedded reference server (your kubeconfig is read only"
        ),
        "{}",
        ended.err
    );
    let last = ended.out.lines().next_back().unwrap_or_default();
    assert!(last.contains("the embedded reference server"), "{}", ended.out);
}

#[test]
fn a_must_clause_fails() {
    let reference = Reference::right();
    let ended = asking_about(&deaf_to_exact(&reference).url(), &reference, EXACT).end().ended_with(1);
    assert!(ended.out.contains(EXACT) && ended.out.contains("curl"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_should_clause_fails_the_run_only_if_strict() {
    let clause = "pagination-limit-not-a-number";
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("/configmaps") && request.first.contains("limit=") => {
            Reply::Bytes(response("500 Internal Server Error", "application/json", "{}"))
        }
        _ => Reply::Pass,
    });
    let ended = asking_about(&proxy.url(), &reference, clause).end().ended_with(0);
    assert!(ended.out.contains(&format!("warning  {clause}")), "{}", ended.out);
    let strict = asking_about(&proxy.url(), &reference, clause).with(&["--strict"]).end().ended_with(1);
    assert!(strict.out.contains("nonconformant: 1 of 1 should clause (strict) failed"), "{}", strict.out);
}

#[test]
fn one_clause_is_inconclusive() {
    let reference = Reference::right();
    // Every list ends before its declared length.
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("/configmaps") => {
            Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec())
        }
        _ => Reply::Pass,
    });
    let ended = Program::testing(&proxy.url()).with(&["--token", reference.token()]).end().ended_with(3);
    assert!(ended.out.contains("the response ended before its end"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_failure_outranks_an_inconclusive_clause() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match &request.first {
        first if first.contains("limit=500") => Reply::Bytes(Vec::new()),
        first => Reply::Instead(Message {
            first: first.replace("resourceVersionMatch=Exact", ""),
            ..request.clone()
        }),
    });
    let program = asking_about(&proxy.url(), &reference, EXACT);
    let ended = program.with(&["--clause", "rv-list-nomatch-limit-unset"]).end().ended_with(1);
    assert!(ended.report("summary.json").contains("\"inconclusive\""), "{}", ended.out);
}

#[test]
#[cfg(target_os = "linux")]
fn a_failure_outranks_a_full_disk() {
    let reference = Reference::right();
    let mut errors = Vec::new();
    for url in [deaf_to_exact(&reference).url(), reference.url()] {
        let program = asking_about(&url, &reference, EXACT);
        let reports = program.folder().join("assay-report");
        std::fs::create_dir(&reports).unwrap();
        std::os::unix::fs::symlink("/dev/full", reports.join("events.jsonl")).unwrap();
        errors.push(program.end().error());
        assert_eq!(reference.left_behind(), [""; 0]);
    }
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_may_not_grow_is_an_error_like_a_full_disk() {
    let reference = Reference::right();
    let program = asking_about(&reference.url(), &reference, EXACT);
    insta::assert_snapshot!(program.after("ulimit -f 4").end().error());
    assert_eq!(reference.left_behind(), [""; 0]);
}
