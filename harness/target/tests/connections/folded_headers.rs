//! Headers over several lines, which RFC 9112 (section 5.2) still has clients read.

use std::time::Duration;

use model::Request;
use target::{Access, Client, Flags};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nwarning: 299 - \"one\r\n two\"\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn a_header_over_two_lines_has_one_value() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    let access = Access::load(Flags::at(format!("http://{address}")).into()).await.expect("access");
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a connection");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(socket.read_u8().await.expect("a request"));
        }
        socket.write_all(RESPONSE).await.expect("a client that reads");
    });
    let sent = Client::new(access, Duration::from_secs(20)).send(&Request::get("/"), "test").await;
    let headers = sent.expect("a response").0.headers;
    let warning = headers.iter().find(|(name, _)| name == "warning").map(|(_, value)| value.as_str());
    assert_eq!(warning, Some("299 - \"one two\""));
}
