//! Why a response is missing or incomplete.

use std::fmt;

use h2::Reason;
use harness::TestError;

/// Why a response is missing or incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// There is no connection; the test error has cause and hint.
    Unreachable(TestError),
    /// The connection ended early.
    Cut,
    /// The server reset the stream.
    Reset,
    /// The server closes the connection (GOAWAY); another one may work.
    GoAway,
    /// The server reset the stream before it processed the request (`REFUSED_STREAM`).
    RefusedStream,
    /// The timeout passed.
    Late,
}

impl RequestError {
    /// The error of an HTTP/2 stream.
    pub(super) fn of_stream(error: &h2::Error) -> Self {
        // With an error of the protocol that is found here, the server may have processed the request.
        if error.is_go_away() && error.is_remote() {
            Self::GoAway
        } else if error.is_remote() && error.reason() == Some(Reason::REFUSED_STREAM) {
            Self::RefusedStream
        } else if error.is_reset() {
            Self::Reset
        } else {
            Self::Cut
        }
    }

    /// Whether the server surely has not processed the request: it may be sent again.
    pub fn is_unprocessed(&self) -> bool {
        matches!(self, Self::GoAway | Self::RefusedStream)
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(test_error) => test_error.fmt(f),
            Self::Cut => f.write_str("the connection was cut"),
            Self::Reset => f.write_str("the server reset the stream"),
            Self::GoAway => f.write_str("the server sent the connection away (GOAWAY)"),
            Self::RefusedStream => f.write_str("the server refused the stream (REFUSED_STREAM)"),
            Self::Late => f.write_str("no complete response within the timeout"),
        }
    }
}

impl std::error::Error for RequestError {}
