//! A response whose body is still to come.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use model::{Response, TestError, Timing};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use crate::bare_connection::Io;
use crate::connection::ConnectionError;
use crate::evidence::{Recording, ReplayedBody};
use crate::live::LiveBody;
use crate::long_text::LongText;

/// The head of a response whose body is still to come.
#[derive(Debug)]
pub struct Opened {
    /// The head, without a body.
    pub response: Response,
    pub(crate) source: Source,
    pub(crate) sent: Instant,
    pub(crate) head: Duration,
    pub(crate) recording: Option<Box<Recording>>,
    /// Leaves out what the sender does not need, before it is recorded.
    pub(crate) text: Option<Box<LongText>>,
}

/// Where the body comes from.
#[derive(Debug)]
pub(crate) enum Source {
    Server(Box<LiveBody>),
    Record(Box<ReplayedBody>),
}

impl Opened {
    /// The next piece of the body; `None` at its proper end.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, String> {
        self.next_piece().await.map_err(|why| why.cause)
    }

    /// The same, with the advice for a failed connection. Nobody reads the action of the error.
    pub(crate) async fn next_piece(&mut self) -> Result<Option<Bytes>, TestError> {
        if let Some(recording) = &mut self.recording {
            recording.wait();
        }
        let next = self.needed_piece().await;
        match (&mut self.recording, &next) {
            (Some(recording), Ok(Some(piece))) => recording.piece(piece),
            (Some(recording), ended) => recording.end(ended.as_ref().err().cloned()),
            (None, _) => {}
        }
        next
    }

    async fn needed_piece(&mut self) -> Result<Option<Bytes>, TestError> {
        loop {
            let next = match &mut self.source {
                Source::Server(body) => body.next().await.map_err(|why| broken(&why)),
                Source::Record(body) => body.next().await,
            }?;
            let Some(text) = &mut self.text else { return Ok(next) };
            let needed = match &next {
                Some(piece) => text.scan(piece),
                None => text.rest(),
            };
            if next.is_none() || !needed.is_empty() {
                return Ok(Some(needed).filter(|needed| !needed.is_empty()));
            }
        }
    }

    /// The whole body was read: the time of each piece matters no longer.
    pub(crate) fn read_whole(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.join_pieces();
        }
    }

    /// The connection after a response with status 101, which both sides use in another protocol.
    pub async fn upgrade(self) -> Result<Box<dyn Io>, String> {
        let upgraded = match self.source {
            Source::Server(body) => body.upgrade().await.map_err(|why| broken(&why)),
            Source::Record(body) => body.upgrade(),
        };
        match (upgraded, self.recording) {
            (Ok(io), Some(recording)) => Ok(Box::new(RecordedIo { io, recording })),
            (Err(why), Some(mut recording)) => {
                recording.end(Some(why.clone()));
                Err(why.cause)
            }
            (upgraded, None) => upgraded.map_err(|why| why.cause),
        }
    }

    /// When the head came, and how long it has been since the request was sent.
    pub fn timing(&self) -> Timing {
        let whole = match &self.source {
            Source::Server(_) => self.sent.elapsed(),
            Source::Record(body) => body.elapsed(),
        };
        Timing { head: self.head, whole }
    }
}

fn broken(why: &ConnectionError) -> TestError {
    TestError::new("read the response", why.cause.clone()).hint(why.hint)
}

/// A connection whose received bytes are recorded.
struct RecordedIo {
    io: Box<dyn Io>,
    recording: Box<Recording>,
}

impl AsyncRead for RecordedIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, buffer);
        match &read {
            Poll::Ready(Ok(())) if buffer.filled().len() > before => {
                self.recording.piece(&Bytes::copy_from_slice(&buffer.filled()[before..]));
            }
            Poll::Ready(Ok(())) => self.recording.end(None),
            Poll::Ready(Err(why)) => {
                self.recording.end(Some(TestError::new("read the connection", why.to_string())));
            }
            Poll::Pending => {}
        }
        read
    }
}

impl AsyncWrite for RecordedIo {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
