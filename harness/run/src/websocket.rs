//! An open `WebSocket`, read message by message.

use std::fmt::Write as _;
use std::sync::Arc;

use model::{Exchange, Halt};
use target::{Broken, Message, Opened, Reservation};

use crate::context::Context;

/// The length of all messages in the evidence, in bytes.
const KEPT: usize = 64 << 10;

/// More messages than any scenario causes.
const MOST_MESSAGES: usize = 1000;

/// An open `WebSocket`. Its drop closes the connection.
#[derive(Debug)]
pub struct WebSocket {
    cx: Context,
    head: Arc<Exchange>,
    socket: target::WebSocket,
    messages: usize,
    kept: String,
    reservation: Reservation,
}

impl WebSocket {
    pub(crate) async fn new(cx: Context, head: Arc<Exchange>, opened: Opened) -> Result<Self, Halt> {
        let socket = target::WebSocket::new(opened).await;
        let socket = socket.map_err(|why| cx.test_error(format!("upgrade {}", head.request.path), why))?;
        let reservation = cx.memory().reservation(1);
        Ok(Self { cx, head, socket, messages: 0, kept: String::new(), reservation })
    }

    /// The exchange of the handshake.
    pub fn head(&self) -> &Exchange {
        &self.head
    }

    /// The next message within the event timeout; `None` once the server has closed. Silence is a failure.
    pub async fn next(&mut self, expected: &str) -> Result<Option<Message>, Halt> {
        let limit = self.cx.event_timeout();
        let Some(next) = target::timeout(limit, self.socket.next()).await else {
            return Err(self.fail(expected, format!("no message within {} s", limit.as_secs_f32())));
        };
        let error = |cx: &Context, why: String| Err(cx.test_error("read the WebSocket", why).into());
        let message = match next {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(None),
            Err(Broken::Protocol(why)) => return Err(self.fail("messages as in RFC 6455", why)),
            Err(Broken::Connection(why)) => return error(&self.cx, why),
        };
        self.keep(&message);
        if self.messages > MOST_MESSAGES {
            let flood = format!("more than {MOST_MESSAGES} messages");
            let is_of_run =
                self.head.request.parameter("watch").is_some() && self.cx.is_of_run(&self.head.request);
            return if is_of_run { Err(self.fail(expected, flood)) } else { error(&self.cx, flood) };
        }
        let data = match &message {
            Message::Text(text) => text.as_bytes(),
            Message::Binary(data) => data,
        };
        match self.reservation.grow(data).await {
            Ok(()) => Ok(Some(message)),
            Err(too_large) => error(&self.cx, too_large.to_string()),
        }
    }

    /// A failure of this connection, with the received messages as evidence.
    pub fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        let mut exchange = Exchange::clone(&self.head);
        exchange.response.body = self.kept.clone().into();
        self.cx.log_stream(&exchange, false);
        self.head.fail(expected, actual)
    }

    fn keep(&mut self, message: &Message) {
        self.messages += 1;
        if self.kept.len() < KEPT {
            let (kind, data) = match message {
                Message::Text(text) => ("text", text.as_bytes()),
                Message::Binary(data) => ("binary", &data[..]),
            };
            let shown = data[..data.len().min(KEPT - self.kept.len())].escape_ascii();
            // A string takes any text.
            let _ = writeln!(self.kept, "{kind} {shown}");
        }
    }
}
