//! `load` with failing servers: a clear error, partial measurements, and no leftovers.

use std::io::Write;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::clean::clean;
use crate::load::{count, facing, loading, run};
use crate::load_wrong_responses::{CREATES, errors, is_list};
use crate::support::http::{Message, edited, response, too_many_requests};
use crate::support::{Authority, Proxy, Reference, Reply, kube_assay, listener, until};

/// A small mix.
const SMALL: [&str; 6] = ["--objects", "20", "--rate", "20", "--warm-up", "1ms"];

/// Whether a request reads an object of the population: the load has started.
pub(crate) fn is_read(target: (&str, &str)) -> bool {
    matches!(target, ("GET", path) if path.contains("/configmaps/o"))
}

/// A proxy that changes nothing, and the number of reads of the load.
fn counting(reference: &Reference) -> (Proxy, Arc<AtomicUsize>) {
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let proxy = Proxy::before(reference, move |request| {
        counted.fetch_add(usize::from(is_read(request.target())), Ordering::SeqCst);
        Reply::Pass
    });
    (proxy, reads)
}

#[test]
fn an_interruption_keeps_what_was_measured_and_removes_the_rest() {
    let reference = Reference::right();
    let (proxy, reads) = counting(&reference);
    let running =
        facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "60s"]).start();
    until(|| reads.load(Ordering::SeqCst) > 10);
    running.signal("INT");
    let ended = running.end().ended_with(3);
    assert_eq!(run(&ended)["partial"], "interrupted");
    assert!(count(&run(&ended), "GET", "latency") > 0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_load_that_is_killed_has_shown_the_id_that_clean_needs() {
    let reference = Reference::right();
    let (proxy, reads) = counting(&reference);
    let running =
        facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "60s"]).start();
    until(|| reads.load(Ordering::SeqCst) > 10);
    running.signal("KILL");
    let ended = running.end();
    let id = ended.err.lines().find_map(|line| line.strip_prefix("run ")).unwrap();
    assert_ne!(reference.left_behind(), [""; 0]);
    clean(&reference).with(&["--run", id]).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_second_load_in_the_same_output_folder_is_an_error() {
    let reference = Reference::right();
    let (proxy, reads) = counting(&reference);
    let folder = tempfile::tempdir().unwrap();
    let shared = ["--output-dir", folder.path().to_str().unwrap()];
    let first = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "60s"]);
    let first = first.with(&shared).start();
    until(|| reads.load(Ordering::SeqCst) > 10);
    let second = loading("crud-mix", &reference).with(&shared).end().ended_with(2);
    assert!(
        second.err.contains("another run writes into it now; hint: choose another folder"),
        "{}",
        second.err
    );
    first.signal("INT");
    first.end().ended_with(3);
}

#[test]
fn a_server_that_dies_under_the_load_ends_it_and_what_is_left_is_named() {
    let reference = Reference::right();
    let dead = AtomicBool::new(false);
    let seen = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        if is_read(request.target()) && seen.fetch_add(1, Ordering::SeqCst) > 10 {
            dead.store(true, Ordering::SeqCst);
        }
        if dead.load(Ordering::SeqCst) { Reply::Hold } else { Reply::Pass }
    });
    let long = ["--duration", "60s", "--request-timeout", "1s"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&long).end().ended_with(3);
    let run = run(&ended);
    assert_eq!(run["partial"], "the server no longer responds");
    assert!(count(&run, "GET", "latency") >= 10, "{}", ended.out);
    assert!(run["leftovers"][0].as_str().unwrap().contains("/api/v1/namespaces/assay-"), "{}", ended.out);
    assert!(ended.out.contains("partial") && ended.out.contains("left over"), "{}", ended.out);
}

#[test]
fn a_server_that_hangs_in_the_set_up_is_given_up_and_what_may_be_left_is_named() {
    let reference = Reference::right();
    let dead = AtomicBool::new(false);
    let proxy = Proxy::before(&reference, move |request| {
        let is_rehearsal = String::from_utf8_lossy(&request.body).contains("rehearsal");
        let creates = request.target() == ("POST", "/api/v1/namespaces") && !is_rehearsal;
        dead.fetch_or(creates, Ordering::SeqCst);
        if dead.load(Ordering::SeqCst) { Reply::Hold } else { Reply::Pass }
    });
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&["--request-timeout", "1s"]).end();
    let error = ended.error();
    assert!(error.starts_with("exit 3") && error.contains("the server does not respond: "), "{error}");
    assert!(error.contains("objects may be left") && error.contains("`kube-assay clean`"), "{error}");
    assert!(ended.err.contains(" clean-up: "), "{}", ended.err);
}

/// A proxy that replies like this to the clean-up, or to everything, once the load reads objects.
fn from_the_load_on(
    reference: &Reference,
    clean_up_only: bool,
    reply: impl Fn(&Message) -> Reply + Send + Sync + 'static,
) -> Proxy {
    let loads = AtomicBool::new(false);
    Proxy::before(reference, move |request| {
        loads.fetch_or(is_read(request.target()), Ordering::SeqCst);
        let is_load = request.target().1.contains("/configmaps");
        if loads.load(Ordering::SeqCst) && !(clean_up_only && is_load) { reply(request) } else { Reply::Pass }
    })
}

