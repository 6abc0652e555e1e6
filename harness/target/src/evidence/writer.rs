//! Writes the file, on a thread of its own: redaction and compression cost the run no time between two requests.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::line::{Body, Exchange, Finished, Hook, Line, Moment, Started};
use super::recorder::{Recorded, size_of};
use super::redacted::{redact_body, redact_pieces};
use crate::redact::Redactor;

/// A body of this length, in bytes, is written once, and later only named.
const LONG: usize = 256;

/// The level of compression, from 0 to 9: the file of a default run has half the size of level 1.
const LEVEL: u32 = 4;

/// What is compressed at once, in bytes: a serializer writes word by word, and each call of the encoder clears its buffer.
const AT_ONCE: usize = 64 << 10;

/// The length of the file before its compression, in bytes: a run on a large, busy server needs 400 MB. Later exchanges are
/// left out.
pub(super) const LARGEST: usize = 1 << 30;

/// A message to the writer.
pub(super) enum Message {
    Exchange(Box<Exchange<Bytes>>),
    Hook(Hook),
    Moment(Moment),
    Event(Box<model::Event>),
    Finish,
}

/// The writer of one file.
pub(super) struct Writer {
    out: Counted<BufWriter<GzEncoder<BufWriter<Counted<File>>>>>,
    redactor: Redactor,
    /// The long bodies so far, by digest: a body that the server sends again is redacted once.
    bodies: HashMap<Vec<u8>, usize>,
    exchanges: usize,
}

impl Writer {
    pub(super) fn create(file: File, redactor: Redactor, started: Started) -> io::Result<Self> {
        let file = BufWriter::new(Counted { inner: file, length: 0 });
        let encoder = GzEncoder::new(file, Compression::new(LEVEL));
        let out = Counted { inner: BufWriter::with_capacity(AT_ONCE, encoder), length: 0 };
        let mut writer = Self { out, redactor, bodies: HashMap::new(), exchanges: 0 };
        writer.line(&Line::Started(Box::new(started)))?;
        Ok(writer)
    }

    /// Writes every message up to the last. Exchanges that wait here take memory: `queued` bytes.
    pub(super) fn write_all(
        mut self,
        messages: &Receiver<Message>,
        queued: &Arc<AtomicUsize>,
        lost: &Arc<AtomicUsize>,
    ) -> io::Result<Recorded> {
        for message in messages {
            match message {
                Message::Exchange(exchange) => {
                    queued.fetch_sub(size_of(&exchange), Ordering::Relaxed);
                    if self.out.length > LARGEST {
                        lost.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    self.exchange(*exchange)?;
                }
                Message::Hook(mut hook) => {
                    hook.error = hook.error.map(|why| self.redactor.redact(&why));
                    self.line(&Line::Hook(hook))?;
                }
                Message::Moment(moment) => self.line(&Line::Moment(moment))?,
                Message::Event(event) => self.line(&Line::Event(event))?,
                Message::Finish => break,
            }
        }
        let finished = Finished { exchanges: self.exchanges, left_out: lost.load(Ordering::Relaxed) };
        self.line(&Line::Finished(finished))?;
        let encoder = self.out.inner.into_inner().map_err(io::IntoInnerError::into_error)?;
        let file = encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Finished { exchanges, left_out } = finished;
        Ok(Recorded { exchanges, left_out, length: file.length })
    }

    fn exchange(&mut self, mut exchange: Exchange<Bytes>) -> io::Result<()> {
        let redact = |text: &mut String| *text = self.redactor.redact(text);
        redact(&mut exchange.path);
        exchange.headers.iter_mut().for_each(|(_, value)| redact(value));
        if let Some(head) = &mut exchange.head {
            head.headers.iter_mut().flat_map(|(name, value)| [name, value]).for_each(redact);
        }
        if let Some(error) = exchange.end.as_mut().and_then(|end| end.error.as_mut()) {
            [&mut error.action, &mut error.cause, &mut error.hint].into_iter().for_each(redact);
        }
        let mut pieces: Vec<_> = exchange.pieces.iter_mut().filter_map(|piece| piece.body.as_mut()).collect();
        if pieces.len() > 1 {
            redact_pieces(&self.redactor, &mut pieces);
        }
        let exchange = exchange.try_map(|body| self.body(&body))?;
        self.exchanges += 1;
        self.line(&Line::Exchange(Box::new(exchange)))
    }

    /// A body as the line of its exchange has it, without credentials.
    fn body(&mut self, bytes: &Bytes) -> io::Result<Body> {
        if bytes.len() < LONG {
            return Ok(written(&redact_body(&self.redactor, bytes)));
        }
        let digest = digest(&SHA256, bytes).as_ref().to_vec();
        if let Some(number) = self.bodies.get(&digest) {
            return Ok(Body::Same(*number));
        }
        let number = self.bodies.len();
        self.bodies.insert(digest, number);
        self.line(&Line::Body(written(&redact_body(&self.redactor, bytes))))?;
        Ok(Body::Same(number))
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

fn written(bytes: &Bytes) -> Body {
    match std::str::from_utf8(bytes) {
        Ok(text) => Body::Text(text.to_owned()),
        Err(_) => Body::Base64(STANDARD.encode(bytes)),
    }
}

/// Counts the bytes on their way to a writer.
struct Counted<W> {
    inner: W,
    length: usize,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.length += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
