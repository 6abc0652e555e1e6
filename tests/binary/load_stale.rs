//! `load` on a server whose responses are older than the writes that it acknowledged, or that stores only some writes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::load::{facing, run};
use crate::load_wrong_events::{expect_breach, loading};
use crate::load_wrong_responses::is_list;
use crate::support::http::{Message, edited, exchange};
use crate::support::workers::Workers;
use crate::support::{Ended, Proxy, Reference, Reply};

/// Each object is written several times.
const MIX: [&str; 8] = ["--objects", "5", "--rate", "60", "--warm-up", "1ms", "--duration", "3s"];

/// Watches that come back several times.
const WATCHES: [&str; 10] =
    ["--watches", "4", "--objects", "10", "--rate", "20", "--warm-up", "1ms", "--duration", "3s"];

/// A server that answers each of these requests for ever as it did at first.
fn frozen(reference: &Reference, is_frozen: fn(&Message) -> bool) -> Proxy {
    let (address, first) = (reference.address(), Mutex::new(HashMap::new()));
    Proxy::before(reference, move |request| {
        if !is_frozen(request) {
            return Reply::Pass;
        }
        let mut first = first.lock().unwrap();
        let bytes = first
            .entry(request.first.clone())
            .or_insert_with(|| exchange(&address, request).unwrap_or_default());
        Reply::Bytes(bytes.clone())
    })
}

fn is_object_write(request: &Message) -> bool {
    let (method, path) = request.target();
    ["PUT", "PATCH"].contains(&method) && path.contains("/configmaps/o")
}

fn mixed(proxy: &Proxy, reference: &Reference) -> Ended {
    loading("crud-mix", proxy, reference).with(&MIX).end()
}

fn is_object_read(request: &Message) -> bool {
    request.target().0 == "GET" && request.first.contains("/configmaps/o")
}

#[test]
fn objects_that_never_change_are_stale() {
    let reference = Reference::right();
    let proxy = frozen(&reference, is_object_read);
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "stale", "GET /api/v1/namespaces/");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn each_worker_finds_stale_objects() {
    let reference = Reference::right();
    let proxy = frozen(&reference, is_object_read);
    let (ended, _) = Workers::facing("crud-mix", 2, (&proxy.url(), &reference), &MIX).end();
    expect_breach(&ended.ended_with(1), "stale", "GET /api/v1/namespaces/");
}

#[test]
fn lists_that_never_change_are_stale() {
    let reference = Reference::right();
    let proxy = frozen(&reference, |request| {
        request.target().0 == "GET" && request.first.contains("/configmaps?limit=500 ")
    });
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "stale", "/configmaps?limit=500 shows version ");
}

#[test]
fn lists_that_are_older_than_the_population_are_stale() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let old = |list| edited(list, |list| list["metadata"]["resourceVersion"] = "1".into());
        if is_list(request) { Reply::Edited(old) } else { Reply::Pass }
    });
    let small = ["--objects", "20", "--rate", "20", "--warm-up", "1ms", "--duration", "2s"];
    let ended = loading("large-list", &proxy, &reference).with(&small).end().ended_with(1);
    expect_breach(&ended, "stale", "shows version 1, after a write was acknowledged with ");
}

/// A load whose watches come back with new lists, on a server that is wrong.
pub(crate) fn relisting(proxy: &Proxy, reference: &Reference) -> Ended {
    let program = loading("relists.toml", proxy, reference).with(&WATCHES);
    let relists = include_str!("../../loadgen/workloads/relist-storm.toml");
    program.file("relists.toml", &relists.replace("every = \"3s\"", "every = \"500ms\""));
    program.end().ended_with(1)
}

#[test]
fn lists_before_watches_that_never_change_are_stale() {
    let reference = Reference::right();
    let proxy = frozen(&reference, is_list);
    expect_breach(&relisting(&proxy, &reference), "stale", "the list before watch ");
}

#[test]
fn writes_without_a_new_version_are_stale() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let old = |write| edited(write, |object| object["metadata"]["resourceVersion"] = "1".into());
        if is_object_write(request) { Reply::Edited(old) } else { Reply::Pass }
    });
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "stale", "shows version 1, after a write was acknowledged with 1");
}

/// A server that does not store one in ten of these writes, and responds with the object as it was.
fn unstored_now_and_then(reference: &Reference, is_write: fn(&Message) -> bool) -> Proxy {
    let writes = AtomicUsize::new(0);
    Proxy::before(reference, move |request| {
        if is_write(request) && writes.fetch_add(1, Ordering::SeqCst) % 10 == 9 {
            let path = request.target().1;
            Reply::Instead(Message { first: format!("GET {path} HTTP/1.1"), ..request.clone() })
        } else {
            Reply::Pass
        }
    })
}

#[test]
fn one_write_in_ten_that_is_not_stored_breaks_a_rule() {
    let reference = Reference::right();
    let proxy = unstored_now_and_then(&reference, is_object_write);
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "unstored", " lacks the write");
}

#[test]
fn one_apply_in_ten_that_is_not_stored_is_stale() {
    let reference = Reference::right();
    let proxy = unstored_now_and_then(&reference, |request| request.target().0 == "PATCH");
    let ended = loading("apply-storm", &proxy, &reference).with(&MIX).end().ended_with(1);
    expect_breach(&ended, "stale", "PATCH /api/v1/namespaces/");
}

#[test]
fn a_list_from_the_cache_may_be_old() {
    let reference = Reference::right();
    let proxy = frozen(&reference, |request| request.first.contains("/configmaps?resourceVersion=0 "));
    let program = facing("cached.toml", &proxy.url(), &reference);
    let cached = "verb = \"list\"\nway = \"cached\"\n\n[[requests.operations]]\nverb = \"patch\"\n";
    program.file("cached.toml", &crate::load_wrong_responses::CREATES.replace("verb = \"create\"\n", cached));
    let ended = program.end().ended_with(0);
    assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
}

#[test]
fn creates_without_a_new_version_are_stale() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        // Those of the population have right responses.
        let old = |created| {
            edited(created, |object| {
                if is_created(object) {
                    object["metadata"]["resourceVersion"] = "1".into();
                }
            })
        };
        if request.target().0 == "POST" { Reply::Edited(old) } else { Reply::Pass }
    });
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "stale", "POST /api/v1/namespaces/");
}

/// Whether an object is none of the population of 5.
fn is_created(object: &Value) -> bool {
    let number = object["metadata"]["name"].as_str().and_then(|name| name.strip_prefix('o'));
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number >= 5)
}

/// A mix deletes most of the objects that it creates.
#[test]
fn one_create_in_two_that_is_not_stored_breaks_a_rule() {
    let (reference, creates) = (Reference::right(), AtomicUsize::new(0));
    let proxy = Proxy::before(&reference, move |request| {
        let is_create = request.target().0 == "POST" && request.first.contains("/configmaps ");
        let earlier = creates.fetch_add(usize::from(is_create), Ordering::SeqCst);
        // The population and what comes before it are stored.
        if is_create && earlier >= 10 && earlier % 2 == 1 {
            let first = request.first.replace("/configmaps ", "/configmaps?dryRun=All ");
            Reply::Instead(Message { first, ..request.clone() })
        } else {
            Reply::Pass
        }
    });
    let ended = mixed(&proxy, &reference).ended_with(1);
    expect_breach(&ended, "unstored", "is not found after an acknowledged write");
}
