//! Responses of servers that are no Kubernetes API server, or that reject the credentials.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::http::{Message, response};
use crate::support::{Listener, Program, Proxy, Reference, Reply, kube_assay, listener};

/// An HTTP server that sends one response to every request.
fn always(bytes: Vec<u8>) -> Listener {
    Listener::start(move |mut stream| {
        let _ = Message::read(&mut stream);
        let _ = stream.write_all(&bytes);
    })
}

/// Sends the same bytes until the client closes the connection.
fn endlessly(mut stream: TcpStream, bytes: &[u8]) {
    let _ = Message::read(&mut stream);
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    let mut sent = stream.write_all(head);
    while sent.is_ok() {
        sent = stream.write_all(bytes);
    }
}

#[test]
fn no_server_listens() {
    let address = listener::deserted();
    let ended = Program::testing(&format!("http://{address}")).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn an_unknown_host() {
    let ended = Program::testing("http://no-such-host.invalid").end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_never_responds() {
    let silent = Listener::start(|mut stream| drop(stream.read_to_end(&mut Vec::new())));
    let ended = Program::facing(&silent).with(&["--request-timeout", "300ms"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_responds_byte_by_byte_without_end() {
    let slow = Listener::start(|stream| endlessly(stream, b" "));
    let ended = Program::facing(&slow).with(&["--request-timeout", "500ms"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_responds_with_a_gigabyte() {
    const MEGABYTE: usize = 1 << 20;
    let huge = Listener::start(|stream| endlessly(stream, &vec![b'x'; MEGABYTE]));
    let mut running = Program::facing(&huge).start();
    let peak = running.peak_memory();
    insta::assert_snapshot!(running.end().error());
    assert!(peak < 80 << 20, "{} MB", peak >> 20);
}

#[test]
fn it_responds_with_a_document_that_would_fill_the_memory() {
    let body = format!("{{\"kind\":[{}0]}}", "0,".repeat(12 << 20));
    let large = always(response("200 OK", "application/json", &body));
    let mut running = Program::facing(&large).start();
    let peak = running.peak_memory();
    insta::assert_snapshot!(running.end().error());
    assert!(peak < 80 << 20, "{} MB", peak >> 20);
}

#[test]
fn it_speaks_something_else() {
    let other = Listener::start(|mut stream| drop(stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n")));
    let ended = Program::facing(&other).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_speaks_http2_only() {
    // An empty SETTINGS frame is the first frame of an HTTP/2 server.
    let modern = Listener::start(|mut stream| {
        let _ = Message::read(&mut stream);
        let _ = stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let ended = Program::facing(&modern).with(&["--request-timeout", "5s"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_hangs_up() {
    let shy = Listener::start(|mut stream| drop(Message::read(&mut stream)));
    let ended = Program::facing(&shy).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_ends_in_the_middle() {
    let torn = always(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_vec());
    insta::assert_snapshot!(Program::facing(&torn).end().error());
}

#[test]
fn its_chunks_or_trailers_are_not_valid() {
    for body in ["x\r\n".to_owned(), format!("0\r\nlong: {}", "x".repeat(100_000))] {
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let error = Program::facing(&always(format!("{head}{body}").into_bytes())).end().error();
        assert!(error.contains("are not valid HTTP/1.1; hint: does the server's log"), "{error}");
    }
}

#[test]
fn its_headers_are_not_valid() {
    for (headers, cause) in [
        ("content-length: 2\r\ncontent-length: 3", "an invalid Content-Length, or two different ones"),
        ("content-length: 18446744073709551616", "an invalid Content-Length, or two different ones"),
        ("a header", "a header that is not valid HTTP/1.1"),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n{{}}");
        let error = Program::facing(&always(head.into_bytes())).end().error();
        let cause = format!("its response has {cause}; hint: does the server, or a proxy before it, send");
        assert!(error.contains(&cause), "{error}");
    }
}

#[test]
fn it_is_a_web_site() {
    let site = always(response("200 OK", "text/html", "<html>\n<body>\u{1b}[2JWelcome</body>"));
    let ended = Program::facing(&site).end();
    insta::assert_snapshot!(ended.error());
    assert!(!ended.err.contains('\u{1b}'));
}

#[test]
fn it_responds_with_json_that_is_no_object() {
    let list = always(response("200 OK", "application/json", "[1, 2]"));
    insta::assert_snapshot!(Program::facing(&list).end().error());
}

#[test]
fn it_responds_with_json_that_no_value_holds() {
    let lone = always(response("200 OK", "application/json", r#"{"major":"1","x":"\ud800"}"#));
    let error = Program::facing(&lone).end().error();
    let cause = r"cannot hold: it has half of a surrogate pair, such as \ud800 (line 1, column ";
    assert!(error.contains(cause), "{error}");
    assert!(error.contains("hint: does the server, or a proxy before it, write such JSON?"), "{error}");
}

#[test]
fn it_responds_to_everything_with_the_same_object() {
    let object = always(response("200 OK", "application/json", r#"{"status":"ok"}"#));
    let ended = Program::facing(&object).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_knows_none_of_the_paths() {
    let lost = always(response("404 Not Found", "text/plain", "404 page not found"));
    let ended = Program::facing(&lost).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_responds_with_garbage() {
    let mut garbage = response("200 OK", "application/json", "xxxxxxxx");
    let end = garbage.len();
    garbage[end - 8..].copy_from_slice(&[0xff, 0xfe, 0, 7, 8, 27, 0x80, 0xc3]);
    let ended = Program::facing(&always(garbage)).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_is_not_well() {
    let ill = always(response("503 Service Unavailable", "text/plain", "starting"));
    insta::assert_snapshot!(Program::facing(&ill).end().error());
}

#[test]
fn it_redirects_and_is_not_followed() {
    let elsewhere = always(response("200 OK", "application/json", "{}"));
    let location = format!("http://{}/version", elsewhere.address());
    let moved = format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
    let ended = Program::facing(&always(moved.into_bytes())).end();
    insta::assert_snapshot!(ended.error());
    assert_eq!(elsewhere.visitors(), 0);
}

#[test]
fn it_does_not_accept_the_token() {
    let reference = Reference::right();
    let ended = Program::testing(&reference.url()).with(&["--token", "not-the-token"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_grants_no_permission() {
    let reference = Reference::right();
    let ended = Program::testing(&reference.url()).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_lets_us_read_but_not_write() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", _) => Reply::Bytes(response(
            "403 Forbidden",
            "application/json",
            r#"{"kind":"Status","apiVersion":"v1","reason":"Forbidden","message":"you may not","code":403}"#,
        )),
        _ => Reply::Pass,
    });
    let ended = Program::testing(&proxy.url()).with(&["--token", reference.token()]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn it_rejects_every_request() {
    let reference = Reference::right();
    let ended = Program::testing_reference(&reference).with(&["--read-only"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn the_wrong_kind_of_address() {
    let urls = ["127.0.0.1:6443", "ftp://127.0.0.1", "http://", "http://127.0.0.1:1/?a=b"];
    let mut errors = urls.map(|url| Program::testing(url).end().error()).to_vec();
    let ended = kube_assay(&["run", "--server", "https://me:s3cr3t-word@127.0.0.1:1"]).end();
    assert!(!ended.everything().contains("s3cr3t-word"));
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}
