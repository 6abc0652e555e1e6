//! The commands beside `run`: list, explain, serve; and pipes, colours and all that surrounds them.

use std::process::{Command, Stdio};

use crate::support::http::{self, Message};
use crate::support::{Program, Reference, kube_assay, session};

#[test]
fn every_kind_of_list() {
    insta::assert_snapshot!(session(&[
        &["list", "clauses", "--area", "streams"],
        &["list", "scenarios", "--area", "streams"],
        &["list", "coverage", "--area", "streams"],
        &["list", "faults", "--area", "streams"],
        &["list", "bugs", "--area", "streams"],
        &["list", "variants"],
        &["list", "workloads"],
        &["list", "clauses", "--area", "health", "--level", "must", "--output", "json"],
    ]));
}

#[test]
fn every_kind_of_clause_is_explained() {
    insta::assert_snapshot!(session(&[
        // By the id of a scenario, optional, and not observable.
        &["explain", "rv-list-exact-nolimit-nonzero/custom-resource"],
        &["explain", "health-head-anonymous"],
        &["explain", "health-livez-grace-period"],
    ]));
}

#[test]
fn serve_refuses_what_it_cannot_do() {
    let mut errors = Vec::new();
    let serve = |arguments: &[&str]| kube_assay(&["serve"]).with(arguments).end();
    errors.push(serve(&["--fault", "zzz"]).error());
    errors.push(serve(&["--fault", "health-plain-body"]).error());
    errors.push(serve(&["--addr", "0.0.0.0:0"]).error());
    errors.push(serve(&["--addr", "[::]:0"]).error());
    serve(&["--addr", "localhost"]).ended_with(2);
    let taken = Reference::right();
    errors.push(serve(&["--addr", &taken.address()]).error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn serve_serves_until_it_is_interrupted() {
    use std::io::{BufRead, BufReader};
    let serving = ["serve", "--addr", "127.0.0.1:0", "--fault", "health-plain-body-ok"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_kube-assay"));
    let mut child = command.args(serving).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let url = line.strip_prefix("serving on http://").unwrap().split(',').next().unwrap().to_owned();
    let get_livez = || {
        let request = Message {
            first: "GET /livez HTTP/1.1".to_owned(),
            headers: vec!["host: x".to_owned()],
            ..Message::default()
        };
        http::exchange(&url, &request)
    };
    assert!(get_livez().unwrap().starts_with(b"HTTP/1.1 200"));
    let killed = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(get_livez().is_err());
}

#[test]
fn a_closed_pipe_ends_the_output_without_an_error() {
    let program = env!("CARGO_BIN_EXE_kube-assay");
    let piped = |what: &str| {
        // The exit code of the program, not of `head`.
        let line = format!("{{ '{program}' {what}; echo \"ended with $?\" >&2; }} | head -n 1");
        let ended = Command::new("sh").args(["-c", &line]).stdin(Stdio::null()).output().unwrap();
        String::from_utf8(ended.stderr).unwrap()
    };
    for what in ["list clauses", "list clauses -o json", "list coverage", "--help", "run --help"] {
        let stderr = piped(what);
        assert_eq!(stderr, "ended with 0\n", "{what}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    let stderr =
        piped(&format!("run -v --clause 'rv-list-nomatch-*' --output-dir '{}'", folder.path().display()));
    assert!(stderr.ends_with("ended with 0\n") && !stderr.contains("panicked"), "{stderr}");
    assert!(folder.path().join("summary.json").exists());
}

#[test]
fn colours_are_for_terminals_only() {
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
        let run = kube_assay(&["run", "-v", "--clause", "rv-list-nomatch-nolimit-unset"]);
        let ended = run.env(name, value).end().ended_with(0);
        assert!(!ended.everything().contains('\u{1b}'));
    }
}

/// Runs a command on a terminal of its own, if the system has `script`.
#[cfg(target_os = "linux")]
fn on_a_terminal(no_color: bool) -> Option<String> {
    let folder = tempfile::TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_kube-assay");
    let line = format!("'{program}' run --clause rv-list-nomatch-nolimit-unset");
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(folder.path());
    command.env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
    if no_color {
        command.env("NO_COLOR", "1");
    }
    let ended = command.output().ok()?;
    assert!(ended.status.success());
    Some(String::from_utf8_lossy(&ended.stdout).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_colours_unless_no_color_is_set() {
    let Some(shown) = on_a_terminal(false) else { return };
    assert!(shown.contains("\u{1b}[1m") || shown.contains("\u{1b}[32m"), "{shown}");
    let plain = on_a_terminal(true).unwrap();
    assert!(!plain.contains("\u{1b}[1m") && !plain.contains("\u{1b}[32m"), "{plain}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_to_standard_output_does_not_pass() {
    const FULL: &str =
        "exit 3, error: failed to write to standard output: No space left on device (os error 28)";
    let clause = ["--clause", "rv-list-nomatch-nolimit-unset"];
    let recorded = kube_assay(&["run"]).with(&clause).end().ended_with(0);
    let recorded = |name: &str| recorded.reports().join(name).display().to_string();
    let (events, summary) = (recorded("events.jsonl"), recorded("summary.json"));
    let commands: [&[&str]; 11] = [
        &["--help"],
        &["run", "--help"],
        &["--version"],
        &["list", "clauses"],
        &["explain", "rv-list-exact-nolimit-nonzero"],
        &["completions", "bash"],
        &["man"],
        &["run", clause[0], clause[1]],
        &["run", clause[0], clause[1], "--tap"],
        &["report", &events],
        &["compare", &summary, &summary],
    ];
    for command in commands {
        let ended = kube_assay(command).after("exec > /dev/full").end();
        assert_eq!(ended.error(), FULL, "{command:?}");
    }
    let load = ["load", "crud-mix", "--objects", "5", "--warm-up", "1ms", "--duration", "500ms"];
    assert_eq!(kube_assay(&load).after("exec > /dev/full").end().error(), FULL);
    let reference = Reference::wrong(&["rv-list-nomatch-nolimit-unset"]);
    let program = Program::testing_reference(&reference).after("exec > /dev/full");
    assert_eq!(program.end().error(), FULL.replace("exit 3", "exit 1"), "a failure outranks it");
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_counts_as_dev_null() {
    // The runtime of Rust opens /dev/null in its place, read-write as other programs do for a child without output.
    for closed in ["exec >&-", "exec 1<> /dev/null"] {
        let program = kube_assay(&["explain", "rv-list-exact-nolimit-nonzero"]).after(closed);
        assert_eq!(program.end().ended_with(0).err, "", "{closed}");
    }
}
