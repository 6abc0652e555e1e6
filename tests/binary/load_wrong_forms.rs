//! `load` on a server whose Tables and metadata lack objects, or are none, and whose items have their fields in any order.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::load::{facing, run};
use crate::load_wrong_responses::{CREATES, breach, errors, is_list};
use crate::support::http::{Message, edited, with_body, with_items};
use crate::support::{Proxy, Reference, Reply};

/// Whether a request is a list of the whole population in another form.
fn is_form(request: &Message) -> bool {
    is_list(request) && request.header("accept").is_some_and(|accept| accept.contains("as="))
}

/// One list of the whole population, in another form.
fn lists_as(way: &str) -> String {
    let operation = format!("verb = \"list\"\nway = \"{way}\"\n");
    CREATES.replace("verb = \"create\"\n", &operation)
}

#[test]
fn tables_and_metadata_with_half_of_the_objects_break_a_rule() {
    fn halve(message: Message) -> Message {
        edited(message, |list| {
            let field = if list["kind"] == "Table" { "rows" } else { "items" };
            if let Some(items) = list.get_mut(field).and_then(Value::as_array_mut) {
                items.truncate(items.len() / 2);
            }
        })
    }
    for way in ["table", "metadata"] {
        let reference = Reference::right();
        let proxy =
            Proxy::before(
                &reference,
                |request| {
                    if is_form(request) { Reply::Edited(halve) } else { Reply::Pass }
                },
            );
        let program = facing("lists.toml", &proxy.url(), &reference);
        program.file("lists.toml", &lists_as(way));
        let ended = program.end().ended_with(1);
        assert_eq!(breach(&ended), "list-short", "{}", ended.out);
    }
}

#[test]
fn lists_in_the_place_of_tables_and_metadata_fail() {
    for way in ["table", "metadata"] {
        let reference = Reference::right();
        let lists = AtomicUsize::new(0);
        let proxy = Proxy::before(&reference, move |request| {
            // Some are right.
            if !is_form(request) || lists.fetch_add(1, Ordering::SeqCst).is_multiple_of(2) {
                return Reply::Pass;
            }
            let mut plain = request.clone();
            plain.headers.retain(|line| !line.to_lowercase().starts_with("accept:"));
            Reply::Instead(plain)
        });
        let program = facing("lists.toml", &proxy.url(), &reference);
        program.file("lists.toml", &lists_as(way));
        let ended = program.end().ended_with(1);
        assert!(errors(&ended, "invalid-body") > 0, "{}", ended.out);
    }
}

#[test]
fn lists_without_a_version_fail() {
    fn without_version(message: Message) -> Message {
        edited(message, |list| {
            if let Some(metadata) = list.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("resourceVersion");
            }
        })
    }
    for way in ["consistent", "table", "metadata"] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, |request| {
            if is_list(request) { Reply::Edited(without_version) } else { Reply::Pass }
        });
        let program = facing("lists.toml", &proxy.url(), &reference);
        program.file("lists.toml", &lists_as(way));
        let ended = program.end().ended_with(1);
        assert!(errors(&ended, "invalid-body") > 0, "{way}: {}", ended.out);
    }
}

/// The same JSON with an escape for each letter and digit in a text.
fn in_escapes(message: Message) -> Message {
    let (mut escaped, mut is_text, mut is_escape) = (String::new(), false, false);
    for letter in String::from_utf8_lossy(&message.body).chars() {
        if is_text && !is_escape && letter.is_ascii_alphanumeric() {
            write!(escaped, "\\u{:04x}", u32::from(letter)).unwrap();
        } else {
            escaped.push(letter);
        }
        is_text ^= letter == '"' && !is_escape;
        is_escape = letter == '\\' && !is_escape;
    }
    with_body(message, escaped.into_bytes())
}

#[test]
fn objects_and_lists_in_escapes_are_right() {
    let small = ["--objects", "10", "--warm-up", "1ms", "--drain", "1s"];
    for (workload, more) in [
        ("crud-mix", ["--rate", "50", "--duration", "2s"]),
        ("relist-storm", ["--watches", "4", "--duration", "5s"]),
    ] {
        let reference = Reference::right();
        let proxy = Proxy::before(&reference, |request| {
            let is_object = request.target().1.contains("/configmaps/o");
            let is_page = request.first.contains("/configmaps?limit=500 ");
            if is_object || is_page || is_list(request) { Reply::Edited(in_escapes) } else { Reply::Pass }
        });
        let program = facing(workload, &proxy.url(), &reference).with(&small).with(&more);
        let ended = program.end().ended_with(0);
        assert_eq!(errors(&ended, "invalid-body"), 0, "{}", ended.out);
        assert!(run(&ended).get("breaches").is_none(), "{}", ended.out);
    }
}

/// The quick count of items expects the same order in all: another one is no broken rule.
#[test]
fn items_with_their_fields_in_different_orders_break_no_rule() {
    fn reorder(list: Message) -> Message {
        with_items(list, |items| {
            for fields in items.iter_mut().step_by(2).filter_map(Value::as_object_mut) {
                *fields = std::mem::take(fields).into_iter().rev().collect();
            }
        })
    }
    let reference = Reference::right();
    let proxy =
        Proxy::before(
            &reference,
            |request| {
                if is_list(request) { Reply::Edited(reorder) } else { Reply::Pass }
            },
        );
    let program = facing("lists.toml", &proxy.url(), &reference);
    program.file("lists.toml", &CREATES.replace("verb = \"create\"\n", "verb = \"list\"\n"));
    let ended = program.end().ended_with(3);
    assert!(ended.out.contains("the generator misread"), "{}", ended.out);
    assert!(!ended.out.contains("list-short"), "{}", ended.out);
}
