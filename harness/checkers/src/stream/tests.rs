//! Each rule with a breach and a similar right case, in small histories written as text.

#![allow(clippy::enum_glob_use, reason = "a table of rules reads better without `Rule::`")]

mod histories;

use super::{
    Event, EventObject, Findings, ResourceVersion, Selector, Start, Stream, StreamRule, WatchEventType,
    WatchRequest, Write, judge,
};

const OF: &str = "v1/configmaps";

fn watch_request(start: &str) -> WatchRequest {
    let start = match start {
        "state" => Start::State,
        version => Start::After(ResourceVersion::of(version)),
    };
    WatchRequest {
        namespace: Some("n".to_owned()),
        selector: Selector::default().namespace("n"),
        ..WatchRequest::all(OF, start)
    }
}

fn selecting(start: &str, labels: &str) -> WatchRequest {
    let plain = watch_request(start);
    WatchRequest { selector: plain.selector.clone().labels(labels), ..plain }
}

/// Feeds events written as text: `ADDED a 1 red; MODIFIED a 2 blue; DELETED a 3; BOOKMARK 4`.
fn stream(watch_request: WatchRequest, events: &str) -> Stream {
    let mut stream = Stream::new(watch_request);
    for event in events.split(';').map(str::trim).filter(|event| !event.is_empty()) {
        let words: Vec<&str> = event.split_whitespace().collect();
        feed(&mut stream, words[0], &words[1..]);
    }
    stream
}

fn feed(stream: &mut Stream, kind: &str, rest: &[&str]) {
    let change = match kind {
        "ADDED" => WatchEventType::Added,
        "MODIFIED" => WatchEventType::Modified,
        "DELETED" => WatchEventType::Deleted,
        "BOOKMARK" | "CLOSED" => {
            let closes_state = kind == "CLOSED";
            return stream.check(&Event::Bookmark { version: rest[0], closes_state, bare: rest.len() == 1 });
        }
        "ERROR" => return stream.check(&Event::Error { status: rest == ["Status"] }),
        unknown => return stream.check(&Event::Unknown(unknown)),
    };
    let labels = rest.get(2).map(|colour| [("colour", *colour)]);
    let event_object = EventObject {
        api_version: "v1",
        kind: rest.get(3).copied().unwrap_or("ConfigMap"),
        namespace: "n",
        name: rest[0],
        version: rest[1],
        labels: labels.as_ref().map_or(&[], |one| one),
        digest: Some(rest.get(2).map_or(0, |colour| colour.len() as u64)),
        lasting: rest.get(4).and_then(|lasting| lasting.parse().ok()),
    };
    stream.check(&Event::Change(change, event_object));
}

/// Successive writes, written as text: `a 1 red; b 2 blue`.
fn writes(text: &str) -> Vec<Write> {
    let one = |(number, write): (usize, &str)| {
        let words: Vec<&str> = write.split_whitespace().collect();
        let colour = words.get(2).copied();
        Write {
            collection: OF.to_owned(),
            kind: "ConfigMap".to_owned(),
            key: format!("n/{}", words[0]),
            version: ResourceVersion::of(words[1]),
            labels: colour.map(|colour| ("colour".into(), colour.into())).into_iter().collect(),
            digest: Some(colour.map_or(0, |colour| colour.len() as u64)),
            begun: 2 * number as u64,
            returned: 2 * number as u64 + 1,
        }
    };
    text.split(';').map(str::trim).filter(|write| !write.is_empty()).enumerate().map(one).collect()
}

fn judged(acknowledged: &str, streams: &[Stream]) -> Vec<Findings> {
    let acknowledged = writes(acknowledged);
    judge(&acknowledged.iter().collect::<Vec<_>>(), &streams.iter().collect::<Vec<_>>(), false)
}

/// The rules that the last of the streams breaks.
fn broken(acknowledged: &str, streams: &[Stream]) -> Vec<StreamRule> {
    judged(acknowledged, streams).last().map(Findings::broken).unwrap_or_default()
}

