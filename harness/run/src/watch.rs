//! An open watch, read frame by frame against a deadline.

mod late_cache;

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use checkers::stream::FollowedStream;
use model::{Exchange, Halt, Object, Request, UnreadableJson, is_controller_configmap};
use serde_json::Value;
use target::{Instant, NeededItems, Opened, Reservation};

use crate::context::{Context, unreadable_json};
use crate::frame::Frames;
use crate::unpacker::{self, Unpacker};
use crate::watch_event::{Next, WatchEvent};

/// The length of a stream in the evidence, in bytes.
const KEPT: usize = 64 << 10;

/// So many events of others in a row, without a pause until the deadline, are a flood.
const FLOOD: usize = 1_000;

/// The shortest pause that ends a flood: a busy machine or server makes shorter ones.
const PAUSE: Duration = Duration::from_secs(1);

const ENDS_EARLY: &str = "does the server, or a proxy before it, end streams early? kube-apiserver ends watches without \
                          timeoutSeconds after one to two times its --min-request-timeout";

const FLOOD_HINT: &str =
    "does another program write all the time? --event-timeout gives kube-assay more time to read";

/// An open watch.
#[derive(Debug)]
pub struct Watch {
    cx: Context,
    request: Request,
    opened: Opened,
    unpacker: Option<Unpacker>,
    frames: Frames,
    kept: BytesMut,
    received: usize,
    /// Whether events of others were left out.
    is_cut: bool,
    reservation: Reservation,
    needed: Option<NeededItems>,
    events: usize,
    index: usize,
    logged: bool,
    judges_its_end: bool,
    followed: Option<Arc<FollowedStream>>,
}

impl Watch {
    pub(crate) fn new(cx: Context, request: Request, opened: Opened, index: usize) -> Self {
        let (frames, kept) = (Frames::default(), BytesMut::new());
        let (followed, reservation) = (cx.follow(&request, index), cx.memory().reservation(1));
        let (unpacker, needed) = (Unpacker::of(&request, &opened.response), NeededItems::of(&request));
        Self {
            cx,
            request,
            opened,
            unpacker,
            frames,
            kept,
            received: 0,
            is_cut: false,
            reservation,
            needed,
            events: 0,
            index,
            logged: false,
            judges_its_end: false,
            followed,
        }
    }

    /// The position of the watch among the scenario's exchanges.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The next result, within the event timeout.
    pub async fn next(&mut self) -> Result<Next, Halt> {
        self.next_within(self.cx.event_timeout()).await
    }

    /// The next result within a time. Skips events of objects that controllers created.
    pub async fn next_within(&mut self, limit: Duration) -> Result<Next, Halt> {
        let deadline = Instant::now() + limit;
        loop {
            match self.next_by(deadline).await? {
                Next::Event(event) if is_controller_configmap(event.object.name()) => {}
                Next::Silence => {
                    // A shorter time is no judgment: the scenario expects nothing, or asks again.
                    if limit >= self.cx.event_timeout() {
                        Box::pin(self.cx.note_silence()).await;
                    }
                    return Ok(Next::Silence);
                }
                next => return Ok(next),
            }
        }
    }

    /// The next line of a stream without events, within the event timeout; `None` at its end.
    pub async fn line(&mut self) -> Result<Option<Bytes>, Halt> {
        let deadline = Instant::now() + self.cx.event_timeout();
        loop {
            if let Some(line) = self.frames.next() {
                return Ok(Some(line));
            }
            match target::timeout_at(deadline, self.opened.next_chunk()).await {
                Some(Ok(Some(chunk))) => self.receive(&chunk).await?,
                Some(Ok(None)) => return Ok(self.frames.rest()),
                Some(Err(why)) => return Err(self.cx.test_error("read the stream", why).into()),
                None => return Err(self.fail("a further line", "none in time")),
            }
        }
    }

