//! `load` without a threshold: a run with few deliveries does not pass.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::load::{facing, run};
use crate::support::http::{Message, response};
use crate::support::{Ended, Program, Proxy, Reference, Reply};

/// A small mix.
const MIX: [&str; 8] = ["--objects", "20", "--rate", "50", "--warm-up", "1ms", "--duration", "2s"];

/// A few writes that a few watches are to see.
const FAN_OUT: [&str; 12] = [
    "--watches",
    "4",
    "--objects",
    "10",
    "--rate",
    "20",
    "--warm-up",
    "1ms",
    "--duration",
    "2s",
    "--drain",
    "1s",
];

/// The number of watches in a load that cuts them.
const WATCHES: usize = 4;

/// The head of a watch that stays open.
const OPEN: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";

/// A server that fails one read in this number.
fn failing(reference: &Reference, one_in: usize) -> Proxy {
    rejecting(reference, "GET", one_in, "500 Internal Server Error")
}

/// A server that responds with this status to one request for an object in this number.
fn rejecting(reference: &Reference, method: &'static str, one_in: usize, status: &'static str) -> Proxy {
    let requests = AtomicUsize::new(0);
    Proxy::before(reference, move |request| {
        let (verb, path) = request.target();
        let is_object = verb == method && path.contains("/configmaps/o");
        if is_object && requests.fetch_add(1, Ordering::SeqCst).is_multiple_of(one_in) {
            Reply::Bytes(response(status, "application/json", "{}"))
        } else {
            Reply::Pass
        }
    })
}

/// A server with one response to every watch.
fn watched(reference: &Reference, reply: impl Fn() -> Reply + Send + Sync + 'static) -> Proxy {
    Proxy::before(
        reference,
        move |request: &Message| {
            if request.first.contains("watch=1") { reply() } else { Reply::Pass }
        },
    )
}

fn fan_out(proxy: &Proxy, reference: &Reference) -> Program {
    facing("watch-fanout", &proxy.url(), reference).with(&FAN_OUT)
}

#[track_caller]
fn expect_output(ended: &Ended, texts: &[&str]) {
    // Long sentences have line breaks.
    let out = ended.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in texts {
        assert!(out.contains(text), "no {text:?} in: {}", ended.out);
    }
}

#[test]
fn requests_that_fail_fail_the_run_unless_the_user_allows_it() {
    let reference = Reference::right();
    let proxy = failing(&reference, 2);
    let program = || facing("crud-mix", &proxy.url(), &reference).with(&MIX);
    expect_output(&program().end().ended_with(1), &["failed<=1%", "1 default threshold missed"]);
    let allowed = program().with(&["--threshold", "failed<=60%"]).end().ended_with(0);
    expect_output(&allowed, &["1 threshold met"]);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn credentials_that_the_server_refuses_leave_it_open() {
    for (method, one_in, status) in [("GET", 2, "401 Unauthorized"), ("PATCH", 1, "403 Forbidden")] {
        let reference = Reference::right();
        let proxy = rejecting(&reference, method, one_in, status);
        let ended = facing("crud-mix", &proxy.url(), &reference).with(&MIX).end().ended_with(3);
        expect_output(&ended, &["1 default threshold inconclusive", "the server refused the credentials"]);
        expect_output(&ended, &["hint: use credentials that are valid for the whole run"]);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn requests_that_are_forbidden_now_and_then_fail_the_run() {
    let reference = Reference::right();
    let proxy = rejecting(&reference, "GET", 2, "403 Forbidden");
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&MIX).end().ended_with(1);
    expect_output(&ended, &["1 default threshold missed"]);
}

#[test]
fn reads_that_all_fail_also_after_the_load_fail_the_run() {
    let reference = Reference::right();
    let proxy = failing(&reference, 1);
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&MIX).end().ended_with(1);
    expect_output(&ended, &["objects could be read back", "1 default threshold missed, the run is partial"]);
}

#[test]
fn a_request_that_fails_now_and_then_does_not() {
    let reference = Reference::right();
    let often = ["--rate", "200"];
    let proxy = failing(&reference, 200);
    facing("crud-mix", &proxy.url(), &reference)
        .with(&MIX[..2])
        .with(&MIX[4..])
        .with(&often)
        .end()
        .ended_with(0);
}

#[test]
fn requests_without_a_response_are_inconclusive() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.contains("/configmaps/o") => Reply::Hold,
        _ => Reply::Pass,
    });
    let program = facing("crud-mix", &proxy.url(), &reference).with(&MIX).with(&["--drain", "1s"]);
    expect_output(&program.end().ended_with(3), &["failed<=1%", "1 default threshold inconclusive"]);
}

