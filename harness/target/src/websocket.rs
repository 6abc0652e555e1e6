//! `WebSockets`: the handshake of a client, and the messages of a server.

use bytes::Bytes;
use futures::StreamExt;
use model::Request;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message as Frames};

use crate::bare_connection::Io;
use crate::client::Opened;

/// The length of the longest message, in bytes.
const LONGEST: usize = 4 << 20;

/// Adds the headers of a handshake to a request, and gives the `Sec-WebSocket-Accept` that confirms it.
///
/// kube-apiserver expects an `Origin`.
pub fn handshake(request: Request, origin: &str, protocols: &[&str]) -> (Request, String) {
    let key = generate_key();
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
        let io: Box<dyn Io> = Box::new(opened.upgrade().await?);
        let config = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
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
                Some(Err(why)) => return Err(Broken::Connection(why.to_string())),
            }
        }
    }
}
