//! How a watcher handles the events that it receives.

use std::time::Instant;

use harness::load::Ending;
use harness::stream::Arrival;
use http::StatusCode;
use serde::de::IgnoredAny;

use super::watcher::Watcher;
use super::worker_watches::WorkerWatches;
use crate::broken_rules::Rule;
use crate::population::name;
use crate::recorder::between;
use crate::scan::{Frames, ObjectHead, ScannedEvent, Type};
use crate::stamp::{OtherWriter, Stamp, Trace};

/// The first bytes of a stream in gzip.
const GZIP: &[u8] = b"\x1f\x8b";

impl WorkerWatches {
    /// Handles a received piece. Returns why the watch has ended, if it has.
    pub(super) fn piece(&self, index: usize, frames: &mut Frames, piece: &[u8]) -> Option<Ending> {
        let now = Instant::now();
        self.recorder.bytes(self.series.latency, piece.len() as u64);
        let mut watcher = self.watchers[index].borrow_mut();
        if let Some(ended) = watcher.ended.take() {
            self.recorder.record_micros(self.series.resumption, between(ended, now));
        }
        let mut ending = None;
        let cut = frames.cut(piece, |frame| {
            if ending.is_none() {
                ending = self.event(&mut watcher, index, frame, now);
            }
        });
        ending.or_else(|| cut.is_err().then_some(Ending::Error))
    }

    /// Handles the end of the stream: the last event may have no line feed. Returns the reason for the end, if any.
    pub(super) fn rest(&self, index: usize, frames: &mut Frames) -> Option<Ending> {
        let now = Instant::now();
        let mut watcher = self.watchers[index].borrow_mut();
        let mut ending = None;
        frames.end(|frame| {
            // An event that is cut off in the middle is neither an event nor a malformed one.
            if serde_json::from_slice::<IgnoredAny>(frame).is_ok() {
                ending = self.event(&mut watcher, index, frame, now);
            }
        });
        ending
    }

    fn event(&self, watcher: &mut Watcher, index: usize, frame: &[u8], now: Instant) -> Option<Ending> {
        let seen = self.check.borrow_mut().look(frame);
        self.events.set(self.events.get() + 1);
        if !watcher.initial && !matches!(seen.kind, Type::Error | Type::Unknown) {
            self.judge_order(watcher, index, &seen);
        }
        match seen.kind {
            Type::Error if seen.code == StatusCode::GONE.as_u16() => return Some(Ending::Gone),
            Type::Error => return Some(Ending::Error),
            Type::Unknown => {
                let length = frame.len();
                let what = if frame.starts_with(GZIP) { "gzip, which nobody asked for," } else { "no event" };
                self.breach(Rule::Malformed, || {
                    format!("watch {index} had a line that is {what} ({length} bytes)")
                });
                return None;
            }
            Type::Bookmark if seen.initial_end => self.synced(watcher, index, &seen.version, now),
            Type::Added | Type::Modified | Type::Deleted if self.is_invalid(watcher, index, &seen, frame) => {
            }
            Type::Added | Type::Modified | Type::Deleted if self.is_before_watch(watcher, index, &seen) => {
                return None;
            }
            Type::Added | Type::Modified => self.object(watcher, index, (&seen, frame), now),
            // A deleted object still has the stamp of the last write to it.
            Type::Bookmark | Type::Deleted => {}
        }
        watcher.just_listed = false;
        if !watcher.initial {
            watcher.version.clear();
            watcher.version.push_str(&seen.version);
        }
        None
    }

