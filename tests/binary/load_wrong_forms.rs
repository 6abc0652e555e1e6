//! `load` on a server whose Tables and metadata lack objects, or are none.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::load::facing;
use crate::load_wrong_responses::{CREATES, breach, errors, is_list};
use crate::support::http::{Message, edited};
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
