//! Events per second of the stream checkers on one core: `cargo bench -p checkers --bench streams`.
//!
//! A thousand objects with a handful of labels, each created, changed, relabelled and deleted again and again.

use checkers::stream::{
    Event, EventObject, ResourceVersion, Selector, Start, Stream, WatchEventType, WatchRequest, Write,
    digest, judge, read,
};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

const COLLECTION: &str = "v1/configmaps";
const OBJECTS: usize = 1_000;
const EVENTS: usize = 100_000;

/// One watch event of a right server.
struct Line {
    change: WatchEventType,
    name: String,
    version: String,
    colour: &'static str,
}

fn lines() -> Vec<Line> {
    let mut lives = vec![0; OBJECTS];
    let line = |number: usize| {
        let object = number * 7_919 % OBJECTS;
        let age = lives[object] % 10;
        lives[object] += 1;
        let change = match age {
            0 => WatchEventType::Added,
            9 => WatchEventType::Deleted,
            _ => WatchEventType::Modified,
        };
        let colour = if (4..6).contains(&age) { "blue" } else { "red" };
        Line { change, name: format!("configmap-{object}"), version: (number + 1_001).to_string(), colour }
    };
    (0..EVENTS).map(line).collect()
}

fn labels(line: &Line) -> [(&'static str, &'static str); 4] {
    [("app", "shop"), ("colour", line.colour), ("pod-template-hash", "6b7f8d9c5"), ("tier", "backend")]
}

fn follow(lines: &[Line]) -> Stream {
    let selector = Selector::default().namespace("load");
    let watch_request = WatchRequest::all(COLLECTION, Start::After(ResourceVersion::Number(1_000)));
    let mut stream =
        Stream::new(WatchRequest { namespace: Some("load".to_owned()), selector, ..watch_request });
    for line in lines {
        let event_object = EventObject {
            api_version: "v1",
            kind: "ConfigMap",
            namespace: "load",
            name: &line.name,
            version: &line.version,
            labels: &labels(line),
            digest: Some(line.version.len() as u64),
            lasting: None,
        };
        stream.check(&Event::Change(line.change, event_object));
    }
    stream
}

fn write(line: &Line) -> Write {
    Write {
        collection: COLLECTION.to_owned(),
        kind: "ConfigMap".to_owned(),
        key: format!("load/{}", line.name),
        version: ResourceVersion::of(&line.version),
        labels: labels(line).into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
        digest: Some(line.version.len() as u64),
        begun: 0,
        returned: 0,
    }
}

/// The checks of one stream.
#[divan::bench]
fn one_stream(bencher: Bencher<'_, '_>) {
    let lines = lines();
    bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| follow(black_box(&lines)));
}

/// The checks of several streams, alone, against each other and against the acknowledged writes.
#[divan::bench(args = [1, 4, 16])]
fn several_streams_and_writes(bencher: Bencher<'_, '_>, watches: usize) {
    let lines = lines();
    let writes: Vec<Write> =
        lines.iter().filter(|line| line.change != WatchEventType::Deleted).map(write).collect();
    let writes: Vec<&Write> = writes.iter().collect();
    bencher.counter(ItemsCount::new(EVENTS * watches)).bench_local(|| {
        let streams: Vec<Stream> = (0..watches).map(|_| follow(black_box(&lines))).collect();
        let found = judge(&writes, &streams.iter().collect::<Vec<_>>(), false);
        assert!(found.iter().all(|findings| findings.broken().is_empty()));
        found
    });
}

/// The checks of one stream from JSON, a thousand events at a time.
#[divan::bench]
fn one_stream_from_json(bencher: Bencher<'_, '_>) {
    let events: Vec<String> = lines().iter().take(OBJECTS).map(|line| text(line).to_string()).collect();
    bencher.counter(ItemsCount::new(events.len())).bench_local(|| {
        let mut stream = Stream::new(WatchRequest::all(COLLECTION, Start::State));
        for event in &events {
            let json: Value = serde_json::from_str(event).unwrap_or_default();
            if let Some(event) = read(&json, &mut Vec::new()) {
                stream.check(&event);
            }
        }
        stream
    });
}

/// The digest of an object's content.
#[divan::bench]
fn digest_of_an_object(bencher: Bencher<'_, '_>) {
    let object = lines().first().map(text).unwrap_or_default();
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| digest(black_box(&object["object"])));
}

fn text(line: &Line) -> Value {
    let labels: serde_json::Map<String, Value> =
        labels(line).into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
    json!({"type": line.change.name(), "object": {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {
            "name": line.name,
            "namespace": "load",
            "uid": "4798a09c-9efb-436c-8231-a73312121aa3",
            "resourceVersion": line.version,
            "creationTimestamp": "2026-11-20T10:54:01Z",
            "labels": labels,
            "managedFields": [{
                "manager": "kube-assay",
                "operation": "Update",
                "apiVersion": "v1",
                "time": "2026-11-20T10:54:01Z",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {".": {}, "f:value": {}}, "f:metadata": {"f:labels": {".": {}, "f:app": {}}}},
            }],
        },
        "data": {"value": "a value of some forty bytes, or even more"},
    }})
}
