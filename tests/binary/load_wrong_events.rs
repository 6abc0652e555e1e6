//! `load` on a server with right events, objects and statuses, and too few, too many or the wrong ones of them.

use serde_json::{Value, json};

use crate::load::{facing, run};
use crate::load_wrong_responses::is_list;
use crate::support::http::{Message, response, with_items};
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

const SMALL: [&str; 8] = ["--objects", "10", "--warm-up", "1ms", "--duration", "5s", "--drain", "1s"];

const SMALL_MIX: [&str; 8] = ["--objects", "20", "--rate", "50", "--warm-up", "1ms", "--duration", "3s"];

pub(crate) fn loading(workload: &str, proxy: &Proxy, reference: &Reference) -> Program {
    facing(workload, &proxy.url(), reference)
}

/// The broken rules with what was seen first.
fn breaches(ended: &Ended) -> Vec<(String, String)> {
    let run = run(ended);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let breaches = run["breaches"].as_array().cloned().unwrap_or_default();
    breaches.iter().map(|breach| (text(&breach["rule"]), text(&breach["actual"]))).collect()
}

#[track_caller]
pub(crate) fn expect_breach(ended: &Ended, rule: &str, actual: &str) {
    let breaches = breaches(ended);
    let found = breaches.iter().any(|(broken, first)| broken == rule && first.contains(actual));
    assert!(found, "no {rule} with {actual:?} in {breaches:?}");
}

/// An event of an object of the run.
pub(crate) fn event(request: &Message, kind: &str, name: &str, version: &str) -> Value {
    let namespace = request.first.split('/').nth(4).unwrap();
    let metadata = json!({ "name": name, "namespace": namespace, "resourceVersion": version });
    let data = json!({ "payload": "x".repeat(4096) });
    json!({ "type": kind, "object": { "kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata, "data": data } })
}

/// A watch that has these events, and no others.
pub(crate) fn watch_of(events: impl Iterator<Item = Value>) -> Reply {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    let lines = events.map(|event| format!("{event}\n")).collect::<Vec<_>>().concat();
    Reply::Open(format!("{head}{lines}").into())
}

/// A watch with these initial events, and the bookmark behind them, all of one version.
pub(crate) fn streaming_list(
    request: &Message,
    objects: impl Iterator<Item = usize>,
    version: &str,
) -> Reply {
    watch_of(initial_events(request, objects, version))
}

fn initial_events(
    request: &Message,
    objects: impl Iterator<Item = usize>,
    version: &str,
) -> impl Iterator<Item = Value> {
    let mut bookmark = event(request, "BOOKMARK", "", version);
    bookmark["object"]["metadata"]["annotations"] = json!({ "k8s.io/initial-events-end": "true" });
    objects.map(move |object| event(request, "ADDED", &format!("o{object}"), version)).chain([bookmark])
}

/// Watches on a server whose streaming lists have these objects.
fn watching(objects: &'static [usize]) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, move |request| {
        let is_watch = request.first.contains("watch=1");
        if is_watch { streaming_list(request, objects.iter().copied(), "900000") } else { Reply::Pass }
    });
    loading("watch-list", &proxy, &reference).with(&SMALL).with(&["--watches", "4"]).end()
}

#[test]
fn a_streaming_list_has_every_object_once() {
    let all = watching(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).ended_with(0);
    assert_eq!(breaches(&all), []);
    for short in [&[0, 1, 2, 3, 4, 5, 6, 7, 9][..], &[0, 1, 2, 3, 4, 5, 6, 7, 9, 9], &[]] {
        let ended = watching(short).ended_with(1);
        expect_breach(&ended, "list-short", "lack some: ");
    }
    let twice = watching(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]).ended_with(1);
    expect_breach(&twice, "repeated", "have some more than once: 11 of 10 objects");
}

#[test]
fn an_event_has_the_data_of_its_object() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, move |request| {
        let is_watch = request.first.contains("watch=1");
        let events = (0..10).map(|object| event(request, "ADDED", &format!("o{object}"), "900000"));
        let without_data = |mut event: Value| {
            event["object"]["data"] = json!({});
            event
        };
        if is_watch { watch_of(events.map(without_data)) } else { Reply::Pass }
    });
    let ended = loading("watch-list", &proxy, &reference).with(&SMALL).with(&["--watches", "4"]).end();
    expect_breach(&ended.ended_with(1), "invalid-event", "bytes of data");
}

#[test]
fn a_watch_has_no_event_before_its_version() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let (before, rest) = request.first.split_once("resourceVersion=").unwrap_or((&request.first, ""));
        if !request.first.contains("watch=1") || rest.is_empty() {
            return Reply::Pass;
        }
        let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        Reply::Instead(Message { first: format!("{before}resourceVersion=1{behind}"), ..request.clone() })
    });
    let small = ["--watches", "4", "--rate", "20"];
    let ended = loading("watch-fanout", &proxy, &reference).with(&SMALL).with(&small).end().ended_with(1);
    expect_breach(&ended, "repeated", "had an event of version ");
}

