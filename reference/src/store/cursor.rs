//! Cursor: a watch's position in the history of one collection.

use std::sync::Arc;

use tokio::sync::watch;

use super::{Change, Store};

/// How many changes a reader is given at once: the bound of what a watch buffers.
const BATCH: usize = 128;

/// A place in the history of one collection.
pub(crate) struct Cursor {
    collection: String,
    position: u64,
    head: watch::Receiver<u64>,
}

/// What a cursor finds.
pub(crate) enum Batch {
    /// The next changes in order (perhaps none), and the revision up to which they are complete.
    Changes(Vec<Arc<Change>>, u64),
    /// Changes that had not been read yet are forgotten.
    Lost,
    /// The collection is no more.
    Closed,
}

impl Cursor {
    pub(super) fn new(collection: String, position: u64, head: watch::Receiver<u64>) -> Self {
        Self { collection, position, head }
    }

    /// The revision up to which everything has been read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The next changes.
    pub(crate) fn read(&mut self, store: &Store) -> Batch {
        self.head.mark_unchanged();
        let shelves = store.read_lock();
        let Some(collection) = shelves.collections.get(&self.collection) else { return Batch::Closed };
        let Some(changes) = collection.after(self.position, BATCH) else { return Batch::Lost };
        let complete = match changes.last() {
            Some(last) if changes.len() == BATCH => last.revision,
            _ => shelves.revision,
        };
        self.position = self.position.max(complete);
        Batch::Changes(changes, self.position)
    }

    /// Waits until there may be something to read.
    pub(crate) async fn changed(&mut self) {
        // An error means that the collection was closed: reading says so.
        let _ = self.head.changed().await;
    }
}
