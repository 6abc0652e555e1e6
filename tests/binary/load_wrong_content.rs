//! `load` on a server whose objects, lists and events have the right form, and a content that cannot be right.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::load::{count, facing, run};
use crate::load_stale::relisting;
use crate::load_wrong_events::{event, expect_breach, loading, streaming_list, watch_of};
use crate::load_wrong_responses::{CREATES, errors, is_list};
use crate::support::http::{Message, each_item, edited, response, with_items};
use crate::support::{Ended, Proxy, Reference, Reply};

/// Objects with some data.
const MIX: [&str; 10] =
    ["--objects", "20", "--size", "2k", "--rate", "60", "--warm-up", "1ms", "--duration", "2s"];

/// A server that edits its responses to some requests.
fn editing(reference: &Reference, is_edited: fn(&Message) -> bool, edit: fn(Message) -> Message) -> Proxy {
    Proxy::before(
        reference,
        move |request| {
            if is_edited(request) { Reply::Edited(edit) } else { Reply::Pass }
        },
    )
}

fn is_object_read(request: &Message) -> bool {
    let (method, path) = request.target();
    method == "GET" && path.contains("/configmaps/o")
}

fn is_object(request: &Message) -> bool {
    let (method, path) = request.target();
    ["GET", "PUT", "PATCH"].contains(&method) && path.contains("/configmaps/o")
}

fn is_page(request: &Message) -> bool {
    request.first.contains("/configmaps?limit=500 ")
}

fn mixed(is_edited: fn(&Message) -> bool, edit: fn(Message) -> Message) -> Ended {
    let reference = Reference::right();
    let proxy = editing(&reference, is_edited, edit);
    let ended = loading("crud-mix", &proxy, &reference).with(&MIX).end().ended_with(1);
    assert_eq!(reference.left_behind(), [""; 0]);
    ended
}

#[test]
fn another_object_with_the_right_name_fails() {
    let edits: [fn(Message) -> Message; 3] = [
        |object| edited(object, |object| object["kind"] = "Secret".into()),
        |object| edited(object, |object| object["metadata"]["namespace"] = "elsewhere".into()),
        |object| {
            edited(object, |object| {
                let name = object["metadata"]["name"].take();
                object["metadata"]["labels"]["name"] = name;
                object["metadata"]["name"] = "other".into();
            })
        },
    ];
    for edit in edits {
        let ended = mixed(is_object_read, edit);
        assert!(errors(&ended, "invalid-body") > 0);
        expect_breach(&ended, "other-object", "the response to GET ");
    }
}

#[test]
fn objects_and_lists_without_their_data_are_found() {
    fn empty(message: Message) -> Message {
        edited(message, |object| drop(object.as_object_mut().unwrap().remove("data")))
    }
    assert!(errors(&mixed(is_object, empty), "invalid-body") > 0);
    let lists =
        mixed(is_page, |list| each_item(list, |item| drop(item.as_object_mut().unwrap().remove("data"))));
    expect_breach(&lists, "unstored", " bytes of data in ");
}

#[test]
fn an_object_with_a_new_uid_at_each_read_is_replaced() {
    static READS: AtomicUsize = AtomicUsize::new(0);
    let ended = mixed(is_object, |object| {
        edited(object, |object| {
            object["metadata"]["uid"] = READS.fetch_add(1, Ordering::SeqCst).to_string().into();
        })
    });
    expect_breach(&ended, "replaced", " before");
}

/// A server may give the credential back in what breaks a rule.
#[test]
fn a_token_in_the_place_of_a_uid_is_hidden() {
    let ended =
        mixed(is_page, |list| each_item(list, |item| item["metadata"]["uid"] = "letmein-admin".into()));
    expect_breach(&ended, "replaced", "with UID \"[redacted]\"");
    assert!(!ended.everything().contains("letmein"), "{}", ended.everything());
}

#[test]
fn lists_of_replaced_objects_break_a_rule() {
    let ended = mixed(is_page, |list| each_item(list, |item| item["metadata"]["uid"] = "other".into()));
    expect_breach(&ended, "replaced", "with UID ");
}

#[test]
fn an_item_of_another_namespace_is_unselected() {
    let ended = mixed(is_page, |list| {
        with_items(list, |items| {
            let mut other = items[0].clone();
            other["metadata"]["namespace"] = "elsewhere".into();
            items.push(other);
        })
    });
    expect_breach(&ended, "unselected", "of the namespace elsewhere");
}