#[test]
fn a_server_that_redirects_is_not_followed_and_what_is_left_is_named() {
    let reference = Reference::right();
    let proxy = from_the_load_on(&reference, false, |request| {
        let path = request.first.split(' ').nth(1).unwrap_or_default();
        let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {path}\r\n");
        Reply::Bytes(format!("{head}content-length: 0\r\nconnection: close\r\n\r\n").into_bytes())
    });
    let ended = facing("crud-mix", &proxy.url(), &reference)
        .with(&SMALL)
        .with(&["--duration", "2s"])
        .end()
        .ended_with(3);
    let run = run(&ended);
    for name in reference.left_behind() {
        assert!(run["leftovers"].to_string().contains(&name), "{}", ended.out);
    }
    assert!(ended.out.contains("objects left over may be gone"), "{}", ended.out);
}

#[test]
fn objects_that_a_slow_server_has_removed_are_not_left_over() {
    let reference = Reference::right();
    // Every response takes longer than the timeout.
    let proxy = from_the_load_on(&reference, true, |_| Reply::Drip(Duration::from_millis(20)));
    let short = ["--duration", "1s", "--request-timeout", "1s"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&short).end().ended_with(0);
    assert_eq!(run(&ended)["leftovers"], serde_json::Value::Null, "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_clock_that_goes_back_to_before_1970_ends_the_run_without_a_panic() {
    let Some(library) = faketime() else { return };
    let reference = Reference::right();
    let (proxy, reads) = counting(&reference);
    let program = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "60s"]);
    let clock = program.file("clock", "+0s");
    let running = program
        .env("LD_PRELOAD", &library)
        .env("FAKETIME_TIMESTAMP_FILE", &clock)
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .start();
    until(|| reads.load(Ordering::SeqCst) > 10);
    std::fs::write(&clock, "-100y").unwrap();
    let ended = running.end().ended_with(3);
    assert_eq!(run(&ended)["partial"], "the clock of this machine went back to before 1970");
    assert!(count(&run(&ended), "GET", "latency") > 0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The library of faketime; `None`, with a message, where it is not installed.
fn faketime() -> Option<String> {
    let shown = Command::new("faketime").args(["-m", "-f", "+0s", "printenv", "LD_PRELOAD"]).output();
    let library = shown.ok().and_then(|shown| String::from_utf8(shown.stdout).ok());
    let library = library.map(|library| library.trim().to_owned()).filter(|library| !library.is_empty());
    if library.is_none() {
        // Not with a macro: the test harness captures that output unless the test fails.
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no faketime, so no clock went back");
    }
    library
}

#[test]
fn a_storm_of_429_is_counted_and_not_waited_out() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if is_read(request.target()) { Reply::Bytes(too_many_requests("30")) } else { Reply::Pass }
    });
    let more = ["--duration", "2s", "--threshold", "errors<1% for GET"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&more).end().ended_with(1);
    let run = run(&ended);
    let starts = &run["starts"];
    assert_eq!((&starts["sent"], &starts["dropped"]), (&starts["planned"], &0.into()), "{starts}");
    assert!(ended.out.contains("429 × "), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// Another program deletes it, or another server has the address.
#[test]
fn a_namespace_that_disappears_accuses_nobody() {
    for (is_replaced, cause) in [
        (false, "another program deleted the namespace assay-"),
        (true, "another server responds there now, or the server has lost its data"),
    ] {
        let reference = Reference::right();
        let reads = AtomicUsize::new(0);
        let proxy = Proxy::before(&reference, move |request| {
            let (_, path) = request.target();
            let is_later = reads.load(Ordering::SeqCst) > 10;
            if is_replaced && is_later && path == "/api/v1/namespaces/kube-system" {
                return Reply::Edited(|system| {
                    edited(system, |system| system["metadata"]["uid"] = "1".into())
                });
            }
            if !is_read(request.target()) || reads.fetch_add(1, Ordering::SeqCst) != 10 {
                return Reply::Pass;
            }
            let namespace = path.split_once("/configmaps").unwrap().0;
            Reply::Instead(Message { first: format!("DELETE {namespace} HTTP/1.1"), ..request.clone() })
        });
        let rules = ["--duration", "2s", "--threshold", "errors<=1%"];
        let ended = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&rules).end();
        let run = run(&ended.ended_with(3));
        assert!(run.get("breaches").is_none(), "{}", run["breaches"]);
        let partial = run["partial"].as_str().unwrap();
        assert!(partial.starts_with(cause), "{partial}");
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn a_rejected_population_is_an_error_and_removed() {
    let reference = Reference::right();
    let status = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"exceeded quota: small","code":403}"#;
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST", path) if path.ends_with("/configmaps") => {
            Reply::Bytes(response("403 Forbidden", "application/json", status))
        }
        _ => Reply::Pass,
    });
    let ended = facing("crud-mix", &proxy.url(), &reference).end();
    insta::assert_snapshot!(ended.error());
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// As kube-apiserver responds if etcd is full.
#[test]
fn a_server_that_cannot_store_is_no_matter_of_credentials() {
    let full = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"database space exceeded","code":500}"#;
    for (rehearsal, hint) in [
        (true, "; hint: the server cannot store objects: does its log say why?"),
        (false, "; hint: does the server's log say why?"),
    ] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, move |request| match request.target() {
            ("POST", "/api/v1/namespaces")
                if String::from_utf8_lossy(&request.body).contains("rehearsal") == rehearsal =>
            {
                Reply::Bytes(response("500 Internal Server Error", "application/json", full))
            }
            _ => Reply::Pass,
        });
        let error = facing("crud-mix", &proxy.url(), &reference).end().error();
        assert!(error.starts_with("exit 3") && error.contains("database space exceeded"), "{error}");
        assert!(error.ends_with(hint), "{error}");
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn an_existing_population_stays() {
    let reference = Reference::right();
    let removed = Arc::new(Mutex::new(Vec::new()));
    let seen = removed.clone();
    let status = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"AlreadyExists","message":"it already exists","code":409}"#;
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST", "/api/v1/namespaces") if !String::from_utf8_lossy(&request.body).contains("rehearsal") => {
            Reply::Bytes(response("409 Conflict", "application/json", status))
        }
        ("DELETE", path) => {
            seen.lock().unwrap().push(path.to_owned());
            Reply::Pass
        }
        _ => Reply::Pass,
    });
    let ended = facing("crud-mix", &proxy.url(), &reference).end();
    insta::assert_snapshot!(ended.error());
    let removed = removed.lock().unwrap();
    // Only that of the rehearsal was ours.
    assert!(removed.iter().all(|path| path.contains("-0-0")), "{removed:?}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn an_expired_certificate_is_an_error() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_as(&authority.certify_expired("127.0.0.1"), &reference.address(), false);
    let program = facing("crud-mix", &format!("https://{address}"), &reference);
    let file = program.file("ca.crt", &authority.pem());
    insta::assert_snapshot!(program.with(&["--certificate-authority", &file]).end().error());
}

