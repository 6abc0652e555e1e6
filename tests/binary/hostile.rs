//! Servers that begin well, and then do not.

mod added_labels;
mod broken_types;
mod denials;
mod encoded_secrets;
mod ended_watches;
mod late_responses;
mod long_lists;
mod memory;
mod refused_credentials;
mod server_change;
mod store_outages;
mod test_errors;
mod throttling;
mod web_sockets;
mod whole_clusters;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;

use crate::support::http::{Message, response, too_many_requests};
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

fn test_run(proxy: &Proxy, reference: &Reference) -> Program {
    Program::testing(&proxy.url()).with(&["--token", reference.token()])
}

fn lists_ours(request: &Message) -> bool {
    let (method, path) = request.target();
    method == "GET" && path.contains("/namespaces/assay-") && path.ends_with("/configmaps")
}

/// Before a reference that closes every connection after the first list of the run's own objects.
fn going_away(reference: &Reference) -> Proxy {
    let gone = AtomicBool::new(false);
    Proxy::before(reference, move |request| {
        if lists_ours(request) {
            gone.store(true, Ordering::SeqCst);
        }
        if gone.load(Ordering::SeqCst) { Reply::Bytes(Vec::new()) } else { Reply::Pass }
    })
}

#[test]
fn too_many_requests_are_waited_out() {
    let reference = Reference::right();
    let refusals = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        if lists_ours(request) && refusals.fetch_add(1, Ordering::SeqCst) < 2 {
            return Reply::Bytes(too_many_requests("0"));
        }
        Reply::Pass
    });
    test_run(&proxy, &reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn too_many_requests_are_visible() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if lists_ours(request) { Reply::Bytes(too_many_requests("0")) } else { Reply::Pass }
    });
    let ended = test_run(&proxy, &reference).end().ended_with(3);
    assert!(ended.out.contains("429 20 times in a row"), "{}", ended.out);
    // Each of them is an exchange, and the last of them are shown.
    let shown = ended.report("events.jsonl").matches("429 Too Many Requests").count();
    assert!(shown > 1, "{shown}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn too_many_requests_do_not_keep_anything_from_being_removed() {
    let reference = Reference::right();
    let deletions = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        if request.target().0 == "DELETE" && deletions.fetch_add(1, Ordering::SeqCst) % 3 < 2 {
            return Reply::Bytes(too_many_requests("0"));
        }
        Reply::Pass
    });
    test_run(&proxy, &reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn lists_of_a_gigabyte_do_not_fill_our_memory() {
    const MEGABYTE: usize = 1 << 20;
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if lists_ours(request) {
            let mut chunk =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", 1_u64 << 40).into_bytes();
            chunk.resize(MEGABYTE, b' ');
            return Reply::Repeat(chunk, 1024);
        }
        Reply::Pass
    });
    let mut running = test_run(&proxy, &reference).with(&["--clause", "rv-list-nomatch-*"]).start();
    let peak = running.peak_memory();
    let ended = running.end().ended_with(3);
    assert!(ended.out.contains("the response is too large to be judged"), "{}", ended.out);
    assert!(peak < 80 << 20, "{} MB", peak >> 20);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The run ends because the server stays away, and the server is back when the run asks once more before the clean-up.
#[test]
fn a_server_that_is_back_for_the_clean_up_keeps_nothing() {
    let (reference, is_away) = (Reference::right(), AtomicBool::new(false));
    let proxy = Proxy::before(&reference, move |request| {
        let is_of_clean_up = request.header("user-agent").is_some_and(|agent| agent.contains("fixtures"));
        if is_away.fetch_or(lists_ours(request), Ordering::SeqCst) && !is_of_clean_up {
            Reply::Bytes(Vec::new())
        } else {
            Reply::Pass
        }
    });
    let limits = ["--request-timeout", "2s", "--event-timeout", "1s"];
    let run = kube_assay(&["run", "--area", "resource-version", "--server", &proxy.url()]);
    let ended = run.with(&["--token", reference.token()]).with(&limits).end().ended_with(3);
    let stopped = "\"stopped\": \"the server did not respond for ";
    assert!(ended.report("summary.json").contains(stopped), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn the_leftovers_on_a_server_that_stops_are_named() {
    let reference = Reference::right();
    let proxy = going_away(&reference);
    let ended =
        test_run(&proxy, &reference).with(&["--request-timeout", "2s", "--event-timeout", "1s"]).end();
    let ended = ended.ended_with(3);
    let left = reference.left_behind();
    assert!(!left.is_empty());
    for name in left {
        let named = format!("/{name}\n");
        assert!(ended.out.contains(&named), "no {named} in {}", ended.out);
        assert!(ended.report("summary.json").contains(&format!("/{name}\"")));
    }
}

#[test]
fn control_characters_of_a_server_never_reach_the_terminal() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if lists_ours(request) {
            let body =
                r#"{"kind":"Status","message":"\u001b[2J\u0007gone","reason":"\u001b]0;x\u0007","code":500}"#;
            return Reply::Bytes(response("500 Internal Server Error", "application/json", body));
        }
        Reply::Pass
    });
    let ended = test_run(&proxy, &reference).end();
    assert_ne!(ended.code, Some(0));
    assert!(!ended.out.contains('\u{1b}') && !ended.err.contains('\u{1b}'));
}