#[test]
fn a_fan_out_without_a_measured_write_is_inconclusive() {
    let reference = Reference::right();
    // The writes of the warm-up take all connections.
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("PATCH", _) => Reply::Hold,
        _ => Reply::Pass,
    });
    let long_warm_up = ["--warm-up", "1s", "--duration", "2s", "--drain", "1s"];
    let ended = facing("watch-fanout", &proxy.url(), &reference)
        .with(&FAN_OUT[..6])
        .with(&long_warm_up)
        .end()
        .ended_with(3);
    let run = run(&ended);
    let starts = &run["starts"];
    assert_eq!((starts["sent"].as_u64(), &starts["planned"]), (Some(0), &starts["dropped"]), "{starts}");
    expect_output(&ended, &["no planned request started"]);
    let junit = ended.report("junit.xml");
    assert!(junit.contains("planned requests started, because those before"), "{junit}");
    assert!(!ended.out.contains("no threshold was given"), "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_closed_loop_without_a_measured_request_is_inconclusive() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("PATCH", _) => Reply::Hold,
        _ => Reply::Pass,
    });
    let closed = ["--watches", "4", "--objects", "10", "--closed", "2", "--warm-up", "1s"];
    let short = ["--duration", "2s", "--drain", "1s"];
    let program = facing("watch-fanout", &proxy.url(), &reference).with(&closed).with(&short);
    let ended = program.end().ended_with(3);
    expect_output(
        &ended,
        &["no request of the closed loop started in the measured time", "the run is partial"],
    );
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn senders_of_a_closed_loop_that_hang_since_the_warm_up_are_named() {
    for (hang, exit, text) in [
        (1, 0, "1 of 10 senders of the closed loop started no request in the measured time"),
        (8, 3, "only 2 of 10 senders of the closed loop sent measured requests"),
    ] {
        let reference = Reference::right();
        let writes = AtomicUsize::new(0);
        let proxy = Proxy::before(&reference, move |request| match request.target() {
            ("PATCH", _) if writes.fetch_add(1, Ordering::SeqCst) < hang => Reply::Hold,
            _ => Reply::Pass,
        });
        let closed = ["--watches", "4", "--objects", "10", "--closed", "10", "--connections", "10"];
        let short = ["--warm-up", "1s", "--duration", "2s", "--drain", "1s"];
        let program = facing("watch-fanout", &proxy.url(), &reference).with(&closed).with(&short);
        let ended = program.end().ended_with(exit);
        let run = run(&ended);
        assert_eq!(run["senders"], serde_json::json!({ "planned": 10, "measured": 10 - hang }));
        expect_output(&ended, &[text, "sent measured requests"]);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn a_fan_out_whose_writes_all_fail_measures_no_delivery() {
    let reference = Reference::right();
    let proxy = rejecting(&reference, "PATCH", 1, "500 Internal Server Error");
    // Fewer than ten writes.
    let few = ["--watches", "4", "--objects", "10", "--rate", "3", "--warm-up", "1ms", "--duration", "2s"];
    let program = || facing("watch-fanout", &proxy.url(), &reference).with(&few);
    let cause = "no write to the watched objects succeeded";
    let allowed = program().with(&["--threshold", "failed<=100%"]).end().ended_with(3);
    expect_output(&allowed, &[cause, "500 Internal Server Error"]);
    assert_eq!(run(&allowed)["partial_cause"], "unmeasured");
    expect_output(&program().end().ended_with(1), &[cause, "1 default threshold missed"]);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn watches_that_are_silent_leave_it_open() {
    let reference = Reference::right();
    let proxy = watched(&reference, || Reply::Open(OPEN.into()));
    let ended = fan_out(&proxy, &reference).end().ended_with(3);
    expect_output(&ended, &["0 of 160 expected", "delivered>=99.9%", "1 default threshold inconclusive"]);
    let allowed = ["--threshold", "delivered>=0%"];
    fan_out(&proxy, &reference).with(&allowed).end().ended_with(0);
}

#[test]
fn watches_that_only_ever_expire_leave_it_open() {
    let reference = Reference::right();
    let expired = r#"{"type":"ERROR","object":{"kind":"Status","code":410}}"#;
    let proxy = watched(&reference, move || Reply::Bytes(format!("{OPEN}{expired}\n").into()));
    let ended = fan_out(&proxy, &reference).end().ended_with(3);
    expect_output(&ended, &["delivered>=99.9%", "2 default thresholds inconclusive"]);
}

#[test]
fn watches_that_are_forbidden_end_the_run_before_it_measures() {
    let reference = Reference::right();
    let proxy = watched(&reference, || Reply::Bytes(response("403 Forbidden", "application/json", "{}")));
    let ended = fan_out(&proxy, &reference).end().ended_with(3);
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert!(
        partial.contains("the server refuses every watch of configmaps with 403 Forbidden; hint:"),
        "{partial}"
    );
    let phases = run["phases"].as_array().unwrap();
    assert!(!phases.iter().any(|phase| phase["name"] == "measure"), "{}", run["phases"]);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_line_of_a_watch_that_is_no_event_is_a_broken_rule() {
    let reference = Reference::right();
    let garbage = || Reply::Open(format!("{OPEN}garbage\n").into());
    let compressed = || Reply::Open([OPEN.as_bytes(), b"\x1f\x8b\x08\n"].concat());
    let replies: [(fn() -> Reply, _); 2] =
        [(garbage, "that is no event"), (compressed, "that is gzip, which nobody asked for")];
    for (reply, words) in replies {
        let ended = fan_out(&watched(&reference, reply), &reference).end().ended_with(1);
        expect_output(&ended, &["malformed", "every line of a watch is an event", words]);
    }
}

#[test]
fn watches_that_end_at_once_have_been_open() {
    let reference = Reference::right();
    let proxy = watched(&reference, || Reply::Bytes(OPEN.into()));
    let ended = fan_out(&proxy, &reference).with(&["--request-timeout", "20s"]).end().ended_with(3);
    let run = run(&ended);
    let phases = run["phases"].as_array().unwrap();
    let ramp = phases.iter().find(|phase| phase["name"] == "ramp").unwrap();
    let waited = ramp["to_ms"].as_u64().unwrap() - ramp["from_ms"].as_u64().unwrap();
    assert!(waited < 20_000, "the ramp waited until its limit");
    let watches = run["series"].as_array().unwrap().iter().find(|series| series["verb"] == "WATCH").unwrap();
    let (outside, count) = (watches["outside"].as_u64().unwrap(), watches["count"].as_u64().unwrap());
    assert!((4..count).contains(&outside), "{outside} of {count}");
}

#[test]
fn an_event_of_another_object_is_a_broken_rule() {
    let reference = Reference::right();
    let secret = r#"{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"o1","resourceVersion":"9"}}}"#;
    let proxy = watched(&reference, move || Reply::Open(format!("{OPEN}{secret}\n").into()));
    let ended = fan_out(&proxy, &reference).end().ended_with(1);
    expect_output(&ended, &["invalid-event", "its kind is \"Secret\", not"]);
}

#[test]
fn a_watch_that_is_cut_in_the_middle_of_an_event_breaks_no_rule() {
    let reference = Reference::right();
    let proxy = watched(&reference, || Reply::Bytes(format!("{OPEN}{{\"type\":\"ADD").into()));
    let ended = fan_out(&proxy, &reference).end().ended_with(3);
    assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
}

#[test]
fn an_initial_list_that_never_ends_leaves_it_open() {
    let reference = Reference::right();
    let proxy = watched(&reference, || Reply::Open(OPEN.into()));
    let small = ["--watches", "4", "--objects", "10", "--duration", "2s", "--drain", "1s"];
    let ended = facing("watch-list", &proxy.url(), &reference).with(&small).end().ended_with(3);
    assert_eq!(run(&ended)["partial"], "no watch came to the end of its initial events");
}

#[test]
fn errors_have_one_message_of_the_server() {
    let reference = Reference::right();
    let said =
        r#"{"kind":"Status","reason":"Invalid","message":"the name is too short for TOKEN","code":422}"#;
    let said = said.replace("TOKEN", reference.token());
    let reads = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        // Those after the load pass.
        ("GET", path) if path.contains("/configmaps/o") && reads.fetch_add(1, Ordering::SeqCst) < 20 => {
            Reply::Bytes(response("422 Unprocessable Entity", "application/json", &said))
        }
        _ => Reply::Pass,
    });
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&MIX).end().ended_with(1);
    let warnings = run(&ended)["warnings"].to_string();
    let expected =
        "a response with 422 Unprocessable Entity said: Invalid: the name is too short for [redacted]";
    assert!(warnings.contains(expected), "{warnings}");
    expect_output(&ended, &["a response with 422 Unprocessable Entity said"]);
}

/// A server whose first watches are right, one for each watcher, and all others have one response.
fn wrong_later(reference: &Reference, reply: impl Fn() -> Reply + Send + Sync + 'static) -> Proxy {
    let watches = AtomicUsize::new(0);
    watched(
        reference,
        move || {
            if watches.fetch_add(1, Ordering::SeqCst) < WATCHES { Reply::Pass } else { reply() }
        },
    )
}

/// A load whose watches are cut and begin again after 3 s.
fn cut(workload: &str, proxy: &Proxy, reference: &Reference) -> Program {
    let more = ["--duration", "8s", "--warm-up", "1ms", "--drain", "1s", "--objects", "10"];
    facing(workload, &proxy.url(), reference).with(&more).with(&["--watches", &WATCHES.to_string()])
}

#[test]
fn later_initial_lists_that_never_end_leave_it_open() {
    let reference = Reference::right();
    let proxy = wrong_later(&reference, || Reply::Open(OPEN.into()));
    let ended = cut("watch-list", &proxy, &reference).end().ended_with(3);
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert!(
        partial.contains("streaming lists never had the bookmark behind their initial events"),
        "{partial}"
    );
    let synced = run["series"].as_array().unwrap().iter().find(|series| series["kind"] == "synced").unwrap();
    assert!(synced["count"].as_u64().unwrap() > WATCHES as u64, "{synced}");
}

#[test]
fn watches_that_expire_directly_after_their_list_leave_it_open() {
    let reference = Reference::right();
    let expired = r#"{"type":"ERROR","object":{"kind":"Status","code":410}}"#;
    let proxy = wrong_later(&reference, move || Reply::Bytes(format!("{OPEN}{expired}\n").into()));
    let ended = cut("relist-storm", &proxy, &reference).end().ended_with(3);
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert!(partial.contains("watches with 410 directly after their list"), "{partial}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_pair_of_runs_in_which_requests_fail_is_not_compared() {
    let (reference, other) = (Reference::right(), Reference::right());
    let proxy = failing(&reference, 2);
    let against = format!("--server {} --token {}", other.url(), other.token());
    let program = || {
        let program = facing("gets.toml", &proxy.url(), &reference).with(&["--against", &against]);
        program.file("gets.toml", crate::load_pairs::GETS);
        program
    };
    expect_output(&program().end().ended_with(1), &["not compared", "missed a threshold"]);
    program().with(&["--threshold", "failed<=60%"]).end().ended_with(0);
}