#[test]
fn an_item_newer_or_older_than_its_list_is_stale() {
    for version in ["1", "900000"] {
        static VERSION: Mutex<&str> = Mutex::new("");
        *VERSION.lock().unwrap() = version;
        let ended = mixed(is_page, |list| {
            let version = *VERSION.lock().unwrap();
            each_item(list, |item| item["metadata"]["resourceVersion"] = version.into())
        });
        expect_breach(&ended, "stale", ", which it cannot have then");
    }
}

/// The end of a load of lists of 600 objects in two pages, the second of them edited, save for the list that counts the
/// objects before.
fn paging(edit: fn(Message) -> Message) -> Ended {
    let (reference, second_pages) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let is_edited =
            request.first.contains("&continue=") && second_pages.fetch_add(1, Ordering::SeqCst) > 0;
        if is_edited { Reply::Edited(edit) } else { Reply::Pass }
    });
    let program = facing("pages.toml", &proxy.url(), &reference);
    let pages = "verb = \"list\"\nway = \"paged\"\n";
    let workload = CREATES.replace("verb = \"create\"\n", pages).replace("objects = 5", "objects = 600");
    program.file("pages.toml", &workload);
    program.end()
}

#[test]
fn all_pages_of_a_list_have_each_object_once() {
    paging(|list| list).ended_with(0);
    let twice = paging(|list| with_items(list, |items| items[0]["metadata"]["name"] = "o0".into()));
    expect_breach(&twice.ended_with(1), "repeated", " has o0 on two pages");
    let short = paging(|list| with_items(list, |items| drop(items.remove(0))));
    expect_breach(&short.ended_with(1), "list-short", "has 599 of at least 600 objects on all its pages");
}

/// The cuts of the run end lists and watches that are being opened.
#[test]
fn the_cuts_of_the_run_are_no_failures_of_the_server() {
    let reference = Reference::variant("slow", &[]);
    let small =
        ["--watches", "10", "--objects", "10", "--warm-up", "1ms", "--duration", "3s", "--drain", "2s"];
    let program = facing("relists.toml", &reference.url(), &reference).with(&small);
    let relists = include_str!("../../loadgen/workloads/relist-storm.toml");
    program.file("relists.toml", &relists.replace("every = \"3s\"", "every = \"200ms\""));
    let ended = program.end().ended_with(0);
    assert!(!ended.out.contains("errors of "), "{}", ended.out);
}

#[test]
fn a_list_with_a_selector_has_the_objects_that_match() {
    let reference = Reference::right();
    // The same number of other objects, and the one that is sought.
    let proxy = editing(
        &reference,
        |request| request.first.contains("labelSelector=kube-assay%2Fpart"),
        |list| {
            with_items(list, |items| {
                if items.len() > 1 {
                    for item in items {
                        let name = format!("{}1", item["metadata"]["name"].as_str().unwrap());
                        item["metadata"]["annotations"] = json!({ "name": item["metadata"]["name"] });
                        item["metadata"]["name"] = name.into();
                    }
                }
            })
        },
    );
    let program = facing("selected.toml", &proxy.url(), &reference);
    let selected = "verb = \"list\"\nway = \"selector\"\n";
    let workload = CREATES.replace("verb = \"create\"\n", selected).replace("objects = 5", "objects = 50");
    program.file("selected.toml", &workload);
    expect_breach(&program.end().ended_with(1), "unselected", "which does not match");
}

/// Watches on a server that edits each response of some requests.
fn watching(workload: &str, edit: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, edit);
    let small =
        ["--watches", "2", "--objects", "10", "--warm-up", "1ms", "--duration", "2s", "--drain", "1s"];
    loading(workload, &proxy, &reference).with(&small).end().ended_with(1)
}

#[test]
fn a_streaming_list_with_an_old_version_is_stale() {
    let ended = watching("watch-list", |request| {
        if !request.first.contains("sendInitialEvents=true") {
            return Reply::Pass;
        }
        streaming_list(request, 0..10, "1")
    });
    expect_breach(&ended, "stale", "the bookmark after the initial events of watch ");
}

#[test]
fn a_list_before_a_watch_has_right_items() {
    type Edit = fn(Message) -> Message;
    let other = |list: Message| each_item(list, |item| item["metadata"]["namespace"] = "elsewhere".into());
    let newer = |list: Message| each_item(list, |item| item["metadata"]["resourceVersion"] = "900000".into());
    for (rule, edit) in [("unselected", other as Edit), ("stale", newer)] {
        let reference = Reference::right();
        let ended = relisting(&editing(&reference, is_list, edit), &reference);
        expect_breach(&ended, rule, "the list before watch ");
    }
}

