//! The sequence and the instants of every write: intended, sent and acknowledged; and the versions of those acknowledged.
//!
//! A write carries its number in an annotation; a watch that receives the number looks the instants up here. They are
//! monotonic and of this process, without the clock of another machine. Reading takes no lock: many watches read the
//! instants of a few writers. In a run with several workers a stamp also has a [`Trace`] for the watches of the others.

mod others;
mod shared;
mod trace;
mod uids;
mod versions;
mod write_log;

pub(crate) use others::OtherWriter;
use shared::Shared;
pub use trace::Trace;
use uids::Uids;
pub(crate) use versions::AcknowledgedVersions;
pub(crate) use write_log::WriteLog;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use harness::stream::{Numbered, Settled};

/// The annotation with the stamp of a write.
pub const ANNOTATION: &str = "kube-assay/stamp";

/// The number of slots in a segment.
const SEGMENT: usize = 4096;

/// The maximum number of segments: 67 million writes.
const SEGMENTS: usize = 16 << 10;

/// The maximum number of writes of one generator.
pub(crate) const MOST_WRITES: usize = SEGMENTS * SEGMENT;

const UNKNOWN: u64 = u64::MAX;
const FAILED: u64 = u64::MAX - 1;

/// A write, as named in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The generator.
    pub worker: u16,
    /// The number of the write, from 0.
    pub sequence: u32,
}

/// All writes of one generator that one watch pool expects.
pub struct Stamps {
    worker: u16,
    epoch: Instant,
    issued: AtomicU32,
    /// Every write below this number has ended.
    settled: AtomicU32,
    /// No write below this number is measured.
    measured: AtomicU32,
    segments: Box<[OnceLock<Box<[Slot]>>]>,
    /// The last write to each object: watches must see the writes to one object in order.
    last: Mutex<Vec<Option<u32>>>,
    pub(crate) versions: AcknowledgedVersions,
    pub(crate) uids: Uids,
    shared: Option<Shared>,
}

/// Microseconds since the epoch; 0 for an instant that has not happened.
#[derive(Default)]
struct Slot {
    intended: AtomicU64,
    sent: AtomicU64,
    acknowledged: AtomicU64,
    /// The next write to the same object.
    after: AtomicU32,
    /// The write before it to the same object, plus one.
    before: AtomicU32,
    /// The index of the object.
    object: AtomicU32,
}

/// The delivery lag of a write, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lags {
    /// Since its intended start.
    pub intended: u64,
    /// Since it was sent.
    pub sent: u64,
    /// Since the server's acknowledgement; negative before it.
    pub acknowledged: i64,
}

impl Stamp {
    /// The text in an object.
    pub fn text(self) -> String {
        format!("{}.{}", self.worker, self.sequence)
    }

    /// Reads the text in an object; `None` if it is no stamp.
    pub fn read(text: &[u8]) -> Option<Self> {
        let dot = memchr::memchr(b'.', text)?;
        let worker = u16::try_from(number(&text[..dot])?).ok()?;
        let rest = &text[dot + 1..];
        let end = memchr::memchr(b'.', rest).unwrap_or(rest.len());
        Some(Self { worker, sequence: number(&rest[..end])? })
    }
}

