//! Upgrades: `WebSockets` for the data of a stream, and the handshake of SPDY.

use axum::body::Body;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{SinkExt, StreamExt};
use http::header::{
    CONNECTION, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    UPGRADE,
};
use http::{HeaderMap, StatusCode};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::api::Call;

/// The form of the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text messages.
    Text,
    /// Binary messages.
    Binary,
    /// Text messages with the data in base64.
    Base64,
}

/// A piece of data, and its channel where a connection has several.
pub(crate) type Piece = (Option<u8>, Bytes);

/// The subprotocols of an endpoint, each with the form of its messages; the empty name is for clients that offer none.
pub(crate) type Protocols = &'static [(&'static str, Form)];

/// Whether a request asks for an upgrade to this protocol.
pub(crate) fn asks_for(call: &Call, protocol: &str) -> bool {
    let has = |name: HeaderName, text: &str| {
        values(&call.headers, &name).iter().any(|value| value.eq_ignore_ascii_case(text))
    };
    has(CONNECTION, "upgrade") && has(UPGRADE, protocol)
}

/// Sends the pieces as messages, in a subprotocol that both sides know; 403 if there is none.
pub(crate) fn stream(
    call: &Call,
    protocols: Protocols,
    pieces: impl FnOnce(&str) -> BoxStream<'static, Piece>,
) -> Response {
    let Some((name, form)) = negotiated(&call.headers, protocols) else {
        return status(StatusCode::FORBIDDEN);
    };
    let mut response = switch("websocket");
    let headers = response.headers_mut();
    let key = call.headers.get(SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes).unwrap_or_default();
    headers.extend(
        HeaderValue::try_from(derive_accept_key(key)).ok().map(|accept| (SEC_WEBSOCKET_ACCEPT, accept)),
    );
    if !name.is_empty() {
        headers.insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(name));
    }
    tokio::spawn(send(call.upgrade.clone(), form, pieces(name)));
    response
}

/// The response to a handshake of SPDY: 403 without a protocol that both sides know.
pub(crate) fn spdy(call: &Call, protocols: &[&'static str]) -> Response {
    let offered = values(&call.headers, &HeaderName::from_static(STREAM_PROTOCOL));
    let Some(name) = protocols.iter().find(|name| offered.contains(name)) else {
        return status(StatusCode::FORBIDDEN);
    };
    let mut response = switch("SPDY/3.1");
    response.headers_mut().insert(STREAM_PROTOCOL, HeaderValue::from_static(name));
    response
}

const STREAM_PROTOCOL: &str = "x-stream-protocol-version";

/// The first offered subprotocol that the endpoint knows.
fn negotiated(headers: &HeaderMap, protocols: Protocols) -> Option<(&'static str, Form)> {
    let offered = values(headers, &SEC_WEBSOCKET_PROTOCOL);
    let offered = if offered.is_empty() { vec![""] } else { offered };
    offered.iter().find_map(|name| protocols.iter().find(|(known, _)| known == name)).copied()
}

/// All values of a header that is a list.
fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let lines = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',').map(str::trim)).collect()
}

fn status(code: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = code;
    response
}

fn switch(protocol: &'static str) -> Response {
    let mut response = status(StatusCode::SWITCHING_PROTOCOLS);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    response.headers_mut().insert(UPGRADE, HeaderValue::from_static(protocol));
    response
}

async fn send(upgrade: OnUpgrade, form: Form, pieces: BoxStream<'static, Piece>) {
    if let Ok(upgraded) = upgrade.await {
        send_over(TokioIo::new(upgraded), form, pieces).await;
    }
}

/// The maximum length of a received message, in bytes.
const LONGEST: usize = 1 << 20;

/// Sends the messages until either side ends.
async fn send_over(
    connection: impl AsyncRead + AsyncWrite + Unpin,
    form: Form,
    mut pieces: BoxStream<'static, Piece>,
) {
    let config = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    let mut socket = WebSocketStream::from_raw_socket(connection, Role::Server, Some(config)).await;
    loop {
        tokio::select! {
            piece = pieces.next() => match piece {
                Some((channel, data)) if socket.send(message(form, channel, &data)).await.is_ok() => {}
                Some(_) => return,
                None => break,
            },
            received = socket.next() => if !matches!(received, Some(Ok(message)) if !message.is_close()) {
                return;
            },
        }
    }
    // A client that is gone needs no farewell.
    let _ = socket.close(Some(CloseFrame { code: CloseCode::Normal, reason: Utf8Bytes::default() })).await;
}

fn message(form: Form, channel: Option<u8>, data: &[u8]) -> Message {
    match form {
        Form::Text => Message::text(String::from_utf8_lossy(data).into_owned()),
        Form::Binary => Message::binary([channel.as_slice(), data].concat()),
        Form::Base64 => {
            let channel = channel.map_or(String::new(), |channel| channel.to_string());
            Message::text(channel + &STANDARD.encode(data))
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn a_long_message_ends_the_connection() {
        for (length, ends) in [(LONGEST, false), (LONGEST + 1, true)] {
            let (mut client, server) = tokio::io::duplex(64);
            // A binary message with a mask, and a length of eight bytes.
            let length = u64::try_from(length).unwrap().to_be_bytes();
            let header = [&[0x82, 0xff][..], &length[..], &[0; 4][..]].concat();
            client.write_all(&header).await.unwrap();
            let pieces = futures::stream::pending().boxed();
            assert_eq!(send_over(server, Form::Text, pieces).now_or_never().is_some(), ends);
        }
    }
}