#[test]
fn a_deletion_that_deletes_nothing_breaks_a_rule() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let (method, path) = request.target();
        let status = r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#;
        let is_object = method == "DELETE" && path.contains("/configmaps/o");
        if is_object { Reply::Bytes(response("200 OK", "application/json", status)) } else { Reply::Pass }
    });
    let ended = loading("crud-mix", &proxy, &reference).with(&SMALL_MIX).end().ended_with(1);
    expect_breach(&ended, "unstored", "is still there after an acknowledged deletion");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_2xx_with_a_status_of_failure_fails() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let (method, path) = request.target();
        if method != "GET" || !path.contains("/configmaps/o") {
            return Reply::Pass;
        }
        let name = path.rsplit('/').next().unwrap();
        let status = json!({ "kind": "Status", "status": "Failure", "details": { "name": name } });
        Reply::Bytes(response("200 OK", "application/json", &status.to_string()))
    });
    let ended = loading("crud-mix", &proxy, &reference).with(&SMALL_MIX).end().ended_with(1);
    assert!(ended.out.contains("invalid-body"), "{}", ended.out);
}

#[test]
fn an_apply_of_a_field_of_another_manager_is_a_conflict() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let first = request.first.replace("?fieldManager=shared-", "?force=true&fieldManager=shared-");
        Reply::Instead(Message { first, ..request.clone() })
    });
    let ended = loading("apply-storm", &proxy, &reference).with(&SMALL_MIX).end().ended_with(1);
    expect_breach(&ended, "no-conflict", "another manager owns its field");
}

/// Lists alone: one in 16 is counted for sure.
const LISTS: &str = r#"
name = "lists"
models = "Clients that only list."
duration = "3s"
warm-up = "1ms"
drain = "1s"

[population]
objects = 150
size = 64

[requests]
rate = 60.0
connections = 2

[[requests.operations]]
verb = "list"
"#;

#[test]
fn a_list_has_each_object_once() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let doubled = |list| with_items(list, |items| items.extend_from_within(..));
        if is_list(request) { Reply::Edited(doubled) } else { Reply::Pass }
    });
    let program = loading("lists.toml", &proxy, &reference);
    program.file("lists.toml", LISTS);
    let ended = program.end().ended_with(1);
    expect_breach(&ended, "repeated", "has 300 items: at most 150 objects existed");
}

#[test]
fn a_short_list_has_each_object_once() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let doubled = |list| with_items(list, |items| items.extend_from_within(..1));
        if is_list(request) { Reply::Edited(doubled) } else { Reply::Pass }
    });
    let small = ["--objects", "10", "--rate", "10", "--duration", "1s"];
    let program = loading("lists.toml", &proxy, &reference).with(&small);
    program.file("lists.toml", LISTS);
    expect_breach(&program.end().ended_with(1), "repeated", "has o0 more than once");
    let small = ["--watches", "4", "--rate", "20"];
    let ended = loading("relist-storm", &proxy, &reference).with(&SMALL).with(&small).end().ended_with(1);
    expect_breach(&ended, "repeated", "the list before watch ");
}

#[test]
fn a_list_with_a_selector_has_the_objects_that_match_alone() {
    let reference = Reference::right();
    let selecting = |edit: fn(&Message) -> Reply| {
        let proxy = Proxy::before(&reference, move |request| {
            if request.first.contains("?labelSelector=kube-assay%2Fpart ") {
                edit(request)
            } else {
                Reply::Pass
            }
        });
        let small = ["--objects", "30", "--rate", "20", "--duration", "1s"];
        let program = loading("lists.toml", &proxy, &reference).with(&small);
        program.file("lists.toml", &LISTS.replace("verb = \"list\"", "verb = \"list\"\nway = \"selector\""));
        program.end()
    };
    assert_eq!(breaches(&selecting(|_| Reply::Pass).ended_with(0)), []);
    let ignored = selecting(|request| {
        let first = request.first.replace("?labelSelector=kube-assay%2Fpart", "");
        Reply::Instead(Message { first, ..request.clone() })
    });
    expect_breach(&ignored.ended_with(1), "unselected", "has 30 items: at most 3 objects match");
    let short = selecting(|_| Reply::Edited(|list| with_items(list, |items| drop(items.pop()))));
    expect_breach(&short.ended_with(1), "list-short", "(selector) has 2 of at least 3 objects");
}

#[test]
fn a_list_before_a_watch_has_every_object() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if is_list(request) {
            Reply::Edited(|list| with_items(list, |items| drop(items.pop())))
        } else {
            Reply::Pass
        }
    });
    let small = ["--watches", "4", "--rate", "20"];
    let ended = loading("relist-storm", &proxy, &reference).with(&SMALL).with(&small).end().ended_with(1);
    expect_breach(&ended, "list-short", "lacks some: 9 of 10 objects");
}

