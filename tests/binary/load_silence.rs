//! `load` on a server that falls silent under the load: few requests are open, because they take all connections, and the
//! starts behind them are dropped. Other starts are dropped because a write to every object is in flight.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::load::{facing, run};
use crate::load_trouble::is_read;
use crate::load_wrong_responses::{CREATES, is_list};
use crate::support::http::Message;
use crate::support::{Proxy, Reference, Reply};

/// A threshold that the open requests keep.
const LONG: [&str; 6] = ["--duration", "6s", "--drain", "1s", "--threshold", "failed<=20%"];

/// The numbers of dropped starts: of the intervals, and of the run.
fn dropped(run: &Value) -> (Vec<u64>, u64) {
    let intervals = run["intervals"].as_array().unwrap();
    let of_intervals = intervals.iter().map(|interval| interval["dropped"].as_u64().unwrap()).collect();
    (of_intervals, run["starts"]["dropped"].as_u64().unwrap())
}

/// The beginning of the reason.
const LOST: &str = "the server responded to no request after the first ";

/// A proxy that holds these requests, save for the first ones.
fn holding(reference: &Reference, is_meant: fn(&Message) -> bool, first: usize) -> Proxy {
    let seen = AtomicUsize::new(0);
    Proxy::before(reference, move |request| {
        let is_held = is_meant(request) && seen.fetch_add(1, Ordering::SeqCst) >= first;
        if is_held { Reply::Hold } else { Reply::Pass }
    })
}

#[test]
fn a_server_that_falls_silent_is_named_before_what_follows_from_it() {
    let reference = Reference::right();
    let proxy = holding(&reference, |request| is_read(request.target()), 30);
    let mix = ["--objects", "20", "--rate", "60", "--warm-up", "1ms"];
    let ended = facing("crud-mix", &proxy.url(), &reference).with(&mix).with(&LONG).end().ended_with(3);
    let run = run(&ended);
    let partial = run["partial"].as_str().unwrap();
    assert!(partial.starts_with(LOST), "{partial}");
    assert!(partial.contains("; none of ") && partial.contains(" objects could be read back"), "{partial}");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_server_that_falls_silent_is_named_where_nothing_is_read_back() {
    let reference = Reference::right();
    let proxy = holding(&reference, is_list, 40);
    let program = facing("lists.toml", &proxy.url(), &reference).with(&LONG);
    program.file("lists.toml", &CREATES.replace("verb = \"create\"\n", "verb = \"list\"\n"));
    let ended = program.end().ended_with(3);
    let run = run(&ended);
    assert!(run["partial"].as_str().unwrap().starts_with(LOST), "{}", run["partial"]);
    // The few open requests keep the limit, and those behind them were dropped.
    assert_eq!(run["thresholds"][0]["verdict"], "inconclusive", "{}", ended.out);
    assert!(ended.out.contains("inconclusive  failed<=20%"), "{}", ended.out);
    // All starts that still wait are dropped at once.
    let (of_intervals, of_run) = dropped(&run);
    let counts: Vec<u64> = of_intervals.into_iter().filter(|count| *count > 0).collect();
    assert!(of_run > 0, "{}", run["starts"]);
    assert_eq!(counts, [of_run]);
    // The server responds again.
    assert_eq!(run["leftovers"], Value::Null, "{}", ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn starts_without_a_free_object_to_write_are_dropped_in_their_second() {
    let reference = Reference::right();
    let proxy = holding(&reference, |request| request.target().0 == "PATCH", 10);
    let program = facing("patches.toml", &proxy.url(), &reference).with(&LONG).with(&["--objects", "1"]);
    program.file("patches.toml", &CREATES.replace("verb = \"create\"\n", "verb = \"patch\"\n"));
    let run = run(&program.end().ended_with(3));
    let (of_intervals, of_run) = dropped(&run);
    assert_eq!(of_intervals.iter().sum::<u64>(), of_run, "{of_intervals:?}");
    // One sender waits for the response, and the other finds its object taken.
    assert!(of_intervals.iter().filter(|count| **count > 0).count() > 1, "{of_intervals:?}");
    assert_eq!(reference.left_behind(), [""; 0]);
}