#[test]
fn a_single_stream_breaks_each_rule() {
    use StreamRule::*;
    #[rustfmt::skip]
    let rows: &[(&str, &str, &[StreamRule])] = &[
        // The initial state has no order; the changes have.
        ("state", "ADDED b 5; ADDED a 2; MODIFIED b 6", &[]),
        ("state", "ADDED b 5; ADDED a 2; MODIFIED a 4", &[Ordered]),
        ("state", "ADDED b 5; CLOSED 7; ADDED a 8", &[]),
        ("1", "ADDED b 5; ADDED a 2", &[Ordered]),
        ("1", "ADDED a 5; MODIFIED a 4", &[Ordered]),
        ("1", "ADDED a 5; MODIFIED b 6", &[]),
        // Two objects may share a version, one object never repeats its own.
        ("1", "ADDED a 5; ADDED b 5", &[]),
        ("1", "ADDED a 5; MODIFIED a 5", &[Unique]),
        ("1", "ADDED a x; MODIFIED a x", &[Unique]),
        ("1", "ADDED a x; MODIFIED a y; MODIFIED a x", &[Unique]),
        // Events follow the start of the watch, and its bookmarks.
        ("5", "ADDED a 5", &[Resumable]),
        ("5", "ADDED a 6", &[]),
        ("x", "ADDED a x", &[Resumable]),
        ("1", "BOOKMARK 5; ADDED a 5", &[Bookmarkable]),
        ("1", "BOOKMARK 5; BOOKMARK 5; ADDED a 6", &[]),
        ("1", "ADDED a 4; BOOKMARK 5; MODIFIED a 6", &[]),
        ("1", "ADDED a 4; BOOKMARK 4; MODIFIED a 6", &[]),
        ("1", "ADDED a 4; BOOKMARK 3", &[Bookmarkable]),
        ("state", "ADDED b 5; ADDED a 2; CLOSED 4", &[Bookmarkable]),
        ("1", "ADDED a x; BOOKMARK 1", &[]),
        // ADDED is for new objects only, and new objects are ADDED only.
        ("state", "MODIFIED a 3", &[Filtered]),
        ("state", "ADDED a 3; ADDED a 4", &[Filtered]),
        ("state", "ADDED a 3; DELETED a 4; ADDED a 5", &[]),
        ("1", "MODIFIED a 3; DELETED a 4", &[]),
        ("1", "DELETED a 3; MODIFIED a 4", &[Filtered]),
        // Types and kinds.
        ("1", "UPDATED a 3", &[Typed]),
        ("1", "ADDED a 3; ADDED b 4 red Secret", &[Typed]),
        ("1", "BOOKMARK 4 a", &[Typed]),
        ("1", "ERROR nonsense", &[Typed]),
        ("1", "ERROR Status", &[]),
    ];
    for (start, events, expected) in rows {
        assert_eq!(broken("", &[stream(watch_request(start), events)]), *expected, "from {start}: {events}");
    }
}

#[test]
fn a_deletion_shows_the_last_state() {
    use StreamRule::*;
    let deleted = |labels, lasting| {
        let of = "colour ConfigMap";
        let events = format!("ADDED a 2 {of} 1; MODIFIED a 3 {of} {}; DELETED a 4 {of} {}", lasting, 2);
        broken("", &[stream(selecting("1", labels), &events)])
    };
    assert_eq!(deleted("", "2"), []);
    assert_eq!(deleted("", "3"), [Atomic]);
    // Something held it, or it may have left the selection.
    assert_eq!(deleted("", "-"), []);
    assert_eq!(deleted("colour", "3"), []);
}

#[test]
fn events_follow_the_selection() {
    use StreamRule::*;
    #[rustfmt::skip]
    let rows: &[(&str, &str, &[StreamRule])] = &[
        // In the last row, the stream does not cover the last write.
        ("a 2 red; a 3 blue; b 9 red", "ADDED a 2 red; DELETED a 3 red; ADDED b 9 red", &[]),
        ("a 2 red; a 3 blue; b 9 red", "ADDED a 2 red; ADDED b 9 red", &[Filtered]),
        ("a 2 red; a 3 blue; b 9 red", "ADDED a 2 red; MODIFIED a 3 blue; ADDED b 9 red", &[Filtered]),
        ("a 2 red; a 3 red; b 9 red", "ADDED a 2 red; DELETED a 3 red; ADDED b 9 red", &[Filtered]),
        ("a 2 blue", "ADDED a 2 blue", &[Filtered]),
        ("a 2 red; a 3 blue", "ADDED a 2 red", &[]),
    ];
    for (acknowledged, events, expected) in rows {
        let found = broken(acknowledged, &[stream(selecting("1", "colour=red"), events)]);
        assert_eq!(found, *expected, "{acknowledged} as {events}");
    }
}