#[test]
fn a_change_of_an_object_is_not_added() {
    let reference = Reference::wrong(&["watch-update-modified"]);
    let small = ["--watches", "4", "--rate", "20"];
    let ended = facing("watch-fanout", &reference.url(), &reference).with(&SMALL).with(&small).end();
    expect_breach(&ended.ended_with(1), "invalid-event", "its type is ");
}

/// An event of an apply shows the stamp of the patch before it.
#[test]
fn an_apply_between_patches_repeats_none_of_them() {
    let reference = Reference::right();
    let program = facing("both.toml", &reference.url(), &reference);
    program.file(
        "both.toml",
        r#"
name = "both"
models = "patches and applies of the same objects"
drain = "1s"
duration = "3s"
warm-up = "1ms"
[population]
objects = 20
size = 600
[watches]
count = 3
[requests]
rate = 60
connections = 4
managers = 3
[[requests.operations]]
verb = "patch"
[[requests.operations]]
verb = "apply"
way = "separate"
"#,
    );
    let ended = program.end().ended_with(0);
    assert_eq!(breaches(&ended), []);
}

#[test]
fn an_event_behind_a_later_one_of_another_object_is_reordered() {
    let reference = Reference::wrong(&["watch-concurrent-same-order"]);
    let small = ["--watches", "4", "--rate", "20"];
    let ended = facing("watch-fanout", &reference.url(), &reference).with(&SMALL).with(&small).end();
    expect_breach(&ended.ended_with(1), "reordered", "had an event of version ");
}

#[test]
fn a_bookmark_behind_a_later_event_is_reordered() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if !request.first.contains("watch=1") {
            return Reply::Pass;
        }
        let events = [("MODIFIED", "900002"), ("BOOKMARK", "900001")];
        watch_of(events.map(|(kind, version)| event(request, kind, "o1", version)).into_iter())
    });
    let small = ["--watches", "4", "--rate", "20"];
    let ended = loading("watch-fanout", &proxy, &reference).with(&SMALL).with(&small).end().ended_with(1);
    expect_breach(&ended, "reordered", "version 900001 behind one of version 900002");
}

#[test]
fn a_change_of_an_object_that_is_not_of_the_population_comes_once() {
    for second in ["ADDED", "DELETED"] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, move |request| {
            if !request.first.contains("watch=1") {
                return Reply::Pass;
            }
            watch_of(["ADDED", second].map(|kind| event(request, kind, "o50", "900001")).into_iter())
        });
        let small = ["--watches", "4", "--rate", "20"];
        let ended = loading("watch-fanout", &proxy, &reference).with(&SMALL).with(&small).end();
        expect_breach(&ended.ended_with(1), "repeated", "behind an event or a bookmark of that version");
    }
}

/// The token of a `ServiceAccount` is longer than what a report shows of a server's text.
#[test]
fn a_long_token_in_an_event_is_hidden() {
    let (reference, token) =
        (Reference::right(), (0..400).map(|part| format!("{part:05x}")).collect::<Vec<_>>().concat());
    let (right, sent) = (format!("authorization: Bearer {}", reference.token()), token.clone());
    let proxy = Proxy::before(&reference, move |request| {
        if request.first.contains("watch=1") {
            let mut echo = event(request, "MODIFIED", "o1", "900002");
            echo["object"]["kind"] = sent.clone().into();
            return watch_of([echo].into_iter());
        }
        let mut headers = request.headers.clone();
        headers.retain(|line| !line.to_lowercase().starts_with("authorization:"));
        headers.push(right.clone());
        Reply::Instead(Message { headers, ..request.clone() })
    });
    let program = kube_assay(&["load", "watch-fanout", "--server", &proxy.url(), "--token", &token]);
    let ended = program.with(&SMALL).with(&["--watches", "4", "--rate", "20"]).end().ended_with(1);
    expect_breach(&ended, "invalid-event", "its kind is \"[redacted]\"");
    assert!(!ended.everything().contains(&token[..20]), "{}", ended.everything());
}

#[test]
fn no_event_is_older_than_the_bookmark_behind_the_initial_events() {
    for (kind, rule) in [("MODIFIED", "repeated"), ("DELETED", "repeated"), ("BOOKMARK", "reordered")] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, move |request| {
            if !request.first.contains("watch=1") {
                return Reply::Pass;
            }
            let initial = initial_events(request, 0..10, "900000");
            watch_of(initial.chain([event(request, kind, "o50", "899999")]))
        });
        let program = loading("watch-list", &proxy, &reference).with(&SMALL).with(&["--watches", "4"]);
        expect_breach(&program.end().ended_with(1), rule, "had an event of version 899999");
    }
}
