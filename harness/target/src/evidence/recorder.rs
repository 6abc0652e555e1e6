//! Takes the exchanges of a run, and passes each to the writer when it ends.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use model::{Event, EventKind, Request, Response, TestError};
use serde_json::Value;
use tokio::time::Instant;

use super::line::{BranchId, End, Exchange, FORMAT, Head, Hook, Moment, Piece, Reached, Started};
use super::writer::{Message, Writer};
use crate::redact::Redactor;

/// The memory of the exchanges that wait for the writer, in bytes, from which on the run waits with its next request.
const QUEUED: usize = 16 << 20;

/// The same with the exchanges that had begun before. Further ones are left out of the record.
const MOST_QUEUED: usize = 64 << 20;

/// The bodies of an exchange in any record, in bytes: the definitions of a large server's `OpenAPI` have 14 MB.
const LARGEST_BODIES: usize = 16 << 20;

/// The memory of a parsed body, in times of its length.
const PARSED: usize = 6;

/// The longest path in the record, in bytes, with its query. Servers refuse shorter ones.
const LONGEST_PATH: usize = 1 << 20;

/// Pause between two looks at the writer.
const PAUSE: Duration = Duration::from_millis(5);

/// Records the exchanges of one run.
#[derive(Debug)]
pub struct Recorder {
    began: Instant,
    messages: Mutex<Sender<Message>>,
    /// The time of the last step.
    last: AtomicU64,
    queued: Arc<AtomicUsize>,
    lost: Arc<AtomicUsize>,
    writer: Mutex<Option<JoinHandle<io::Result<Recorded>>>>,
    /// The most that the bodies of an exchange may have, in bytes.
    largest: usize,
}

/// The extent of a finished record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The number of exchanges in it.
    pub exchanges: usize,
    /// The number of exchanges that it lacks, because more came than could be recorded.
    pub left_out: usize,
    /// The length of the file, in bytes.
    pub length: usize,
}

impl Recorder {
    /// Begins a record. Who allows responses much memory, in bytes, has larger exchanges in it. `setup` is kept as it is for
    /// the replay.
    pub fn create(
        file: File,
        redactor: Redactor,
        reached: Reached,
        setup: Value,
        response_memory: usize,
    ) -> io::Result<Arc<Self>> {
        let writer = Writer::create(file, redactor, Started { format: FORMAT, reached, setup })?;
        let (sender, receiver) = channel();
        let (queued, lost) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let counts = (queued.clone(), lost.clone());
        let writing = std::thread::spawn(move || writer.write_all(&receiver, &counts.0, &counts.1));
        Ok(Arc::new(Self {
            began: Instant::now(),
            messages: Mutex::new(sender),
            last: AtomicU64::new(0),
            queued,
            lost,
            writer: Mutex::new(Some(writing)),
            largest: LARGEST_BODIES.max(response_memory / PARSED),
        }))
    }

    /// Records an event, without the exchanges in it.
    pub fn event(&self, event: &Event) {
        let mut event = event.clone();
        if let EventKind::ScenarioFinished(finished) = &mut event.kind {
            Arc::make_mut(finished).evidence.clear();
        }
        self.send(Message::Event(Box::new(event)));
    }

    /// Records a hook that ended now.
    pub fn hook(&self, name: &str, ran: &Result<(), String>) {
        let hook = Hook { name: name.to_owned(), at: self.now(), error: ran.clone().err() };
        self.send(Message::Hook(hook));
    }

    /// Records a moment of a branch, and returns its time as a replay has it.
    pub(crate) fn moment(&self, moment: Moment) -> Instant {
        let at = self.now();
        self.send(Message::Moment(Moment { at, ..moment }));
        self.began + Duration::from_micros(at)
    }

    /// Writes the end of the file.
    pub fn finish(&self) -> io::Result<Recorded> {
        self.send(Message::Finish);
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let written = writer.map(JoinHandle::join);
        let broken = || io::Error::other("its writer has ended");
        written.ok_or_else(broken)?.map_err(|_| broken())?
    }