    async fn next_by(&mut self, deadline: Instant) -> Result<Next, Halt> {
        let (mut unneeded, mut last_unneeded) = (0, None);
        loop {
            while let Some(frame) = self.frames.next() {
                if self.needs(&frame) {
                    return self.event(&frame).map(Next::Event);
                }
                self.drop_unneeded(&frame);
                unneeded += 1;
            }
            if unneeded > 0 {
                let now = Instant::now();
                if now > deadline {
                    return self.flooded(unneeded);
                }
                last_unneeded = Some(now);
            }
            match target::timeout_at(deadline, self.opened.next_chunk()).await {
                None if last_unneeded.is_some_and(|last| last + PAUSE > deadline) => {
                    return self.flooded(unneeded);
                }
                None => return Ok(Next::Silence),
                Some(Ok(Some(chunk))) => self.receive(&chunk).await?,
                Some(Ok(None)) => return self.end(),
                Some(Err(why)) => return Err(self.cx.test_error("read the watch", why).into()),
            }
        }
    }

    /// The result at the deadline of a watch that always has events of others to read: an event of the scenario may be among
    /// those that are still unread.
    fn flooded(&self, unneeded: usize) -> Result<Next, Halt> {
        if unneeded < FLOOD {
            return Ok(Next::Silence);
        }
        let cause = format!("{unneeded} events of others arrived without a pause, and more are to come");
        Err(self.cx.test_error("read the watch", cause).hint(FLOOD_HINT).into())
    }

    /// The watch, whose early end is a failure: the scenario has seen that another one lasts.
    #[must_use]
    pub fn judging_its_end(mut self) -> Self {
        self.judges_its_end = true;
        self
    }

    /// The end of a scenario whose watch ended early. Any server or proxy may end a watch at any time, and clients resume it.
    pub fn ended(&mut self, expected: &str) -> Halt {
        if self.judges_its_end {
            return self.fail(expected, "the server ended the watch");
        }
        self.log_failure();
        let action = format!("read the watch {}", self.request.path);
        let cause = format!("the server ended it, without an error, before {expected}");
        self.cx.test_error(action, cause).hint(ENDS_EARLY).into()
    }

    /// The next event of any type; without one the server breaks the clause.
    pub async fn event_or_fail(&mut self, expected: &str) -> Result<WatchEvent, Halt> {
        let next = self.next().await?;
        self.expect_event(next, expected)
    }

    /// The event of a result that must be one.
    pub fn expect_event(&mut self, next: Next, expected: &str) -> Result<WatchEvent, Halt> {
        match next {
            Next::Event(event) => Ok(event),
            Next::End => Err(self.ended(expected)),
            Next::Silence => {
                Err(self
                    .fail(expected, format!("no event within {} s", self.cx.event_timeout().as_secs_f32())))
            }
        }
    }

    /// The next event must have this type and this object.
    pub async fn expect(&mut self, kind: &str, name: &str) -> Result<Object, Halt> {
        let expected = format!("{kind} {name}");
        let event = self.event_or_fail(&expected).await?;
        if event.kind == kind && event.object.name() == name {
            return Ok(event.object);
        }
        Err(self.unexpected(expected, &event).await)
    }

    /// All events up to the first that `done` accepts, that one included.
    pub async fn until(
        &mut self,
        expected: &str,
        done: impl Fn(&WatchEvent) -> bool,
    ) -> Result<Vec<WatchEvent>, Halt> {
        let mut events = Vec::new();
        loop {
            let event = self.event_or_fail(expected).await?;
            let last = done(&event);
            events.push(event);
            if last {
                return Ok(events);
            }
        }
    }

    /// The events until the stream ends or stays silent for `limit`.
    pub async fn drain(&mut self, limit: Duration) -> Result<(Vec<WatchEvent>, Next), Halt> {
        let mut events = Vec::new();
        loop {
            match self.next_within(limit).await? {
                Next::Event(event) => events.push(event),
                end => return Ok((events, end)),
            }
        }
    }

    /// A failure of this watch.
    pub fn fail(&mut self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        self.log_failure();
        self.cx.failed(expected, actual, Some(self.index))
    }

