//! Cursor: a watch's position in the history of one collection.

use std::sync::Arc;

use tokio::sync::watch;

use super::Change;

/// The maximum number of changes per read: it bounds the buffer of a watch.
pub(super) const BATCH: usize = 128;

/// The approximate bytes of the changes of a read: it ends with the change that exceeds them.
pub(super) const BATCH_BYTES: usize = 256 << 10;

/// A position in the history of one collection.
pub(crate) struct Cursor {
    collection: String,
    start: u64,
    position: u64,
    head: watch::Receiver<u64>,
}

/// The changes at a cursor.
pub(crate) enum Batch {
    /// The next changes in order, perhaps none, and the revision up to which they are complete.
    Changes(Vec<Arc<Change>>, u64),
    /// Unread changes were compacted.
    Lost,
    /// The collection was removed.
    Closed,
}

impl Cursor {
    pub(super) fn new(collection: String, start: u64, head: watch::Receiver<u64>) -> Self {
        Self { collection, start, position: start, head }
    }

    /// The revision up to which all changes were read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Waits for possible changes.
    pub(crate) async fn changed(&mut self) {
        // An error means that the collection was removed: the next read returns `Closed`.
        let _ = self.head.changed().await;
    }

    pub(super) fn collection(&self) -> &str {
        &self.collection
    }

    /// The revision at which the cursor started.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Ignores earlier notifications.
    pub(super) fn mark_read(&mut self) {
        self.head.mark_unchanged();
    }

    pub(super) fn advance(&mut self, position: u64) {
        self.position = self.position.max(position);
    }
}