#[test]
fn a_list_has_the_objects_of_the_population_and_not_others_in_their_place() {
    let reference = Reference::right();
    let proxy = editing(&reference, is_list, |list| {
        with_items(list, |items| items[3]["metadata"]["name"] = "other".into())
    });
    let small = ["--objects", "20", "--rate", "20", "--warm-up", "1ms", "--duration", "2s"];
    let ended = loading("large-list", &proxy, &reference).with(&small).end().ended_with(1);
    expect_breach(&ended, "list-short", " has 19 of at least 20 objects");
}

#[test]
fn a_deletion_of_an_object_that_exists_does_not_fit() {
    let ended = watching("watch-fanout", |request| {
        if !request.first.contains("watch=1") {
            return Reply::Pass;
        }
        watch_of([event(request, "DELETED", "o1", "900000")].into_iter())
    });
    expect_breach(&ended, "invalid-event", "its type is DELETED");
}

/// A server may require a version in updates, as kube-apiserver does for Leases and custom resources.
#[test]
fn updates_have_the_version_that_a_server_requires() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let (method, _) = request.target();
        if method != "PUT" || String::from_utf8_lossy(&request.body).contains("\"resourceVersion\":\"") {
            return Reply::Pass;
        }
        let status =
            r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422}"#;
        Reply::Bytes(response("422 Unprocessable Entity", "application/json", status))
    });
    let ended = loading("crud-mix", &proxy, &reference).with(&MIX).end().ended_with(0);
    assert!(count(&run(&ended), "PUT", "latency") > 0, "{}", ended.out);
}

#[test]
fn a_list_has_the_objects_that_were_created_before() {
    let ended = mixed(is_page, |list| {
        with_items(list, |items| {
            let population: Vec<String> = (0..20).map(|object| format!("o{object}")).collect();
            items.retain(|item| population.iter().any(|name| item["metadata"]["name"] == **name));
        })
    });
    expect_breach(&ended, "list-short", ", whose creation was acknowledged before");
}

#[test]
fn a_list_of_one_page_has_the_whole_population() {
    let ended = mixed(is_page, |list| {
        with_items(list, |items| items.retain(|item| item["metadata"]["name"] != "o7"))
    });
    expect_breach(&ended, "list-short", "(paged) has 19 of at least 20 objects");
}

#[test]
fn a_response_to_a_write_shows_it_whatever_its_version() {
    let ended = mixed(
        |request| request.target().0 == "PATCH",
        |object| {
            edited(object, |object| {
                object["metadata"]["resourceVersion"] = "opaque".into();
                object["metadata"]["annotations"] = json!({});
            })
        },
    );
    expect_breach(&ended, "unstored", " lacks the write");
}

#[test]
fn a_field_that_is_null_or_has_another_type_hides_nothing() {
    let ended = mixed(is_object_read, |object| {
        edited(object, |object| {
            object["kind"] = "Secret".into();
            object["metadata"]["uid"] = json!(null);
        })
    });
    expect_breach(&ended, "other-object", "the response to GET /api/v1/namespaces/");

    let ended = mixed(is_object_read, |object| {
        edited(object, |object| object["metadata"]["resourceVersion"] = 7.into())
    });
    assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
}

/// Streaming lists whose initial events are edited, with the number of events before.
fn edited_events(edit: fn(&mut Value, usize)) -> Ended {
    let (reference, before) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        if !request.first.contains("watch=1") {
            return Reply::Pass;
        }
        let mut bookmark = event(request, "BOOKMARK", "", "900000");
        bookmark["object"]["metadata"]["annotations"] = json!({ "k8s.io/initial-events-end": "true" });
        let events = (0..10).map(|object| {
            let mut event = event(request, "ADDED", &format!("o{object}"), "900000");
            edit(&mut event["object"], before.fetch_add(1, Ordering::SeqCst));
            // In this order, kube-assay parses each event.
            json!({ "object": event["object"], "type": event["type"] })
        });
        watch_of(events.chain([bookmark]))
    });
    let small =
        ["--objects", "10", "--watches", "4", "--warm-up", "1ms", "--duration", "5s", "--drain", "1s"];
    loading("watch-list", &proxy, &reference).with(&small).end()
}

#[test]
fn an_object_has_one_uid_in_all_events() {
    let one_each = edited_events(|object, _| {
        let name = object["metadata"]["name"].clone();
        object["metadata"]["uid"] = name;
    });
    assert!(run(&one_each.ended_with(0)).get("breaches").is_none());
    let other =
        edited_events(|object, before| object["metadata"]["uid"] = format!("u{before}").into()).ended_with(1);
    expect_breach(&other, "replaced", "had an event of o");
}

#[test]
fn an_event_has_the_data_that_was_written() {
    let other = edited_events(|object, _| object["data"]["payload"] = "y".repeat(4_096).into());
    expect_breach(&other.ended_with(1), "invalid-event", "lacks the data that its object was written with");
}
