//! Ctrl-C: the first ends the run and removes what it created, the second ends at once.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{Program, Proxy, Reference, Reply, kube_assay, until};

/// In front of a reference: never responds to lists of the run's own objects.
fn stuck(reference: &Reference) -> Proxy {
    Proxy::before(reference, |request| match request.target() {
        ("GET", path) if path.contains("/namespaces/assay-") && path.ends_with("/configmaps") => Reply::Hold,
        _ => Reply::Pass,
    })
}

/// Whether this process, and so the program, ignores a signal; false where the system has no /proc.
fn ignores(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (number - 1) & 1 == 1
}

#[test]
fn the_first_interruption_removes_everything() {
    let signals =
        [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3), ("USR1", 10), ("USR2", 12), ("ALRM", 14)];
    for (signal, number) in signals {
        if !["INT", "TERM"].contains(&signal) && ignores(number) {
            eprintln!("not tested: these tests, and so the program, ignore SIG{signal}, as under nohup");
            continue;
        }
        let reference = Reference::right();
        let proxy = stuck(&reference);
        let running = Program::testing(&proxy.url()).with(&["--token", reference.token()]).start();
        proxy.holds();
        assert!(!reference.left_behind().is_empty());
        running.signal(signal);
        let ended = running.end().ended_with(3);
        assert!(ended.err.contains("stopping, and removing what was created"), "{}", ended.err);
        assert!(ended.out.contains("the run stopped early: interrupted"), "{}", ended.out);
        assert!(ended.report("summary.json").contains("\"stopped\": \"interrupted\""));
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// Nothing says more about what is left than that the server was silent.
#[test]
fn a_clean_up_to_which_the_server_does_not_respond_is_named() {
    let (reference, is_silent) = (Reference::right(), AtomicBool::new(false));
    let proxy = Proxy::before(&reference, move |request| {
        let of_scenario = request.header("user-agent").is_some_and(|agent| agent.contains(" scenario/"));
        if is_silent.fetch_or(of_scenario, Ordering::SeqCst) || of_scenario {
            Reply::Hold
        } else {
            Reply::Pass
        }
    });
    let limits = ["--request-timeout", "3s", "--event-timeout", "1s"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let running = run.with(&["--clause", "rv-list-nomatch-nolimit-unset"]).with(&limits).start();
    proxy.holds();
    running.signal("INT");
    let summary = running.end().ended_with(3).report("summary.json");
    let silence =
        "\"stopped\": \"interrupted; the server did not respond during the clean-up (requests without";
    assert!(summary.contains(silence), "{summary}");
    assert!(summary.contains("may be left (/api/v1/namespaces/assay-"), "{summary}");
}

#[test]
fn a_terminal_that_closes_and_hangs_up_twice_still_has_everything_removed() {
    let reference = Reference::right();
    let proxy = stuck(&reference);
    let running = Program::testing(&proxy.url()).with(&["--token", reference.token()]).start();
    proxy.holds();
    running.signal("HUP");
    until(|| {
        reference.left_behind().is_empty() || {
            running.signal("HUP");
            false
        }
    });
    running.end().ended_with(3);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_to_be_ignored_is_ignored() {
    let reference = Reference::right();
    let proxy = stuck(&reference);
    let program = Program::testing(&proxy.url()).with(&["--token", reference.token()]).after("trap '' HUP");
    let running = program.start();
    proxy.holds();
    running.signal("HUP");
    // The second of two that count would end it at once.
    running.signal("INT");
    let ended = running.end().ended_with(3);
    assert!(ended.out.contains("the run stopped early: interrupted"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_custom_resource_is_removed_as_well() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.starts_with("/apis/") && path.contains("/namespaces/assay-") => Reply::Hold,
        _ => Reply::Pass,
    });
    let program =
        crate::support::kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
    let running = program.with(&["--area", "pagination", "--parallel", "64"]).start();
    proxy.holds();
    assert!(reference.left_behind().iter().any(|name| name.ends_with(".kube-assay.dev")));
    running.signal("INT");
    running.end().ended_with(3);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn what_is_being_created_is_removed_as_well() {
    let reference = Reference::right();
    // The namespace is there before the client hears of it.
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST", "/api/v1/namespaces") if String::from_utf8_lossy(&request.body).contains("rehearsal") => {
            Reply::Pass
        }
        ("POST", "/api/v1/namespaces") => {
            crate::support::http::exchange(&address, request).unwrap();
            Reply::Hold
        }
        _ => Reply::Pass,
    });
    let program =
        Program::testing(&proxy.url()).with(&["--token", reference.token(), "--request-timeout", "2s"]);
    let running = program.start();
    proxy.holds();
    running.signal("INT");
    running.end().ended_with(3);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn the_second_interruption_ends_at_once() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        // The run waits for the response to the first deletion.
        ("DELETE", path) if !path.ends_with("-0-0") => Reply::Hold,
        ("GET", path) if path.contains("/namespaces/assay-") => Reply::Hold,
        _ => Reply::Pass,
    });
    let running = Program::testing(&proxy.url()).with(&["--token", reference.token()]).start();
    let held_list = || proxy.holds().contains("/configmaps");
    while !held_list() {}
    running.signal("INT");
    // Removal has begun, and does not get anywhere.
    while !proxy.holds().contains("/api/v1/namespaces/assay-") {}
    running.signal("INT");
    let ended = running.end().ended_with(3);
    assert!(ended.err.contains("Ctrl-C again to leave it there"), "{}", ended.err);
    let (_, clean) = ended.err.split_once("stopped: kube-assay clean --run ").expect("it names the run");
    let (run, _) = clean.split_once(", with the same target").unwrap();
    let left = reference.left_behind();
    assert!(left.iter().any(|name| name.contains(&format!("assay-{run}-"))), "{run}: {left:?}");
    proxy.release();
}

#[test]
fn an_interruption_while_the_server_is_looked_at() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |_| Reply::Hold);
    let running = Program::testing(&proxy.url()).start();
    proxy.holds();
    running.signal("INT");
    insta::assert_snapshot!(running.end().error());
}

/// As behind `2>&1 | less`, or a collector of logs that is stuck.
#[test]
fn a_reader_of_standard_error_that_stands_still_holds_up_nothing() {
    let reference = Reference::right();
    let target = ["--server", &reference.url(), "--token", reference.token()];
    let small = ["load", "crud-mix", "--duration", "1s", "--rate", "20", "--objects", "5"];
    for arguments in [&["run", "--clause", "rv-list-nomatch-nolimit-unset"][..], &small] {
        assert_eq!(kube_assay(arguments).with(&target).end_unread(), Some(0), "{arguments:?}");
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// As behind `| less`: the run ends, and only its last words wait for the reader.
#[test]
fn a_reader_of_standard_output_that_stands_still_holds_up_no_run() {
    let reference = Reference::right();
    let begin = || Program::testing_reference(&reference).with(&["--verbose"]).start_unread();
    let (mut unread, running) = begin();
    until(|| running.report_file("summary.json").exists());
    assert_eq!(reference.left_behind(), [""; 0]);
    let mut read = String::new();
    unread.read_to_string(&mut read).unwrap();
    assert!(read.contains("conformant: "), "{}", read.trim_matches('x'));
    running.end().ended_with(0);

    let (_unread, running) = begin();
    until(|| running.report_file("summary.json").exists());
    running.signal("INT");
    let ended = running.end().ended_with(3);
    assert!(
        ended.err.contains("failed to write to standard output: its reader does not take it"),
        "{}",
        ended.err
    );
}