    /// Counts an event whose type or object is not that of the write. Such an event delivers no write.
    fn is_invalid(&self, watcher: &Watcher, index: usize, seen: &ScannedEvent<'_>, frame: &[u8]) -> bool {
        let written = seen.stamp.and_then(|stamp| self.written_object(stamp, seen.trace));
        let collection = self.collections.get(watcher.route);
        let mismatch = collection.and_then(|collection| collection.mismatch(seen, frame, written));
        let route = self.watch_pool.routes.get(watcher.route);
        let (population, padding) = route.map_or((0, 0), |route| (route.objects, route.padding));
        let is_change = written.is_some_and(|object| object < population);
        let added = is_change && !watcher.initial && seen.kind == Type::Added;
        let mismatch = mismatch.or_else(|| added.then(|| "its type is ADDED, not MODIFIED".to_owned()));
        // The run deletes no object of the population.
        let is_deletion =
            || seen.kind == Type::Deleted && seen.object(frame).is_some_and(|object| object < population);
        let mismatch = mismatch
            .or_else(|| is_deletion().then(|| "its type is DELETED: nobody deletes the object".to_owned()));
        let mismatch = mismatch.or_else(|| {
            let is_short = (frame.len() as u64) < padding && seen.object(frame).is_some();
            is_short.then(|| format!("it has {} bytes: its object has {padding} bytes of data", frame.len()))
        });
        let mismatch = mismatch.or_else(|| {
            let is_changed = seen.head.as_ref().is_some_and(|head| head.padding < padding);
            (is_changed && seen.object(frame).is_some())
                .then(|| "it lacks the data that its object was written with".to_owned())
        });
        let Some(mismatch) = mismatch else {
            self.judge_uid(index, seen);
            return false;
        };
        self.breach(Rule::InvalidEvent, || {
            format!("watch {index} had an event that does not fit: {mismatch}")
        });
        true
    }

    /// Counts an event of an object with another UID than before, if the event was parsed.
    fn judge_uid(&self, index: usize, seen: &ScannedEvent<'_>) {
        let Some((object, uid)) = seen.head.as_ref().and_then(ObjectHead::identity) else { return };
        if let Some(before) = self.stamps.uids.replaced(object, uid) {
            let name = name(object);
            self.breach(Rule::Replaced, || {
                format!("watch {index} had an event of {name} with UID {uid:?}, which had {before:?} before")
            });
        }
    }

    /// The object of a write; `None` if no worker of the run has issued it.
    fn written_object(&self, stamp: Stamp, trace: Option<Trace>) -> Option<u32> {
        if self.stamps.knows(stamp) {
            return self.stamps.object(stamp.sequence);
        }
        self.stamps.other(stamp.worker).and(trace).map(|trace| trace.object)
    }

    /// Counts an event that is not later than the version at which the watch was opened.
    fn is_before_watch(&self, watcher: &Watcher, index: usize, seen: &ScannedEvent<'_>) -> bool {
        let Some(opened_at) = watcher.opened_at else { return false };
        let is_before = seen.version.parse().is_ok_and(|version: u64| version <= opened_at);
        if is_before {
            let version = &seen.version;
            self.breach(Rule::Repeated, || {
                format!("watch {index} from version {opened_at} had an event of version {version}")
            });
        }
        is_before
    }

    /// Counts an event or a bookmark that is older than one before it, and a change that has the version of the one before it:
    /// a watch has the changes of all objects in their order, each once.
    fn judge_order(&self, watcher: &mut Watcher, index: usize, seen: &ScannedEvent<'_>) {
        let Ok(version) = seen.version.parse::<u64>() else { return };
        let latest = watcher.latest;
        // Elsewhere judged: a change that is not later than the version of the watch, and a repeated write of the run.
        let is_repeated = seen.kind != Type::Bookmark && watcher.opened_at >= Some(version);
        let is_write = seen.stamp.is_some() && seen.kind != Type::Deleted;
        if version == latest && seen.kind != Type::Bookmark && !is_repeated && !is_write {
            self.breach(Rule::Repeated, || {
                format!("watch {index} had an event of version {version} behind an event or a bookmark of that version")
            });
        }
        if version < latest && !is_repeated {
            self.breach(Rule::Reordered, || {
                format!("watch {index} had an event of version {version} behind one of version {latest}")
            });
        }
        watcher.latest = latest.max(version);
    }

    fn synced(&self, watcher: &mut Watcher, index: usize, version: &str, now: Instant) {
        self.recorder.record_micros(self.series.synced, between(watcher.sent, now));
        if watcher.unsynced_since.take().is_some() {
            self.account.borrow_mut().restarts.synced += 1;
        }
        if std::mem::take(&mut watcher.initial) {
            // What follows is later.
            watcher.opened_at = version.parse().ok();
            watcher.latest = watcher.opened_at.unwrap_or(0);
            let subject = ("the bookmark after the initial events of watch", index);
            self.compare_version(subject, version, watcher.not_older_than.max(watcher.newest));
            if version.is_empty() {
                let example =
                    || format!("the bookmark after the initial events of watch {index} has no version");
                self.breach(Rule::InvalidEvent, example);
            }
            self.compare_initial_objects(watcher, index);
            let settled_below = watcher.settled_below;
            self.track_anew(watcher, settled_below, now);
        }
    }

