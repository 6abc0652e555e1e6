//! Servers that accept an upgrade to WebSocket, and then misbehave: bounded memory, and the clause is not supported.

use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::support::http::Message;
use crate::support::{Ended, Proxy, Reference, Reply, kube_assay};

/// The most memory of the program, in bytes.
const LIMIT: u64 = 300 << 20;

/// The head of a right response to an upgrade, with these lines.
fn switch(request: &Message, lines: &str) -> Vec<u8> {
    let accept = derive_accept_key(request.header("sec-websocket-key").unwrap_or_default().as_bytes());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-accept: {accept}\r\n{lines}\r\n"
    )
    .into_bytes()
}

/// Runs the scenario about watches over WebSocket before a proxy that replies to upgrades itself.
fn run(reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, move |request| {
        if request.header("sec-websocket-key").is_some() { reply(request) } else { Reply::Pass }
    });
    let clause = "streaming-subresources-watch-websocket";
    let program = kube_assay(&["run", "--clause", clause, "--server", &proxy.url(), "--event-timeout", "2s"]);
    let mut running = program.with(&["--token", reference.token(), "--strict"]).start();
    let peak = running.peak_memory();
    let ended = running.end();
    assert!(peak < LIMIT, "{} MB", peak >> 20);
    assert_eq!(reference.left_behind(), [""; 0]);
    ended
}

/// The scenario failed with this text.
#[track_caller]
fn expect_failure(ended: &Ended, actual: &str) {
    let events = ended.report("events.jsonl");
    assert!(events.contains("\"outcome\":\"failed\"") && events.contains(actual), "{events}");
    assert_eq!(ended.code, Some(0), "{}", ended.out);
}

/// A frame of at most 65,535 bytes.
fn frame(code: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&[0x80 | code, 126], &length.to_be_bytes()[..], data].concat()
}

fn event(number: usize) -> Vec<u8> {
    let event = format!(
        r#"{{"type":"ADDED","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"x{number}"}}}}}}"#
    );
    frame(1, event.as_bytes())
}

#[test]
fn hostile_floods_of_messages_fail_the_clause() {
    let ended = run(|request| Reply::Flood(switch(request, ""), event));
    expect_failure(&ended, "more than 1000 messages");
}

#[test]
fn hostile_floods_of_empty_messages_fail_the_clause() {
    let ended = run(|request| Reply::Flood(switch(request, ""), |_| frame(2, b"").repeat(1_000)));
    expect_failure(&ended, "one event in JSON in each message");
}

#[test]
fn hostile_floods_of_pings_end_in_bounded_memory() {
    let ended = run(|request| Reply::Flood(switch(request, ""), |_| frame(9, b"ping").repeat(1_000)));
    expect_failure(&ended, "no message within 2 s");
}

/// Any number of fragments is legal (RFC 6455, section 5.4): no verdict, and a clear reason.
#[test]
fn hostile_messages_without_end_take_bounded_memory() {
    let fragment =
        |piece: usize| [&[u8::from(piece == 0), 126, 0xff, 0xff][..], &vec![b'x'; 0xffff]].concat();
    let ended = run(move |request| Reply::Flood(switch(request, ""), fragment));
    assert!(ended.out.contains("bytes or more, and kube-assay reads 4194304"), "{}", ended.out);
    assert_eq!(ended.code, Some(3), "{}", ended.out);
}

/// The first bytes of a frame of this length.
fn announcing(length: u64) -> Vec<u8> {
    [&[0x81, 127][..], &length.to_be_bytes(), &vec![b'x'; 1 << 16]].concat()
}

/// The first bit of the length must be 0 (RFC 6455, section 5.2).
#[test]
fn hostile_frames_of_an_illegal_length_fail_the_clause() {
    let ended = run(move |request| Reply::Flood(switch(request, ""), |_| announcing(1 << 63)));
    expect_failure(&ended, "a frame that announces 9223372036854775808 bytes");
}

#[test]
fn hostile_frames_that_announce_exabytes_take_bounded_memory() {
    let ended = run(move |request| Reply::Flood(switch(request, ""), |_| announcing(1 << 62)));
    assert!(ended.out.contains("a message has 4611686018427387904 bytes or more"), "{}", ended.out);
    assert_eq!(ended.code, Some(3), "{}", ended.out);
}

#[test]
fn a_subprotocol_that_nobody_offered_fails_the_clause() {
    let ended = run(|request| Reply::Flood(switch(request, "sec-websocket-protocol: v9.k8s.io\r\n"), event));
    expect_failure(&ended, "v9.k8s.io");
}
