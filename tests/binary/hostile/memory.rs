//! Servers that send as much as they can: the memory of the program is bounded.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::http::Message;
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// The most memory of the program, in bytes, whatever a server sends.
const LIMIT: u64 = 300 << 20;

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";

/// Runs these scenarios before a proxy, in bounded memory.
fn run(flags: &[&str], reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> Ended {
    let timeouts = ["--event-timeout", "2s", "--scenario-timeout", "20s"];
    bounded(&[&["run"], flags, &timeouts].concat(), reply)
}

/// A load before a proxy, in bounded memory.
fn load(workload: &str, reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> Ended {
    let short = ["--warm-up", "1ms", "--duration", "3s", "--objects", "20", "--drain", "1s"];
    bounded(&[&["load", workload], &short[..]].concat(), reply)
}

fn bounded(arguments: &[&str], reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, reply);
    let program = kube_assay(arguments).with(&["--server", &proxy.url(), "--token", reference.token()]);
    let mut running = program.start();
    let peak = running.peak_memory();
    let ended = running.end();
    assert!(peak < LIMIT, "{} MB\n{}", peak >> 20, ended.out);
    assert_eq!(reference.left_behind(), [""; 0]);
    ended
}

fn is_list(request: &Message) -> bool {
    let (method, path) = request.target();
    method == "GET" && path.ends_with("/configmaps") && !is_watch(request)
}

fn is_watch(request: &Message) -> bool {
    request.first.contains("watch=")
}

/// A list of a million items, or of 100 MB of them, as a whole response.
fn long_list(item: &str) -> Vec<u8> {
    let items = vec![item; 1_000_000.min((100 << 20) / item.len())].join(",");
    let list = format!(
        r#"{{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"1"}},"items":[{items}]}}"#
    );
    format!("{STREAM}{list}").into_bytes()
}

/// A million items in a namespace of the run: the clause of each scenario fails, and says why.
#[test]
fn lists_of_a_million_items_fail_the_clause_of_their_scenario() {
    for item in [r#"{"metadata":{"name":"a"}}"#.to_owned(), format!(r#"{{"data":"{}"}}"#, "x".repeat(2_000))]
    {
        let bytes = long_list(&item);
        let ended = run(&["--clause", "rv-list-nomatch-*"], move |request| {
            let is_own = request.target().1.contains("/namespaces/assay-");
            if is_list(request) && is_own { Reply::Bytes(bytes.clone()) } else { Reply::Pass }
        });
        assert!(ended.out.contains("no objects except those of this run"), "{}", ended.out);
        assert!(ended.out.contains("more than 10000 objects beyond these writes"), "{}", ended.out);
        assert_eq!(ended.code, Some(1));
    }
}

/// A list of 2^20 items in Protobuf, as a whole response.
fn long_protobuf_list() -> Vec<u8> {
    let items = b"\x12\x05\x0a\x03\x0a\x01a".repeat(1 << 20);
    // 7 << 20 bytes, as a number of variable length.
    let length = b"\x80\x80\xc0\x03";
    let of_type = b"k8s\0\x0a\x13\x0a\x02v1\x12\x0dConfigMapList";
    let head = STREAM.replace("application/json", "application/vnd.kubernetes.protobuf");
    [head.as_bytes(), of_type, b"\x12", length, &items].concat()
}

#[test]
fn hostile_lists_in_protobuf_fail_the_clause_of_their_scenario() {
    let bytes = long_protobuf_list();
    let ended = run(&["--strict", "--clause", "representations-protobuf-typemeta"], move |request| {
        let is_protobuf = request.header("accept").is_some_and(|types| types.contains("protobuf"));
        let is_own = request.target().1.contains("/namespaces/assay-");
        if is_list(request) && is_own && is_protobuf { Reply::Bytes(bytes.clone()) } else { Reply::Pass }
    });
    assert!(ended.out.contains("more than 10000 objects beyond these writes"), "{}", ended.out);
    assert_eq!(ended.code, Some(1));
}

/// Runs scenarios before a proxy that changes every response about the run's own objects. It stays legal.
fn run_edited(edit: fn(Message) -> Message) -> Ended {
    run(&["--clause", "rv-list-nomatch-*"], move |request| {
        let edited = request.target().1.contains("/namespaces/assay-") && !is_watch(request);
        if edited { Reply::Edited(edit) } else { Reply::Pass }
    })
    .ended_with(0)
}

#[test]
fn padded_responses_take_bounded_memory() {
    run_edited(|mut response| {
        let padding = format!(",\"padding\":\"{}\"}}", "x".repeat(1_600_000));
        let body = String::from_utf8(response.body).unwrap();
        let body = body.trim_end().strip_suffix('}').map(|body| body.to_owned() + &padding).unwrap_or(body);
        response.headers.retain(|line| !line.to_lowercase().starts_with("content-length"));
        Message { body: body.into_bytes(), ..response }
    });
}

#[test]
fn long_headers_take_bounded_memory() {
    run_edited(|mut response| {
        response.headers.extend((0..33).map(|number| format!("x-padding-{number}: {}", "x".repeat(8_000))));
        response
    });
}

/// Compressed responses of 1 MB that unpack to 1 GB.
#[test]
fn gzip_bombs_take_bounded_memory() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; 16 << 20]).unwrap();
    let members = encoder.finish().unwrap().repeat(64);
    let head = STREAM.replace("\r\n\r\n", "\r\ncontent-encoding: gzip\r\n\r\n");
    let bytes = [head.as_bytes(), &members].concat();
    let ended = run(&["--area", "compression"], move |request| {
        let asked = request.headers.iter().any(|line| line.eq_ignore_ascii_case("accept-encoding: gzip"));
        if asked { Reply::Bytes(bytes.clone()) } else { Reply::Pass }
    });
    assert!(ended.out.contains("bytes that unpack to more than"), "{}", ended.out);
    assert_eq!(ended.code, Some(1));
}