    fn object(
        &self,
        watcher: &mut Watcher,
        index: usize,
        (seen, frame): (&ScannedEvent<'_>, &[u8]),
        now: Instant,
    ) {
        if watcher.initial {
            if std::mem::take(&mut watcher.silent) {
                self.recorder.record_micros(self.series.first_event, between(watcher.sent, now));
            }
            watcher.newest = watcher.newest.max(seen.version.parse().unwrap_or(0));
            if seen.kind == Type::Added {
                self.add_initial_object(watcher, index, seen, frame);
            }
        } else if let Some(stamp) = seen.stamp {
            self.write(watcher, index, (stamp, seen), now);
        }
    }

    /// A write of this worker, or of another one.
    fn write(
        &self,
        watcher: &mut Watcher,
        index: usize,
        (stamp, seen): (Stamp, &ScannedEvent<'_>),
        now: Instant,
    ) {
        // Another program, or an apply of this one, has changed the object: it still shows the last stamped write.
        let is_other_change =
            |arrival, last: &str| arrival == Arrival::Repeated && is_later(&seen.version, last);
        if self.stamps.knows(stamp) {
            let arrival = watcher.delivery_tracker.arrive(stamp.sequence, &*self.stamps);
            if is_other_change(arrival, &watcher.version) {
                return;
            }
            let is_measured = stamp.sequence >= self.stamps.measured_from();
            if self.arrived(index, stamp, arrival, is_measured) {
                self.lags(stamp, now);
            }
        } else if let Some((writer, trace)) = self.stamps.other(stamp.worker).zip(seen.trace) {
            writer.note(trace, self.stamps.micros(now));
            let delivery_tracker = &mut watcher.of_workers[usize::from(stamp.worker)];
            let arrival = delivery_tracker.arrive_after(stamp.sequence, trace.before, writer);
            if is_other_change(arrival, &watcher.version) {
                return;
            }
            if self.arrived(index, stamp, arrival, trace.late.is_some()) {
                self.lags_of_other(writer, trace, now);
            }
        }
    }

    /// Counts an arrival; returns whether its lag is measured.
    fn arrived(&self, index: usize, stamp: Stamp, arrival: Arrival, is_measured: bool) -> bool {
        if arrival != Arrival::Repeated {
            self.count_delivered();
        }
        if is_measured {
            let deliveries = &mut self.account.borrow_mut().deliveries;
            deliveries.repeated += u64::from(arrival == Arrival::Repeated);
            deliveries.reordered += u64::from(arrival == Arrival::Reordered);
            deliveries.delivered += u64::from(arrival != Arrival::Repeated);
        }
        if arrival == Arrival::Repeated {
            self.breach(Rule::Repeated, || {
                format!("watch {index} had write {} more than once", stamp.text())
            });
        }
        if arrival == Arrival::Reordered {
            self.breach(Rule::Reordered, || {
                format!("watch {index} had write {} behind a later one to the object", stamp.text())
            });
        }
        is_measured && arrival != Arrival::Repeated
    }

    /// The acknowledgement of another worker's write is not known yet.
    fn lags_of_other(&self, writer: &OtherWriter, trace: Trace, now: Instant) {
        let Some([since_intended, since_sent]) = writer.lags(trace, self.stamps.micros(now)) else { return };
        let [intended, sent, _] = self.series.lags;
        self.recorder.record_bounds(intended, since_intended);
        self.recorder.record_bounds(sent, since_sent);
    }

    fn lags(&self, stamp: Stamp, now: Instant) {
        let Some(lags) = self.stamps.lags(stamp.sequence, self.stamps.micros(now)) else { return };
        let [intended, sent, acknowledged] = self.series.lags;
        self.recorder.record_micros(intended, lags.intended);
        self.recorder.record_micros(sent, lags.sent);
        self.recorder.record_signed(acknowledged, lags.acknowledged);
    }
}

/// Whether the version of an event is later than that of the event before it; opaque ones are at least different.
fn is_later(version: &str, last: &str) -> bool {
    match (version.parse::<u64>(), last.parse::<u64>()) {
        (Ok(version), Ok(last)) => version > last,
        _ => version != last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_version_is_another_change() {
        assert!(is_later("10", "9") && is_later("b", "a") && is_later("1", ""));
        assert!(!is_later("9", "9") && !is_later("9", "10") && !is_later("a", "a"));
    }
}
