//! Cursor: a watch's position in the history of one collection.

use std::sync::Arc;

use tokio::sync::watch;

use super::Change;

/// How many changes a reader is given at once: the bound of what a watch buffers.
pub(super) const BATCH: usize = 128;

/// A place in the history of one collection.
pub(crate) struct Cursor {
    collection: String,
    start: u64,
    position: u64,
    head: watch::Receiver<u64>,
}

/// The changes at a cursor.
pub(crate) enum Batch {
    /// The next changes in order (perhaps none), and the revision up to which they are complete.
    Changes(Vec<Arc<Change>>, u64),
    /// Changes that had not been read yet were compacted.
    Lost,
    /// The collection is no more.
    Closed,
}

impl Cursor {
    pub(super) fn new(collection: String, start: u64, head: watch::Receiver<u64>) -> Self {
        Self { collection, start, position: start, head }
    }

    /// The revision up to which everything has been read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Waits until there may be something to read.
    pub(crate) async fn changed(&mut self) {
        // An error means that the collection was closed: reading says so.
        let _ = self.head.changed().await;
    }

    pub(super) fn collection(&self) -> &str {
        &self.collection
    }

    /// The revision after which it was opened.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// Waits only for changes after now.
    pub(super) fn mark_read(&mut self) {
        self.head.mark_unchanged();
    }

    pub(super) fn advance(&mut self, position: u64) {
        self.position = self.position.max(position);
    }
}
