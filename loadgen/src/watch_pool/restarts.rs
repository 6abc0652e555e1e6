//! How the lists and streaming lists at the beginning of watches ended: too early for a bookmark, or with a 410.

use std::time::{Duration, Instant};

use harness::load::Ending;
use serde::{Deserialize, Serialize};

use super::watcher::Watcher;
use super::worker_watches::WorkerWatches;
use crate::recorder::micros;

/// A streaming list that the run or the server ends earlier says nothing about the time until its bookmark.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

/// Counts of the beginnings of watches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restarts {
    /// Streaming lists that had the bookmark behind their initial events.
    pub synced: u64,
    /// Streaming lists that were open for long enough without that bookmark.
    pub unsynced: u64,
    /// Streaming lists that the server ended earlier and without that bookmark.
    pub ended_early: u64,
    /// Lists before watches.
    pub lists: u64,
    /// Watches that the server ended with 410, and without an event, directly after their list.
    pub gone_after_list: u64,
}

impl Restarts {
    pub(super) fn add(&mut self, other: Self) {
        self.synced += other.synced;
        self.unsynced += other.unsynced;
        self.ended_early += other.ended_early;
        self.lists += other.lists;
        self.gone_after_list += other.gone_after_list;
    }
}

impl WorkerWatches {
    /// Counts the watches that are open at the end without the bookmark behind their initial events.
    pub(super) fn count_open_unsynced(&self, now: Instant) {
        for watcher in &self.watchers {
            self.count_unsynced(&mut watcher.borrow_mut(), true, now);
        }
    }

    /// Counts a streaming list that ends, or is open at the end of the run, without its bookmark. `by_run` says whether
    /// the run ends it: soon after its beginning, that is no fault of anybody.
    pub(super) fn count_unsynced(&self, watcher: &mut Watcher, by_run: bool, now: Instant) {
        let Some(since) = watcher.unsynced_since.take() else { return };
        let open_for = now.saturating_duration_since(since);
        let restarts = &mut self.account.borrow_mut().restarts;
        if open_for >= LONG_ENOUGH {
            restarts.unsynced += 1;
            self.recorder.pend(self.series.synced, micros(open_for));
        } else if !by_run {
            restarts.ended_early += 1;
        }
    }

    /// Counts the end of a watch that had no event since the list before it.
    pub(super) fn count_end_after_list(&self, watcher: &mut Watcher, ending: Ending) {
        if std::mem::take(&mut watcher.just_listed) && ending == Ending::Gone {
            self.account.borrow_mut().restarts.gone_after_list += 1;
        }
    }
}