/// Reads a number without a sign.
pub(crate) fn number(digits: &[u8]) -> Option<u32> {
    let value = |sum: u32, digit: &u8| {
        let digit = digit.is_ascii_digit().then(|| u32::from(digit - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    };
    (!digits.is_empty()).then(|| digits.iter().try_fold(0, value))?
}

impl Stamps {
    /// No write yet, to this number of objects.
    pub fn new(worker: u16, objects: usize) -> Self {
        Self {
            worker,
            epoch: Instant::now(),
            issued: AtomicU32::new(0),
            settled: AtomicU32::new(0),
            measured: AtomicU32::new(0),
            segments: (0..SEGMENTS).map(|_| OnceLock::new()).collect(),
            last: Mutex::new(vec![None; objects]),
            versions: AcknowledgedVersions::new(objects),
            uids: Uids::default(),
            shared: None,
        }
    }

    /// The stamp of the next write to an object; `None` at the maximum number of writes.
    ///
    /// Writes to one object must not overlap: issue the next one after the end of the last.
    pub fn issue(&self, object: usize, intended: Instant) -> Option<Stamp> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let sequence = self.issued.load(Relaxed);
        let segment = self.segments.get(sequence as usize / SEGMENT)?;
        let slots = segment.get_or_init(|| (0..SEGMENT).map(|_| Slot::default()).collect());
        let slot = &slots[sequence as usize % SEGMENT];
        slot.intended.store(self.micros(intended), Relaxed);
        slot.object.store(u32::try_from(object).unwrap_or(u32::MAX), Relaxed);
        if let Some(place) = last.get_mut(object)
            && let Some(previous) = place.replace(sequence)
            && let Some(before) = self.slot(previous)
        {
            before.after.store(sequence, Relaxed);
            // The server may carry a write without a response out later: it has no order.
            if self.settled(previous) != Settled::Unknown {
                slot.before.store(previous + 1, Relaxed);
            }
        }
        self.issued.store(sequence + 1, std::sync::atomic::Ordering::Release);
        Some(Stamp { worker: self.worker, sequence })
    }

    /// Records the sending of a write.
    pub fn sent(&self, stamp: Stamp, at: Instant) {
        if let Some(slot) = self.slot(stamp.sequence) {
            slot.sent.store(self.micros(at), Relaxed);
        }
    }

    /// Records the acknowledgement of a write.
    pub fn acknowledged(&self, stamp: Stamp, at: Instant) {
        self.settle(stamp, self.micros(at));
    }

    /// Records that the server rejected a write.
    pub fn failed(&self, stamp: Stamp) {
        self.settle(stamp, FAILED);
    }

    /// Records that a write has an unknown outcome.
    pub fn lost_sight(&self, stamp: Stamp) {
        self.settle(stamp, UNKNOWN);
    }

    fn settle(&self, stamp: Stamp, how: u64) {
        if let Some(slot) = self.slot(stamp.sequence) {
            slot.acknowledged.store(how, Relaxed);
        }
    }

    /// Whether this generator issued a stamp.
    pub fn knows(&self, stamp: Stamp) -> bool {
        stamp.worker == self.worker && stamp.sequence < self.issued()
    }

    /// The index of the object of a write.
    pub fn object(&self, sequence: u32) -> Option<u32> {
        self.slot(sequence).map(|slot| slot.object.load(Relaxed))
    }

    /// No write is measured until [`Stamps::measure_from_now`].
    pub fn warm_up(&self) {
        self.measured.store(u32::MAX, Relaxed);
    }

    /// Ends the warm-up: later writes are measured.
    pub fn measure_from_now(&self) {
        self.measured.store(self.issued(), Relaxed);
    }

    /// The number of the first measured write.
    pub fn measured_from(&self) -> u32 {
        self.measured.load(Relaxed)
    }

    /// The last write to an object; `None` unless the server acknowledged it.
    pub fn last_acknowledged(&self, object: usize) -> Option<Stamp> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let sequence = (*last.get(object)?)?;
        let is_acknowledged = matches!(self.settled(sequence), Settled::Acknowledged(_));
        is_acknowledged.then_some(Stamp { worker: self.worker, sequence })
    }

    /// Whether this generator issued a write and has no acknowledgement of it.
    pub fn is_unacknowledged(&self, stamp: Stamp) -> bool {
        self.knows(stamp) && !matches!(self.settled(stamp.sequence), Settled::Acknowledged(_))
    }

    /// The number of acknowledged writes.
    pub fn writes(&self) -> u64 {
        let settled = (0..self.issued()).map(|sequence| self.settled(sequence));
        settled.filter(|settled| matches!(settled, Settled::Acknowledged(_))).count() as u64
    }

    /// Every write below this number has ended.
    pub fn settled_below(&self) -> u32 {
        let mut below = self.settled.load(Relaxed);
        while below < self.issued() && self.settled(below) != Settled::Open {
            below += 1;
        }
        self.settled.fetch_max(below, Relaxed).max(below)
    }

    /// The lag of a write that arrived at this instant; `None` if it was never issued.
    pub fn lags(&self, sequence: u32, arrived: u64) -> Option<Lags> {
        let slot = self.slot(sequence).filter(|_| sequence < self.issued())?;
        let since = |instant: &AtomicU64| arrived.saturating_sub(instant.load(Relaxed));
        let acknowledged = match self.settled(sequence) {
            Settled::Acknowledged(at) => i64::try_from(arrived).unwrap_or(0) - i64::try_from(at).unwrap_or(0),
            _ => -1,
        };
        Some(Lags { intended: since(&slot.intended), sent: since(&slot.sent), acknowledged })
    }

    /// An instant in microseconds since the epoch, never 0.
    pub fn micros(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.epoch) + Duration::from_micros(1);
        u64::try_from(since.as_micros()).unwrap_or(FAILED - 1)
    }

    fn slot(&self, sequence: u32) -> Option<&Slot> {
        let segment = self.segments.get(sequence as usize / SEGMENT)?.get()?;
        segment.get(sequence as usize % SEGMENT)
    }
}

impl Numbered for Stamps {
    fn issued(&self) -> u32 {
        self.issued.load(std::sync::atomic::Ordering::Acquire)
    }

    fn after(&self, sequence: u32) -> Option<u32> {
        self.slot(sequence).map(|slot| slot.after.load(Relaxed)).filter(|after| *after > 0)
    }

    fn sent_at(&self, sequence: u32) -> u64 {
        self.slot(sequence).map_or(0, |slot| slot.sent.load(Relaxed))
    }

    fn settled(&self, sequence: u32) -> Settled {
        let end = self.slot(sequence).map_or(0, |slot| slot.acknowledged.load(Relaxed));
        match end {
            0 => Settled::Open,
            FAILED => Settled::Failed,
            UNKNOWN => Settled::Unknown,
            at => Settled::Acknowledged(at),
        }
    }
}

#[cfg(test)]
mod tests;
