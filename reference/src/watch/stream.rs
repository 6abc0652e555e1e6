//! Watch stream: history cursor, pending events, bookmarks and timeout.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::{Start, Subject, deadline, event};
use crate::cluster::Cluster;
use crate::failure::Failure;
use crate::list::{reach, unavailable};
use crate::store::{Batch, Change, Cursor, Object, Range, Unavailable};

/// How far apart bookmarks are.
const BOOKMARK_PERIOD: Duration = Duration::from_mins(1);

/// How long before a watch's end its last bookmark is sent.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// How soon to try again when there was nothing new to bookmark, or when it was an extra one: that which follows the
/// initial events, or the last.
const BOOKMARK_RETRY: Duration = Duration::from_secs(1);

/// One open watch.
pub(super) struct Feed {
    cluster: Arc<Cluster>,
    subject: Subject,
    phase: Phase,
    closing: watch::Receiver<bool>,
    deadline: Instant,
    next_bookmark: Instant,
    bookmarked: u64,
    sent_any: bool,
}

enum Phase {
    Starting(Start),
    State(VecDeque<Object>, Cursor),
    Following(VecDeque<Arc<Change>>, Cursor),
    Over,
}

/// Why a watch was woken.
enum Woken {
    Changed,
    Bookmark,
    End,
}

impl Feed {
    pub(super) fn new(cluster: Arc<Cluster>, subject: Subject, start: Start) -> Self {
        let deadline = deadline(&subject.options);
        Self {
            closing: cluster.closing.subscribe(),
            cluster,
            phase: Phase::Starting(start),
            next_bookmark: bookmark_after(Instant::now(), deadline),
            deadline,
            subject,
            bookmarked: 0,
            sent_any: false,
        }
    }

    /// The next line; none when the watch is over.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        loop {
            let line = match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Starting(start) => self.begin(start).await,
                Phase::State(items, cursor) => self.show_state(items, cursor),
                Phase::Following(changes, cursor) => self.follow(changes, cursor).await,
                Phase::Over => return None,
            };
            if let Some(line) = line {
                self.sent_any = true;
                return Some(line);
            }
        }
    }

    async fn begin(&mut self, start: Start) -> Option<Bytes> {
        if self.deadline <= Instant::now() {
            return None;
        }
        match start {
            Start::State { at_least } => {
                if let Err(why) = reach(&self.cluster, at_least).await {
                    return Some(event::error(&why));
                }
                self.take_state()
            }
            Start::After(version) => self.follow_from(version),
            Start::Now => self.follow_from(self.cluster.store.revision()),
        }
    }

    fn take_state(&mut self) -> Option<Bytes> {
        let (store, options) = (&self.cluster.store, &self.subject.options);
        let collection = self.subject.ty.collection();
        let range = Range::all(&self.subject.prefix);
        match store.snapshot(&collection, &range, &|object| options.selects(object)) {
            Ok((page, cursor)) => {
                self.phase = Phase::State(page.items.into(), cursor);
                None
            }
            Err(why) => Some(event::error(&unavailable(&why))),
        }
    }

    fn follow_from(&mut self, version: u64) -> Option<Bytes> {
        let collection = self.subject.ty.collection();
        match self.cluster.store.cursor(&collection, version) {
            Ok(cursor) => {
                self.bookmarked = version;
                self.phase = Phase::Following(VecDeque::new(), cursor);
                None
            }
            Err(Unavailable::Expired) => Some(self.too_old(version)),
            Err(why) => Some(event::error(&unavailable(&why))),
        }
    }

    fn show_state(&mut self, mut items: VecDeque<Object>, cursor: Cursor) -> Option<Bytes> {
        if let Some(object) = items.pop_front() {
            self.phase = Phase::State(items, cursor);
            return Some(self.subject.line("ADDED", &object, !self.sent_any));
        }
        let version = cursor.position();
        self.bookmarked = version;
        self.next_bookmark = self.next_bookmark.min(Instant::now() + BOOKMARK_RETRY);
        self.phase = Phase::Following(VecDeque::new(), cursor);
        let first = !self.sent_any;
        self.subject.options.bookmarks.then(|| self.subject.bookmark(version, true, first))
    }

    async fn follow(&mut self, mut changes: VecDeque<Arc<Change>>, mut cursor: Cursor) -> Option<Bytes> {
        if let Some(change) = changes.pop_front() {
            self.phase = Phase::Following(changes, cursor);
            return self.subject.event(&change, !self.sent_any, &*self.cluster.semantics);
        }
        match self.cluster.store.changes(&mut cursor) {
            Batch::Changes(found, _) if !found.is_empty() => {
                self.phase = Phase::Following(found.into(), cursor);
                None
            }
            Batch::Changes(_, upto) => match self.wait(&mut cursor).await {
                Woken::End => None,
                Woken::Changed => {
                    self.phase = Phase::Following(changes, cursor);
                    None
                }
                Woken::Bookmark => self.bookmark(changes, cursor, upto),
            },
            Batch::Lost => Some(self.too_old(cursor.position())),
            Batch::Closed => None,
        }
    }

    async fn wait(&mut self, cursor: &mut Cursor) -> Woken {
        tokio::select! {
            biased;
            _ = self.closing.wait_for(|closing| *closing) => Woken::End,
            // What was due before the end is sent before it, however late.
            () = sleep_until(self.next_bookmark), if self.subject.options.bookmarks => Woken::Bookmark,
            () = sleep_until(self.deadline) => Woken::End,
            () = cursor.changed() => Woken::Changed,
        }
    }

    /// A bookmark, if there is news. What happened since the last look is sent before it.
    fn bookmark(&mut self, changes: VecDeque<Arc<Change>>, mut cursor: Cursor, upto: u64) -> Option<Bytes> {
        let now = Instant::now();
        let upto = match self.cluster.store.changes(&mut cursor) {
            Batch::Changes(found, _) if !found.is_empty() => {
                self.phase = Phase::Following(found.into(), cursor);
                return None;
            }
            Batch::Changes(_, upto) => upto,
            Batch::Lost | Batch::Closed => upto,
        };
        self.phase = Phase::Following(changes, cursor);
        if upto <= self.bookmarked {
            self.next_bookmark = now + BOOKMARK_RETRY;
            return None;
        }
        self.bookmarked = upto;
        self.next_bookmark = bookmark_after(now, self.deadline);
        Some(self.subject.bookmark(upto, false, !self.sent_any))
    }

    fn too_old(&self, version: u64) -> Bytes {
        let oldest = self.cluster.store.oldest(&self.subject.ty.collection());
        let message = format!("too old resource version: {version} ({oldest})");
        event::error(&Failure::expired(message, None))
    }
}

fn bookmark_after(now: Instant, deadline: Instant) -> Instant {
    let last = deadline.checked_sub(LAST_BOOKMARK).filter(|last| *last > now);
    last.unwrap_or(now + BOOKMARK_RETRY).min(now + BOOKMARK_PERIOD)
}