    /// The time now; later than any before, so that times are the order of all steps.
    fn now(&self) -> u64 {
        let now = micros(self.began.elapsed());
        let later = |last: u64| Some(now.max(last + 1));
        self.last
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, later)
            .map_or(now, |last| now.max(last + 1))
    }

    /// A writer that has ended keeps its error until [`Self::finish`].
    fn send(&self, message: Message) {
        let _ = self.messages.lock().unwrap_or_else(PoisonError::into_inner).send(message);
    }

    /// Waits while the writer is behind: a run that is too quick for it sends its next request later.
    pub(crate) async fn room(&self) {
        while self.queued.load(Ordering::Relaxed) > QUEUED && self.is_writing() {
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn is_writing(&self) -> bool {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().is_some_and(|writing| !writing.is_finished())
    }

    fn leave_out(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    fn exchange(&self, exchange: Exchange<Bytes>) {
        let size = size_of(&exchange);
        if self.queued.load(Ordering::Relaxed) + size > MOST_QUEUED {
            return self.leave_out();
        }
        self.queued.fetch_add(size, Ordering::Relaxed);
        self.send(Message::Exchange(Box::new(exchange)));
    }
}

/// An exchange of a run, recorded when it is dropped: at its end, or when the scenario gives it up.
#[derive(Debug)]
pub(crate) struct Recording {
    recorder: Arc<Recorder>,
    exchange: Exchange<Bytes>,
    /// Whether the scenario waits for the next piece.
    waiting: bool,
    /// The length of the bodies so far, in bytes.
    length: usize,
    /// Whether the exchange is too large for the record.
    is_left_out: bool,
}

impl Recording {
    pub(crate) fn begin(recorder: &Arc<Recorder>, branch: &BranchId, request: &Request) -> Self {
        let exchange = Exchange::of(request, branch, recorder.now(), request.body.clone());
        let length = exchange.body.as_ref().map_or(0, Bytes::len);
        let is_long = exchange.path.len() > LONGEST_PATH;
        let recorder = recorder.clone();
        let mut recording = Self { recorder, exchange, waiting: false, length, is_left_out: false };
        recording.leave_out_if(is_long || length > recording.recorder.largest);
        recording
    }

    /// Keeps nothing of an exchange that is too large.
    fn leave_out_if(&mut self, is_too_large: bool) {
        if is_too_large {
            self.is_left_out = true;
            self.exchange = Exchange::default();
        }
    }

    pub(crate) fn head(&mut self, response: &Response, took: Duration) {
        let Response { status, protocol, headers, .. } = response.clone();
        let (at, took) = (self.recorder.now(), micros(took));
        self.exchange.head = Some(Head { at, took, status, protocol, headers });
    }

    /// Keeps nothing of an exchange whose head says that its body is too large, and that is needed as a whole.
    pub(crate) fn foresee(&mut self, response: &Response) {
        let length = response.headers.iter().find(|(name, _)| name == "content-length");
        let length: Option<usize> = length.and_then(|(_, length)| length.parse().ok());
        self.leave_out_if(length.is_some_and(|length| length > self.recorder.largest));
    }

    /// The scenario begins to wait for the next piece. It gave up on the one before if that has not come.
    pub(crate) fn wait(&mut self) {
        if std::mem::replace(&mut self.waiting, true) {
            self.exchange.pieces.push(Piece { at: self.recorder.now(), body: None });
        }
    }

    pub(crate) fn piece(&mut self, piece: &Bytes) {
        let at = self.arrived();
        self.length += piece.len();
        self.leave_out_if(self.length > self.recorder.largest);
        if !self.is_left_out {
            self.exchange.pieces.push(Piece { at, body: Some(Bytes::copy_from_slice(piece)) });
        }
    }

    pub(crate) fn end(&mut self, error: Option<TestError>) {
        self.exchange.end = Some(End { at: self.arrived(), error });
    }

    fn arrived(&mut self) -> u64 {
        self.waiting = false;
        self.recorder.now()
    }

    /// Keeps the body as one piece: nobody asked when its parts came.
    pub(crate) fn join_pieces(&mut self) {
        let Some(at) = self.exchange.pieces.last().map(|piece| piece.at) else { return };
        let mut whole = BytesMut::new();
        let bodies = self.exchange.pieces.drain(..).filter_map(|piece| piece.body);
        bodies.for_each(|body| whole.extend_from_slice(&body));
        self.exchange.pieces.push(Piece { at, body: Some(whole.freeze()) });
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if self.is_left_out {
            return self.recorder.leave_out();
        }
        self.recorder.exchange(std::mem::take(&mut self.exchange));
    }
}

/// The memory of an exchange, in bytes.
pub(super) fn size_of(exchange: &Exchange<Bytes>) -> usize {
    let bodies = exchange.body.iter().chain(exchange.pieces.iter().filter_map(|piece| piece.body.as_ref()));
    bodies.map(Bytes::len).sum::<usize>() + exchange.path.len() + 1024
}

/// A time in microseconds.
pub(super) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(response_memory: usize) -> Arc<Recorder> {
        let reached = Reached { encrypted: false, by_token_alone: true, curl: model::Curl::default() };
        let file = tempfile::tempfile().unwrap();
        Recorder::create(file, Redactor::default(), reached, Value::Null, response_memory).unwrap()
    }

    fn recorded(path: &str, pieces: usize) -> Recorded {
        let recorder = recorder(96 << 20);
        let mut recording = Recording::begin(&recorder, &BranchId::default(), &Request::get(path));
        for _ in 0..pieces {
            recording.piece(&vec![b'a'; 1 << 20].into());
        }
        assert!(recording.exchange.pieces.len() <= 16);
        recording.end(None);
        drop(recording);
        recorder.finish().unwrap()
    }

    #[test]
    fn a_body_is_not_kept_if_its_length_says_that_it_is_too_large() {
        let recorder = recorder(96 << 20);
        let mut recording = Recording::begin(&recorder, &BranchId::default(), &Request::get("/version"));
        let length = |length: usize| vec![("content-length".to_owned(), length.to_string())];
        let response = |bytes| Response { headers: length(bytes), ..Response::default() };
        recording.foresee(&response(recorder.largest));
        assert!(!recording.is_left_out);
        recording.foresee(&response(recorder.largest + 1));
        recording.piece(&Bytes::from_static(b"a"));
        assert!(recording.is_left_out && recording.exchange.pieces.is_empty());
    }

    #[test]
    fn an_exchange_that_is_too_large_is_left_out_at_once() {
        let counts = |path: &str, pieces: usize| {
            let Recorded { exchanges, left_out, .. } = recorded(path, pieces);
            (exchanges, left_out)
        };
        assert_eq!(counts("/version", 16), (1, 0));
        assert_eq!(counts("/version", 20), (0, 1));
        assert_eq!(counts(&"/v".repeat(1 << 20), 0), (0, 1));
    }

    #[test]
    fn more_memory_for_responses_allows_larger_exchanges() {
        assert_eq!(recorder(1 << 20).largest, LARGEST_BODIES);
        assert_eq!(recorder(600 << 20).largest, 100 << 20);
    }
}
