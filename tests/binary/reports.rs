//! `report`: renders a recorded run to the same bytes again, and rejects files that are no recording.

use std::fs;
use std::path::Path;

use crate::support::{Ended, Proxy, Reference, kube_assay};

const FILES: [&str; 4] = ["junit.xml", "report.html", "summary.json", "coverage.md"];

/// A run with passed, failed and skipped clauses.
fn recorded() -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--server", &proxy.url(), "--token", reference.token()];
    kube_assay(&server).with(&["--clause", "rv-list-exact-*"]).end().ended_with(1)
}

fn again(events: &Path) -> Ended {
    let events = events.to_str().unwrap();
    kube_assay(&["report", events, "--output-dir", "assay-report"]).end()
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_finds_no_room_is_named() {
    let run = recorded();
    let events = run.reports().join("events.jsonl");
    let full = kube_assay(&["report", events.to_str().unwrap(), "--junit", "/dev/full"]).end().ended_with(2);
    assert!(
        full.err.starts_with("error: failed to write /dev/full: No space left on device"),
        "{}",
        full.err
    );
}

#[test]
fn a_recorded_run_gives_the_same_reports_again() {
    let run = recorded();
    let events = run.reports().join("events.jsonl");
    let (first, second) = (again(&events).ended_with(0), again(&events).ended_with(0));
    for file in FILES {
        assert_eq!(first.report(file), run.report(file), "{file}");
        assert_eq!(second.report(file), run.report(file), "{file}");
    }
    let files = kube_assay(&[
        "report",
        events.to_str().unwrap(),
        "--junit",
        "j",
        "--html",
        "h",
        "--summary",
        "s",
        "--coverage",
        "c",
    ]);
    let files = files.end().ended_with(0);
    for (file, report) in ["j", "h", "s", "c"].iter().zip(FILES) {
        assert_eq!(fs::read_to_string(files.folder().join(file)).unwrap(), run.report(report));
    }
    let shown = kube_assay(&["report", events.to_str().unwrap()]).end().ended_with(0);
    assert_eq!(shown.out, run.out);
}

#[test]
fn the_last_list_has_commands_that_run_the_failures_again() {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--server", &proxy.url(), "--token", reference.token(), "--strict"];
    let run = kube_assay(&server).with(&["--clause", "rv-list-exact-*"]).end().ended_with(1);
    let (_, list) = run.out.split_once("\nrun again\n").unwrap();
    let commands: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("  kube-assay ")).collect();
    assert!(!commands.is_empty() && !list.contains(reference.token()), "{list}");
    for command in commands {
        let command = command.replace("\"$TOKEN\"", reference.token());
        let words: Vec<&str> = command.split(' ').collect();
        let again = kube_assay(&words).end().ended_with(1);
        assert!(again.out.contains("nonconformant: "), "{}", again.out);
    }
}

#[test]
fn a_recording_may_be_replaced_by_its_own_reports_folder() {
    let run = recorded();
    let events = run.reports().join("events.jsonl");
    let before = fs::read_to_string(&events).unwrap();
    let ended =
        kube_assay(&["report", events.to_str().unwrap(), "--output-dir", run.reports().to_str().unwrap()])
            .end();
    ended.ended_with(0);
    assert_eq!(fs::read_to_string(&events).unwrap(), before);
}

#[test]
fn a_truncated_run_is_reported_up_to_its_last_event() {
    let run = recorded();
    let events = run.report("events.jsonl");
    let cut = kube_assay(&["report", "cut.jsonl"]);
    cut.file("cut.jsonl", &events[..events.len() - 40]);
    let ended = cut.end().ended_with(0);
    assert!(ended.err.contains("the last, is cut off and was left out"), "{}", ended.err);
}

#[test]
fn files_that_are_no_recordings() {
    let report = |name: &str, content: &str| {
        let program = kube_assay(&["report", name]);
        program.file("events.jsonl", content);
        program.end()
    };
    let errors = [
        report("gone.jsonl", "").error(),
        report("events.jsonl", "").error(),
        report("events.jsonl", "hello\n").error(),
        report("events.jsonl", "{\"event\":\"run_finished\"}\n").error(),
        report("events.jsonl", "{\"event\":\"run_started\",\"format\":99}\n").error(),
        report(".", "").error(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_file_in_the_place_of_a_recording_is_named() {
    let damaged = "{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"run_started\",}\n";
    let hint = "; hint: name the events.jsonl that a run wrote (a load run writes none)";
    for (content, error) in [
        (&b"\x1f\x8b\x08\0"[..], format!("it is a gzip file, as the evidence of a run is{hint}")),
        (b"\0", format!("it is no text in UTF-8{hint}")),
        (b"<!doctype html>\n", format!("it is no JSON{hint}")),
        (
            b"{\n  \"format\": 2,\n  \"tool\": \"kube-assay 0.1.0\"\n}\n",
            format!("it is the summary of a run{hint}"),
        ),
        (damaged.as_bytes(), "line 1 is no event: trailing comma at column ".to_owned()),
    ] {
        for command in [&["report", "file"][..], &["run", "--rerun-failed", "file"]] {
            let program = kube_assay(command);
            fs::write(program.folder().join("file"), content).unwrap();
            let (found, expected) = (program.end().error(), format!("failed to read file: {error}"));
            assert!(found.starts_with(&format!("exit 2, error: {expected}")), "{found}");
        }
    }
}

#[test]
fn a_file_that_is_no_recording_leaves_the_reports_as_they_are() {
    let run = recorded();
    let (events, old) = (run.reports().join("events.jsonl"), run.report("summary.json"));
    let broken = run.report("events.jsonl").replacen("\n{", "\nhello {", 1);
    fs::write(run.folder().join("broken.jsonl"), broken).unwrap();
    let (broken, summary) = (run.folder().join("broken.jsonl"), run.reports().join("summary.json"));
    let report = |arguments: [&str; 2]| {
        kube_assay(&["report", broken.to_str().unwrap()]).with(&arguments).end().ended_with(2)
    };
    report(["--summary", summary.to_str().unwrap()]);
    report(["--output-dir", run.reports().to_str().unwrap()]);
    assert_eq!((run.report("summary.json"), events.is_file()), (old, true));
}

#[test]
fn a_report_never_replaces_its_recording_or_another_report() {
    let run = recorded();
    let events = run.reports().join("events.jsonl");
    let recording = fs::read(&events).unwrap();
    std::os::unix::fs::symlink(&events, run.reports().join("link")).unwrap();
    let report = |arguments: &[&str]| {
        let report = kube_assay(&["report", events.to_str().unwrap()]).with(arguments).end().ended_with(2);
        assert!(report.err.contains("it is the same file as "), "{}", report.err);
        assert_eq!(fs::read(&events).unwrap(), recording, "{arguments:?}");
    };
    for spelling in ["events.jsonl", "./events.jsonl", "link"] {
        report(&["--summary", &format!("{}/{spelling}", run.reports().display())]);
    }
    report(&["--summary", "new", "--junit", "./new"]);
    let page = run.reports().join("report.html");
    report(&["--output-dir", run.reports().to_str().unwrap(), "--junit", page.to_str().unwrap()]);
}