#[test]
fn a_full_disk_is_an_error_and_the_numbers_are_still_printed() {
    let reference = Reference::right();
    let folder = Arc::new(Mutex::new(None::<std::path::PathBuf>));
    let reports = folder.clone();
    let proxy = Proxy::before(&reference, move |request| {
        let mut folder = reports.lock().unwrap();
        if let Some(path) = folder.take_if(|_| is_read(request.target())) {
            // The folder is prepared by now.
            std::os::unix::fs::symlink("/dev/full", path.join("summary.json")).unwrap();
        }
        Reply::Pass
    });
    let program = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "1s"]);
    *folder.lock().unwrap() = Some(program.folder().join("assay-report"));
    let ended = program.end();
    insta::assert_snapshot!(ended.error());
    assert!(ended.out.contains("GET configmaps resource"), "{}", ended.out);
    assert!(!ended.report("junit.xml").is_empty());
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn more_watches_than_open_files_are_an_error_before_the_first_request() {
    let reference = Reference::right();
    let program = facing("watch-fanout", &reference.url(), &reference).with(&["--watches", "1000"]);
    let ended = program.limited(300).end();
    insta::assert_snapshot!(ended.error());
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_read_on_a_connection_that_has_ended_is_sent_again() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| if is_list(request) { Reply::Once } else { Reply::Pass });
    let program = facing("lists.toml", &proxy.url(), &reference);
    program.file("lists.toml", &CREATES.replace("verb = \"create\"\n", "verb = \"list\"\n"));
    let ended = program.end().ended_with(0);
    assert!(count(&run(&ended), "LIST", "latency") > 10, "{}", ended.out);
    assert_eq!(errors(&ended, "cut"), 0, "{}", ended.out);
}

#[test]
fn reads_whose_new_connection_ends_without_a_response_are_errors() {
    let (reference, reads) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let is_cut = is_read(request.target()) && reads.fetch_add(1, Ordering::SeqCst).is_multiple_of(3);
        if is_cut { Reply::Bytes(Vec::new()) } else { Reply::Pass }
    });
    let program = facing("crud-mix", &proxy.url(), &reference).with(&SMALL).with(&["--duration", "2s"]);
    let ended = program.end().ended_with(1);
    assert!(errors(&ended, "cut") > 0, "{}", ended.out);
}

#[test]
fn an_unreachable_server_is_an_error() {
    let address = format!("http://{}", listener::deserted());
    insta::assert_snapshot!(kube_assay(&["load", "crud-mix", "--server", &address]).end().error());
}

#[test]
fn an_unwritable_folder_is_an_error_before_the_run() {
    let program = kube_assay(&["load", "crud-mix", "--output-dir", "file/reports"]);
    program.file("file", "");
    insta::assert_snapshot!(program.end().error());
}
