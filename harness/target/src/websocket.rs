//! `WebSockets`: the handshake of a client, and the messages of a server.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::StreamExt;
use model::Request;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message as Frames, error::CapacityError};

use crate::bare_connection::Io;
use crate::opened::Opened;

/// The length of the longest message, in bytes.
const LONGEST: usize = 4 << 20;

/// The length of the longest frame of RFC 6455, in bytes: the first bit of eight bytes is 0.
const LONGEST_LEGAL: u64 = i64::MAX as u64;

/// Adds the headers of a handshake to a request, and gives the `Sec-WebSocket-Accept` that confirms it.
///
/// kube-apiserver expects an `Origin`. The key follows from the `nonce`, which no other handshake has: a replay sends the
/// same one.
pub fn handshake(request: Request, origin: &str, protocols: &[&str], nonce: &str) -> (Request, String) {
    let key = STANDARD.encode(&digest(&SHA256, nonce.as_bytes()).as_ref()[..16]);
    let request = request
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", &key)
        .header("origin", origin);
    let accept = derive_accept_key(key.as_bytes());
    if protocols.is_empty() {
        return (request, accept);
    }
    (request.header("sec-websocket-protocol", &protocols.join(", ")), accept)
}

/// The data of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Text frames.
    Text(String),
    /// Binary frames.
    Binary(Bytes),
}

/// Why there is no further message.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The server violates the protocol.
    #[error("{0}")]
    Protocol(String),
    /// The connection failed, or a message is too long.
    #[error("{0}")]
    Connection(String),
}

/// The client's end of a WebSocket.
pub struct WebSocket(WebSocketStream<Box<dyn Io>>);

impl std::fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebSocket")
    }
}

impl WebSocket {
    /// Reads and writes frames on the connection of a response with status 101.
    ///
    /// # Errors
    /// The connection cannot be taken over, in words.
    pub async fn new(opened: Opened) -> Result<Self, String> {
        let io = opened.upgrade().await?;
        let config = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
        // Of a server that pings and never reads, the newest ping alone is answered.
        let config = config.max_write_buffer_size(LONGEST);
        Ok(Self(WebSocketStream::from_raw_socket(io, Role::Client, Some(config)).await))
    }

    /// The data of the next message; `None` once the server has closed.
    ///
    /// # Errors
    /// There is none.
    pub async fn next(&mut self) -> Result<Option<Message>, Broken> {
        loop {
            match self.0.next().await {
                Some(Ok(Frames::Text(text))) => return Ok(Some(Message::Text(text.to_string()))),
                Some(Ok(Frames::Binary(data))) => return Ok(Some(Message::Binary(data))),
                Some(Ok(Frames::Close(_))) | None => return Ok(None),
                Some(Ok(_)) => {}
                Some(Err(why @ (Error::Protocol(_) | Error::Utf8(_)))) => {
                    return Err(Broken::Protocol(why.to_string()));
                }
                Some(Err(Error::Capacity(CapacityError::MessageTooLong { size, .. }))) => {
                    return Err(too_long(size as u64));
                }
                Some(Err(why)) => return Err(Broken::Connection(why.to_string())),
            }
        }
    }
}

/// A message of so many bytes, or of so many so far, is not read.
fn too_long(size: u64) -> Broken {
    if size > LONGEST_LEGAL {
        return Broken::Protocol(format!("a frame that announces {size} bytes: its first bit must be 0"));
    }
    Broken::Connection(format!("a message has {size} bytes or more, and kube-assay reads {LONGEST}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::access::Access;
    use crate::client::Client;
    use crate::kubeconfig::Flags;

    /// What the client reads from a server that switches protocols and then sends these bytes.
    async fn read(frames: Vec<u8>) -> Vec<Result<Option<Message>, Broken>> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let switch =
                b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
            stream.write_all(&[switch, &frames[..]].concat()).await.unwrap();
            // Until the client leaves.
            let _ = stream.read_to_end(&mut Vec::new()).await;
        });
        let access = Access::load(Flags::at(server).into()).await.unwrap();
        let client = Client::new(access, Duration::from_secs(10));
        let (request, _) = handshake(Request::get("/"), "http://localhost", &["a", "b"], "1");
        let opened = client.open(&request.header("connection", "upgrade"), "test").await.unwrap();
        let mut socket = WebSocket::new(opened).await.unwrap();
        let mut all = Vec::new();
        loop {
            all.push(socket.next().await);
            if !matches!(all.last(), Some(Ok(Some(_)))) {
                return all;
            }
        }
    }

    /// A frame of less than 126 bytes.
    fn frame(code: u8, data: &[u8]) -> Vec<u8> {
        [&[0x80 | code, u8::try_from(data.len()).unwrap()], data].concat()
    }

    #[tokio::test]
    async fn messages_have_text_or_bytes_until_the_server_closes() {
        let frames =
            [frame(2, b""), frame(9, b"ping"), frame(1, b"hi"), frame(2, b"\xff"), frame(8, b"\x03\xe8")];
        let read: Vec<_> = read(frames.concat()).await.into_iter().map(Result::unwrap).collect();
        let expected = [
            Some(Message::Binary(Bytes::new())),
            Some(Message::Text("hi".to_owned())),
            Some(Message::Binary(Bytes::from_static(b"\xff"))),
            None,
        ];
        assert_eq!(read, expected);
    }

    #[tokio::test]
    async fn a_frame_against_the_protocol_is_told_from_one_that_is_too_long() {
        let announcing = |length: u64| [&[0x82, 127][..], &length.to_be_bytes()].concat();
        for wrong in [frame(3, b""), frame(1, b"\xff"), announcing(1 << 63), announcing(u64::MAX)] {
            assert!(matches!(&read(wrong).await[..], [Err(Broken::Protocol(_))]));
        }
        for long in [LONGEST as u64 + 1, LONGEST_LEGAL] {
            assert!(matches!(&read(announcing(long)).await[..], [Err(Broken::Connection(_))]));
        }
    }
}
