//! Why a response is missing or incomplete.

use std::fmt;

use harness::TestError;

/// Why a response is missing or incomplete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// There is no connection: why, and what to do about it.
    Unreachable(TestError),
    /// The connection ended before its time.
    Cut,
    /// The server ended this one stream before its time.
    Reset,
    /// The server sent the connection away; another may be opened.
    GoAway,
    /// It took longer than it may.
    Late,
}

impl RequestError {
    /// What an error of HTTP/2 says.
    pub(super) fn of_stream(error: &h2::Error) -> Self {
        if error.is_go_away() {
            Self::GoAway
        } else if error.is_reset() {
            Self::Reset
        } else {
            Self::Cut
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(test_error) => test_error.fmt(f),
            Self::Cut => f.write_str("the connection was cut"),
            Self::Reset => f.write_str("the server reset the stream"),
            Self::GoAway => f.write_str("the server sent the connection away (GOAWAY)"),
            Self::Late => f.write_str("no complete answer came in time"),
        }
    }
}

impl std::error::Error for RequestError {}