    /// Fails unless `holds`, with this watch as evidence.
    pub fn expect_that(
        &mut self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// The stream so far as an exchange; its body has the received lines, unpacked.
    pub fn exchange(&self) -> Exchange {
        let mut response = self.opened.response.clone();
        response.body = Bytes::copy_from_slice(&self.kept);
        let timing = self.opened.timing();
        Exchange::new(self.index, self.request.clone(), response, timing)
    }

    /// Keeps a received chunk, unpacked if the stream is compressed.
    async fn receive(&mut self, chunk: &[u8]) -> Result<(), Halt> {
        let Some(mut unpacker) = self.unpacker.take() else { return self.keep(chunk).await };
        for piece in chunk.chunks(unpacker::PIECE) {
            let unpacked = unpacker.unpack(piece);
            let unpacked = unpacked
                .map_err(|why| self.fail("a gzip stream, as Content-Encoding says", why.to_string()))?;
            self.keep(&unpacked).await?;
        }
        self.unpacker = Some(unpacker);
        Ok(())
    }

    /// Keeps a part of the stream. The scenario may keep all events of the watch, so their memory is reserved until it ends.
    async fn keep(&mut self, chunk: &[u8]) -> Result<(), Halt> {
        self.frames.extend(chunk);
        self.received += chunk.len();
        let room = KEPT.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.reservation.grow(chunk).await.map_err(|too_large| {
            let hint =
                "does the server send events of changes that never happened? --response-memory gives more";
            let cause = format!("the stream is too large: {too_large}");
            self.cx.test_error("read the watch", cause).hint(hint).into()
        })
    }

    /// The end of the stream; an incomplete rest before it is still an event.
    fn end(&mut self) -> Result<Next, Halt> {
        match self.frames.rest() {
            Some(rest) => self.event(&rest).map(Next::Event),
            None => Ok(Next::End),
        }
    }

    /// Whether an event is needed: a collection of others may have any number of objects.
    fn needs(&mut self, frame: &[u8]) -> bool {
        let Some(needed) = &mut self.needed else { return true };
        let text = String::from_utf8_lossy(frame);
        let is_of_stream = ["\"BOOKMARK\"", "\"ERROR\""].iter().any(|kind| text.contains(kind));
        is_of_stream || needed.keep(frame)
    }

    /// Gives the memory of an event back. The checkers must not miss it.
    fn drop_unneeded(&mut self, frame: &[u8]) {
        self.reservation.shrink(frame);
        if !std::mem::replace(&mut self.is_cut, true) {
            self.cx.note_cut("watch", &self.request);
        }
        if let Some(followed) = &self.followed {
            followed.check(None);
        }
    }

    /// Fails for more events than the run's own objects can have.
    fn count(&mut self) -> Result<(), Halt> {
        self.events += 1;
        if self.cx.most_own(&self.request).is_none_or(|most| self.events <= most) {
            return Ok(());
        }
        self.log_failure();
        Err(self.cx.flood("events", self.index))
    }

    fn event(&mut self, frame: &[u8]) -> Result<WatchEvent, Halt> {
        let parsed: Option<Value> = serde_json::from_slice(frame).ok();
        if let Some(followed) = &self.followed {
            followed.check(parsed.as_ref());
        }
        if parsed.is_none()
            && let Some(unreadable) = UnreadableJson::of(frame)
        {
            self.log_failure();
            return Err(unreadable_json(&self.request, &unreadable).into());
        }
        let event = parsed.as_ref().and_then(|event| {
            let kind = event.get("type")?.as_str()?.to_owned();
            let object = Object::new(event.get("object")?.clone()).valued_at(self.cx.value_at());
            Some(WatchEvent { kind, object })
        });
        let event = event.ok_or_else(|| {
            let excerpt: String = String::from_utf8_lossy(frame).chars().take(200).collect();
            self.fail("watch events of the form {\"type\", \"object\"}", excerpt)
        })?;
        self.count()?;
        if let Some(hint) = event.store_outage() {
            self.log_failure();
            let action = format!("read the watch {}", self.request.path);
            return Err(self.cx.test_error(action, event.brief()).hint(hint).into());
        }
        Ok(event)
    }

    fn log_failure(&mut self) {
        if self.received > KEPT {
            let received = self.received;
            self.cx.note(format!("the evidence has the first {KEPT} of {received} bytes of the watch"));
        }
        self.log();
    }

    /// Records the received part of the stream as an exchange of the scenario.
    fn log(&mut self) {
        let first = !std::mem::replace(&mut self.logged, true);
        let transcript = self.cx.log_stream(&self.exchange(), first);
        if let Some(followed) = &self.followed {
            *followed.transcript.lock().unwrap_or_else(PoisonError::into_inner) = Some(transcript);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.log();
    }
}
