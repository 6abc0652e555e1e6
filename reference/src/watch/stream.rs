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

/// The interval between bookmarks.
const BOOKMARK_PERIOD: Duration = Duration::from_mins(1);

/// The time between the last bookmark and the end of a watch.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// The delay after an attempt without news, after the initial events, and after the last bookmark.
const BOOKMARK_RETRY: Duration = Duration::from_secs(1);

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

/// The event that ends a wait.
enum Wake {
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

    /// The next line: `None` at the end of the watch.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        loop {
            let line = match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Starting(start) => self.begin(start).await,
                Phase::State(items, cursor) => self.next_initial_event(items, cursor),
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
                if let Err(detail) = reach(&self.cluster, at_least).await {
                    return Some(event::error(&detail));
                }
                self.read_state()
            }
            Start::After(version) => self.follow_from(version),
            Start::Now => self.follow_from(self.cluster.store.revision()),
        }
    }

    fn read_state(&mut self) -> Option<Bytes> {
        let (store, options) = (&self.cluster.store, &self.subject.options);
        let collection = self.subject.ty.collection();
        let range = Range::all(&self.subject.prefix);
        match store.snapshot(&collection, &range, &|object| options.selects(object)) {
            Ok((page, cursor)) => {
                self.phase = Phase::State(page.items.into(), cursor);
                None
            }
            Err(detail) => Some(event::error(&unavailable(&detail))),
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
            Err(detail) => Some(event::error(&unavailable(&detail))),
        }
    }

    fn next_initial_event(&mut self, mut items: VecDeque<Object>, cursor: Cursor) -> Option<Bytes> {
        if let Some(object) = items.pop_front() {
            self.phase = Phase::State(items, cursor);
            let line = self.subject.line("ADDED", &object, !self.sent_any);
            return Some(self.cluster.bodies.share(line));
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
            Batch::Changes(changes, _) if !changes.is_empty() => {
                self.phase = Phase::Following(changes.into(), cursor);
                None
            }
            Batch::Changes(_, up_to) => match self.wait(&mut cursor).await {
                Wake::End => None,
                Wake::Changed => {
                    self.phase = Phase::Following(changes, cursor);
                    None
                }
                Wake::Bookmark => self.bookmark(changes, cursor, up_to),
            },
            Batch::Lost => Some(self.too_old(cursor.position())),
            Batch::Closed => None,
        }
    }

    async fn wait(&mut self, cursor: &mut Cursor) -> Wake {
        tokio::select! {
            biased;
            _ = self.closing.wait_for(|closing| *closing) => Wake::End,
            // A bookmark that is due before the end precedes it, even if late.
            () = sleep_until(self.next_bookmark), if self.subject.options.bookmarks => Wake::Bookmark,
            () = sleep_until(self.deadline) => Wake::End,
            () = cursor.changed() => Wake::Changed,
        }
    }

    /// A bookmark, if there is news. Unread changes precede it.
    fn bookmark(&mut self, changes: VecDeque<Arc<Change>>, mut cursor: Cursor, up_to: u64) -> Option<Bytes> {
        let now = Instant::now();
        let up_to = match self.cluster.store.changes(&mut cursor) {
            Batch::Changes(changes, _) if !changes.is_empty() => {
                self.phase = Phase::Following(changes.into(), cursor);
                return None;
            }
            Batch::Changes(_, up_to) => up_to,
            Batch::Lost | Batch::Closed => up_to,
        };
        self.phase = Phase::Following(changes, cursor);
        if up_to <= self.bookmarked {
            self.next_bookmark = now + BOOKMARK_RETRY;
            return None;
        }
        self.bookmarked = up_to;
        self.next_bookmark = bookmark_after(now, self.deadline);
        Some(self.subject.bookmark(up_to, false, !self.sent_any))
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