fn event(kind: &str, name: usize, version: usize) -> String {
    format!(
        "{{\"type\":\"{kind}\",\"object\":{{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":\
         {{\"name\":\"a{name}\",\"namespace\":\"n\",\"resourceVersion\":\"{version}\"}}}}}}\n"
    )
}

/// Every watch of own objects delivers more events than these can have: its scenario fails, and no memory runs out.
#[test]
fn a_flood_of_events_fails_the_clause_of_its_scenario() {
    let ended = run(&["--clause", "streaming-list-bookmark-after-initial"], |request| {
        let floods = is_watch(request) && request.first.contains("sendInitialEvents");
        let piece = |piece: usize| event("ADDED", piece, 1_000_000 + piece).into_bytes();
        if floods { Reply::Flood(STREAM.into(), piece) } else { Reply::Pass }
    });
    assert!(ended.out.contains("more than 10000 events beyond these writes"), "{}", ended.out);
    assert_eq!(ended.code, Some(1));
}

/// The first watches are those of probes: a failed probe skips all other scenarios with watches.
const RIGHT_WATCHES: usize = 12;

fn flood(piece: fn(usize) -> Vec<u8>) -> Ended {
    let watches = AtomicUsize::new(0);
    let floods =
        move |request: &Message| is_watch(request) && watches.fetch_add(1, Ordering::SeqCst) >= RIGHT_WATCHES;
    run(
        &["--area", "watch"],
        move |request| {
            if floods(request) { Reply::Flood(STREAM.into(), piece) } else { Reply::Pass }
        },
    )
}

#[test]
fn a_flood_of_new_objects_takes_bounded_memory() {
    let ended = flood(|piece| {
        let events = (0..1_000).map(|event| piece * 1_000 + event);
        events.map(|number| event("ADDED", number, 1_000_000 + number)).collect::<String>().into_bytes()
    });
    assert_ne!(ended.code, Some(0));
}

#[test]
fn a_flood_of_changes_takes_bounded_memory() {
    let ended = flood(|piece| {
        let events = (0..1_000).map(|event| piece * 1_000 + event);
        events.map(|number| event("MODIFIED", 1, 1_000_000 + number)).collect::<String>().into_bytes()
    });
    assert_ne!(ended.code, Some(0));
}

#[test]
fn a_flood_of_bookmarks_takes_bounded_memory() {
    let ended = flood(|piece| {
        let bookmark = format!(
            "{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":\
             {{\"resourceVersion\":\"{}\"}}}}}}\n",
            1_000_000 + piece
        );
        bookmark.repeat(1_000).into_bytes()
    });
    assert_ne!(ended.code, Some(0));
}

#[test]
fn a_load_of_endless_events_takes_bounded_memory() {
    let ended = load("watch-fanout", |request| {
        if is_watch(request) {
            return Reply::Flood(STREAM.into(), |_| vec![b'x'; 1 << 20]);
        }
        Reply::Pass
    });
    assert_ne!(ended.code, Some(0));
}

#[test]
fn a_load_of_lists_of_a_million_items_takes_bounded_memory() {
    let bytes = long_list(r#"{"metadata":{"name":"a"}}"#);
    let ended = load(
        "large-list",
        move |request| {
            if is_list(request) { Reply::Bytes(bytes.clone()) } else { Reply::Pass }
        },
    );
    assert!(matches!(ended.code, Some(0 | 1 | 3)), "{}", ended.err);
}