#[test]
fn a_server_that_goes_away_ends_the_run_with_one_cause() {
    let reference = Reference::right();
    let proxy = going_away(&reference);
    let program = kube_assay(&["run", "--area", "resource-version", "--server", &proxy.url()]);
    let ended = program.with(&["--token", reference.token(), "--request-timeout", "2s"]).end().ended_with(3);

    let summary: serde_json::Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let stopped = summary["run"]["stopped"].as_str().unwrap();
    assert!(stopped.starts_with("the server did not respond for "), "{stopped}");
    let ran = &summary["run"]["executed"];
    assert!(ran.as_u64().unwrap() < 60, "{ran} of some 250 scenarios ran into it");

    let run = summary["run"]["id"].as_str().unwrap();
    assert!(
        ended.out.contains(&format!("kube-assay clean --run {run} --server={}", proxy.url())),
        "{}",
        ended.out
    );
    assert!(!reference.left_behind().is_empty());
    kube_assay(&["clean", "--run", run, "--server", &reference.url(), "--token", reference.token()])
        .end()
        .ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_deadline_ends_the_run_and_removes_its_objects() {
    let reference = Reference::right();
    let proxy =
        Proxy::before(&reference, |request| if lists_ours(request) { Reply::Hold } else { Reply::Pass });
    let ended = test_run(&proxy, &reference).with(&["--deadline", "5s"]).end().ended_with(3);
    assert!(ended.out.contains("the run stopped early: its deadline of 5s passed"), "{}", ended.out);
    assert!(ended.report("summary.json").contains("\"stopped\": \"its deadline of 5s passed\""));
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_deadline_ends_the_steps_before_the_run() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |_| Reply::Hold);
    let ended = test_run(&proxy, &reference).with(&["--deadline", "1s"]).end().ended_with(3);
    let passed = "failed to look at the server: its deadline of 1s passed; hint: nothing was created";
    assert!(ended.err.contains(passed), "{}", ended.err);
}

#[test]
fn a_deadline_ends_the_steps_before_the_first_scenario() {
    let reference = Reference::right();
    let proxy = Proxy::but_first(
        &reference,
        |method, path| (method, path) == ("POST", "/api/v1/namespaces"),
        || Reply::Hold,
    );
    let limits = ["--deadline", "5s", "--request-timeout", "8s"];
    let ended = test_run(&proxy, &reference).with(&limits).end().ended_with(3);
    let summary = ended.report("summary.json");
    assert!(summary.contains("\"stopped\": \"its deadline of 5s passed"), "{summary}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

fn creates_namespace(request: &Message) -> bool {
    request.target() == ("POST", "/api/v1/namespaces")
}

/// The server stores an object that it says it has refused.
fn refuse(_: Message) -> Message {
    let refusal = r#"{"kind":"Status","status":"Failure","reason":"Forbidden","code":403}"#;
    let headers = vec!["content-type: application/json".to_owned()];
    Message { first: "HTTP/1.1 403 Forbidden".to_owned(), headers, body: refusal.into() }
}

#[test]
fn a_namespace_that_is_refused_and_stored_is_removed() {
    for right in [0, 3] {
        let (reference, created) = (Reference::right(), AtomicUsize::new(0));
        let proxy = Proxy::before(&reference, move |request| {
            let refuses = creates_namespace(request) && created.fetch_add(1, Ordering::SeqCst) >= right;
            if refuses { Reply::Edited(refuse) } else { Reply::Pass }
        });
        let program = test_run(&proxy, &reference).with(&["--clause", "rv-list-nomatch-*"]);
        program.end().ended_with(3);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// An index of documents has a URL that leads to another host, which must not get the credential.
#[test]
fn an_index_that_names_another_host() {
    let (reference, received) = (Reference::right(), Arc::new(AtomicUsize::new(0)));
    let counted = received.clone();
    let other = Proxy::before(&reference, move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Reply::Pass
    });
    let url = format!("@{}/document", other.url().trim_start_matches("http://"));
    let index = json!({ "paths": { "apis/apps/v1": { "serverRelativeURL": url } } }).to_string();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", "/openapi/v3") => Reply::Bytes(response("200 OK", "application/json", &index)),
        _ => Reply::Pass,
    });
    let clauses = ["--clause", "openapi-v3-*", "--clause", "removed-apis-v116-apps-v1beta1-*"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&clauses);
    run.end().ended_with(1);
    assert_eq!(received.load(Ordering::SeqCst), 0);
}