#[test]
fn a_complete_stream_shows_what_another_misses() {
    use StreamRule::*;
    let whole = "MODIFIED a 5 red; MODIFIED a 6 blue; MODIFIED a 7 red; ADDED z 9 red";
    #[rustfmt::skip]
    let rows: &[(&str, &str, &[StreamRule])] = &[
        ("5", "DELETED a 6 red; ADDED a 7 red; ADDED z 9 red", &[]),
        ("5", "DELETED a 6 red; ADDED z 9 red", &[Reliable]),
        ("5", "ADDED a 7 red; ADDED z 9 red", &[Resumable]),
        ("6", "ADDED a 7 red; ADDED z 9 red", &[]),
        ("6", "MODIFIED a 7 red; ADDED z 9 red", &[Filtered]),
        ("6", "ADDED z 9 red", &[Resumable]),
        ("6", "", &[]),
        ("6", "BOOKMARK 8", &[Resumable]),
        ("state", "ADDED a 7 red; BOOKMARK 8; ADDED z 9 red", &[]),
        ("state", "ADDED z 9 red", &[]),
    ];
    for (start, events, expected) in rows {
        let streams = [stream(watch_request("4"), whole), stream(selecting(start, "colour=red"), events)];
        assert_eq!(broken("", &streams), *expected, "from {start}: {events}");
    }
}

#[test]
fn a_missing_deletion_is_found() {
    let whole = || stream(watch_request("1"), "ADDED a 2; DELETED a 3; ADDED z 9");
    for (events, expected) in [
        ("ADDED a 2; DELETED a 3; ADDED z 9", &[][..]),
        ("ADDED a 2; ADDED z 9", &[StreamRule::Reliable][..]),
        ("ADDED a 2", &[][..]),
    ] {
        assert_eq!(broken("", &[whole(), stream(watch_request("1"), events)]), expected, "{events}");
    }
}

#[test]
fn a_version_has_one_state() {
    let acknowledged = "a 2 red; a 3 red";
    assert_eq!(broken(acknowledged, &[stream(watch_request("1"), "ADDED a 2 red; MODIFIED a 3 red")]), []);
    assert_eq!(
        broken(acknowledged, &[stream(watch_request("1"), "ADDED a 2 red; MODIFIED a 3")]),
        [StreamRule::Atomic]
    );
    let streams = [stream(watch_request("1"), "ADDED a 2"), stream(watch_request("state"), "ADDED a 2 red")];
    assert_eq!(broken("", &streams), [StreamRule::Atomic]);
}

#[test]
fn responses_give_opaque_versions_an_order() {
    use StreamRule::*;
    #[rustfmt::skip]
    let rows: &[(&str, &str, &[StreamRule])] = &[
        ("a x; a y; a z", "ADDED a x; MODIFIED a y; MODIFIED a z", &[]),
        ("a x; a y; a z", "ADDED a x; MODIFIED a z", &[Reliable]),
        ("a x; a y; a z", "MODIFIED a y; MODIFIED a z", &[]),
        ("a x; a y; a z", "ADDED a x; MODIFIED a y", &[]),
        ("a x; a y", "ADDED a y; MODIFIED a x", &[Ordered]),
    ];
    for (acknowledged, events, expected) in rows {
        assert_eq!(
            broken(acknowledged, &[stream(watch_request("w"), events)]),
            *expected,
            "{acknowledged} as {events}"
        );
    }
    let streams = ["ADDED a x; MODIFIED a y; MODIFIED a z", "ADDED a x; MODIFIED a z"];
    assert_eq!(broken("", &streams.map(|events| stream(watch_request("w"), events))), [Reliable]);
}

#[test]
fn a_rule_without_evidence_does_not_apply() {
    let found = judged("", &[stream(watch_request("1"), "ADDED a 2")]);
    let applied: Vec<StreamRule> =
        StreamRule::ALL.into_iter().filter(|rule| found[0].applied(*rule)).collect();
    assert_eq!(
        applied,
        [
            StreamRule::Ordered,
            StreamRule::Unique,
            StreamRule::Resumable,
            StreamRule::Filtered,
            StreamRule::Typed
        ]
    );
}
