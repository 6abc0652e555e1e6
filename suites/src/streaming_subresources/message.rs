//! The data in the messages of a `WebSocket`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use harness::Message;

/// The encoding of a subprotocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Binary messages.
    Binary,
    /// Text messages in base64.
    Base64,
}

impl Encoding {
    /// The data of a message without channels; `None` in another encoding.
    pub(super) fn data(self, message: &Message) -> Option<Vec<u8>> {
        match (self, message) {
            (Self::Binary, Message::Binary(data)) => Some(data.to_vec()),
            (Self::Base64, Message::Text(text)) => BASE64.decode(text).ok(),
            _ => None,
        }
    }

    /// The channel of a message, and its data; `None` in another encoding, or without a channel.
    pub(super) fn channel_and_data(self, message: &Message) -> Option<(u8, Vec<u8>)> {
        let (channel, data) = match (self, message) {
            (Self::Binary, Message::Binary(data)) => {
                data.split_first().map(|(first, rest)| (*first, rest.to_vec()))
            }
            (Self::Base64, Message::Text(text)) => {
                let (channel, rest) = text.split_at_checked(1)?;
                Some((channel.parse().ok()?, BASE64.decode(rest).ok()?))
            }
            _ => None,
        }?;
        (channel <= LAST_CHANNEL || channel == CLOSE).then_some((channel, data))
    }
}

/// Stdin, stdout, stderr, errors, and the size of a terminal.
const LAST_CHANNEL: u8 = 4;

/// The channel that v5 closes others with.
const CLOSE: u8 = 255;
