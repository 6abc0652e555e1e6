//! Where the processes of a run meet: named documents, each with one writer and any number of readers.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::BoxFuture;
use harness::TestError;

/// A place for the documents of one run. A reader sees a document as it was written once, never a part of it.
pub trait Rendezvous: Send + Sync {
    /// The document with this name; `None` if there is none.
    fn get(&self, name: String) -> BoxFuture<'_, Result<Option<String>, TestError>>;

    /// Those of these documents that exist.
    fn get_all(&self, names: Vec<String>) -> BoxFuture<'_, Result<BTreeMap<String, String>, TestError>>;

    /// Writes a document, in the place of an earlier one.
    fn put(&self, name: String, text: String) -> BoxFuture<'_, Result<(), TestError>>;

    /// Forgets what these documents had from an earlier run, before the workers of this one write to them.
    fn reset(&self, names: Vec<String>) -> BoxFuture<'_, Result<(), TestError>>;

    /// Removes a document, if it is there.
    fn remove(&self, name: String) -> BoxFuture<'_, Result<(), TestError>>;

    /// The pause between two reads that wait for something.
    fn pause(&self) -> Duration;
}

/// The names of the documents of a run.
pub struct Documents;

impl Documents {
    /// What the workers need to know before the load; the coordinator writes it once.
    pub const RUN: &'static str = "run";

    /// The state of the coordinator.
    pub const COORDINATOR: &'static str = "coordinator";

    /// The state of a worker.
    pub fn worker(index: usize) -> String {
        format!("worker-{index}")
    }

    /// A part of the writes of all workers; the coordinator writes it. There are at most as many as workers.
    pub fn writes(part: usize) -> String {
        format!("writes-{part}")
    }

    /// The documents that the coordinator writes, in a run with this number of workers.
    pub fn of_coordinator(workers: usize) -> impl Iterator<Item = String> {
        [Self::RUN, Self::COORDINATOR].map(str::to_owned).into_iter().chain((0..workers).map(Self::writes))
    }

    /// All documents of such a run.
    pub fn all(workers: usize) -> impl Iterator<Item = String> {
        Self::of_coordinator(workers).chain((0..workers).map(Self::worker))
    }
}
