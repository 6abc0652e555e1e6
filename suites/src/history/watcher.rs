//! A watch of a history, from the first to the last event.

use std::sync::atomic::{AtomicBool, Ordering};

use harness::history::{Action, Operation};

use super::client::value;
use crate::prelude::*;

/// The object of the last change: its creation.
pub(super) const END: &str = "end";

/// The maximum number of times that a watcher reopens its stream.
const REOPENS: usize = 50;

/// A watch of a collection, and the log of its events.
pub(super) struct Watcher {
    collection: Collection,
    name: String,
    began: Instant,
    watch: Watch,
    version: String,
    pub(super) log: Vec<(Operation, Option<usize>)>,
    /// Whether it received the last change.
    pub(super) finished: bool,
    /// Whether its stream was open to the end.
    pub(super) followed: bool,
}

impl Watcher {
    /// Watches an empty collection.
    pub(super) async fn open(collection: &Collection, name: String, began: Instant) -> Result<Self, Halt> {
        let version = collection.now().await?.version;
        let watch = collection.watch().at(&version).open().await?;
        let collection = collection.clone();
        Ok(Self { collection, name, began, watch, version, log: Vec::new(), finished: false, followed: true })
    }

    /// Watches until the last change, or until silence after it.
    pub(super) async fn follow(mut self, done: &AtomicBool) -> Result<Self, Halt> {
        let mut reopened = 0;
        loop {
            let was_done = done.load(Ordering::SeqCst);
            match self.watch.next().await {
                Ok(Next::Event(event)) if event.kind == "ERROR" => self.followed = false,
                Ok(Next::Event(event)) => self.record(&event),
                Ok(Next::Silence) if was_done => return Ok(self),
                Ok(Next::Silence) => {}
                Ok(Next::End) | Err(Halt::Errored(_)) if reopened < REOPENS => {
                    reopened += 1;
                    self.reopen().await?;
                }
                Ok(Next::End) | Err(Halt::Errored(_)) => self.followed = false,
                Err(halt) => return Err(halt),
            }
            if self.finished || !self.followed {
                return Ok(self);
            }
        }
    }

    /// Resumes from the last version. An expired version ends the watch.
    async fn reopen(&mut self) -> Checked {
        match self.collection.watch().at(&self.version).opening().await {
            Ok(Opening::Watch(watch)) => self.watch = *watch,
            Ok(Opening::Rejected(_)) | Err(Halt::Errored(_)) => self.followed = false,
            Err(halt) => return Err(halt),
        }
        Ok(())
    }

    fn record(&mut self, event: &WatchEvent) {
        let object = &event.object;
        object.version().clone_into(&mut self.version);
        if event.kind == "BOOKMARK" {
            return;
        }
        let (name, version) = (object.name().to_owned(), object.version().to_owned());
        self.finished |= name == END;
        let value = (event.kind != "DELETED").then(|| value(object));
        let at = self.began.elapsed();
        let action = Action::Event { name, version, value };
        let operation = Operation { client: self.name.clone(), called: at, returned: at, action };
        self.log.push((operation, Some(self.watch.index())));
    }
}
