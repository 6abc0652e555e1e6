//! The sequence and the instants of every write: intended, sent and acknowledged.
//!
//! A write carries its number in an annotation; a watch that receives the number looks the instants up here. They are
//! monotonic and of this process, without the clock of another machine. Reading takes no lock: many watches read the
//! instants of a few writers. In a run with several workers a stamp also has a [`Trace`] for the watches of the others.

mod others;
mod trace;
mod write_log;

pub(crate) use others::OtherWriter;
pub use trace::Trace;
pub(crate) use write_log::{LoggedWrite, WriteLog};

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use harness::stream::{Numbered, Settled};

use crate::share::Share;

/// The annotation with the stamp of a write.
pub const ANNOTATION: &str = "kube-assay/stamp";

/// The number of slots in a segment.
const SEGMENT: usize = 4096;

/// The maximum number of segments: 67 million writes.
const SEGMENTS: usize = 16 << 10;

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
    shared: Option<Shared>,
}

/// The part of a run with several workers.
struct Shared {
    /// The clock of this worker at the epoch, in microseconds since 1970.
    clock: u64,
    /// The writes of each worker; those of this one stay empty here.
    workers: Box<[OtherWriter]>,
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

fn number(digits: &[u8]) -> Option<u32> {
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
            shared: None,
        }
    }

    /// The writes of one of several workers, whose clock shows `clock` at an instant, in microseconds since 1970.
    pub(crate) fn shared(share: Share, objects: usize, (epoch, clock): (Instant, u64)) -> Self {
        let worker = u16::try_from(share.index).unwrap_or(u16::MAX);
        let stamps = Self::new(worker, objects);
        if !share.is_divided() {
            return stamps;
        }
        let workers = (0..share.of).map(|_| OtherWriter::new(clock)).collect();
        Self { epoch, shared: Some(Shared { clock, workers }), ..stamps }
    }

    /// The text of a stamp in an object, of a write that is sent at an instant.
    pub fn text(&self, stamp: Stamp, at: Instant) -> String {
        let (Some(shared), Some(slot)) = (&self.shared, self.slot(stamp.sequence)) else {
            return stamp.text();
        };
        let sent = self.micros(at);
        let late = sent.saturating_sub(slot.intended.load(Relaxed));
        let trace = Trace {
            before: slot.before.load(Relaxed).checked_sub(1),
            sent: (stamp.sequence >= self.measured_from()).then_some(shared.clock + sent),
            late: u32::try_from(late).unwrap_or(u32::MAX),
        };
        stamp.text() + &trace.text()
    }

    /// The number of workers of the run; 0 if this one is alone.
    pub(crate) fn writers(&self) -> usize {
        self.shared.as_ref().map_or(0, |shared| shared.workers.len())
    }

    /// The writes of another worker.
    pub(crate) fn other(&self, worker: u16) -> Option<&OtherWriter> {
        let shared = self.shared.as_ref().filter(|_| worker != self.worker)?;
        shared.workers.get(usize::from(worker))
    }

    /// The writes of all other workers, by their index.
    pub(crate) fn others(&self) -> impl Iterator<Item = (u16, &OtherWriter)> {
        let workers = (0..).zip(self.shared.iter().flat_map(|shared| &shared.workers));
        workers.filter(|(worker, _)| *worker != self.worker)
    }

    /// Sets the bounds of this worker's clock minus that of another, in microseconds.
    pub(crate) fn set_ahead(&self, worker: u16, bounds: (i64, i64)) {
        self.other(worker).into_iter().for_each(|other| other.set_ahead(bounds));
    }

    /// Takes the log of another worker; its error is the reason why it cannot be read.
    pub(crate) fn take_log(&self, worker: u16, log: &WriteLog) -> Result<(), String> {
        self.other(worker).map_or(Ok(()), |other| other.take(log).map_err(|why| why.to_string()))
    }

    /// The writes so far, for the other workers.
    pub(crate) fn log(&self) -> WriteLog {
        let clock = self.shared.as_ref().map_or(0, |shared| shared.clock);
        let write = |sequence| LoggedWrite {
            sent: clock + self.sent_at(sequence),
            settled: match self.settled(sequence) {
                Settled::Acknowledged(at) => Settled::Acknowledged(clock + at),
                other => other,
            },
        };
        let writes: Vec<LoggedWrite> = (0..self.issued()).map(write).collect();
        WriteLog::pack(self.measured_from(), &writes)
    }

    /// The number of acknowledged writes of all workers, as far as this one knows them.
    pub(crate) fn writes_of_all(&self) -> u64 {
        self.writes() + self.others().map(|(_, other)| other.writes()).sum::<u64>()
    }

    /// The stamp of the next write to an object; `None` at the maximum number of writes.
    ///
    /// Writes to one object must not overlap: issue the next one after the end of the last.
    pub fn issue(&self, object: usize, intended: Instant) -> Option<Stamp> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let sequence = self.issued.load(Relaxed);
        let segment = self.segments.get(sequence as usize / SEGMENT)?;
        let slots = segment.get_or_init(|| (0..SEGMENT).map(|_| Slot::default()).collect());
        slots[sequence as usize % SEGMENT].intended.store(self.micros(intended), Relaxed);
        if let Some(place) = last.get_mut(object)
            && let Some(previous) = place.replace(sequence)
            && let Some(before) = self.slot(previous)
        {
            before.after.store(sequence, Relaxed);
            slots[sequence as usize % SEGMENT].before.store(previous + 1, Relaxed);
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
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_read_back_and_nothing_else_is() {
        let stamp = Stamp { worker: 3, sequence: 4_000_000_000 };
        assert_eq!(Stamp::read(stamp.text().as_bytes()), Some(stamp));
        for text in ["", ".", "1.", ".1", "1", "1.x", "70000.1", "1.99999999999", "-1.2"] {
            assert_eq!(Stamp::read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_write_has_three_lags_and_one_may_be_negative() {
        let stamps = Stamps::new(0, 1);
        let at = |ms: u64| stamps.epoch + Duration::from_millis(ms);
        let stamp = stamps.issue(0, at(10)).unwrap();
        stamps.sent(stamp, at(12));
        let arrived = stamps.micros(at(15));
        assert_eq!(stamps.lags(0, arrived).unwrap().acknowledged, -1, "not acknowledged yet");
        stamps.acknowledged(stamp, at(16));
        let lags = stamps.lags(0, arrived).unwrap();
        assert_eq!(lags, Lags { intended: 5_000, sent: 3_000, acknowledged: -1_000 });
        assert_eq!(stamps.lags(1, arrived), None);
    }

    #[test]
    fn the_stamp_of_one_of_several_workers_has_a_trace() {
        let share = Share { index: 2, of: 3 };
        let stamps = Stamps::shared(share, 9, (Instant::now(), 1_000_000));
        stamps.warm_up();
        let early = stamps.issue(2, stamps.epoch).unwrap();
        assert_eq!(stamps.text(early, stamps.epoch), "2.0.-.-.0");
        stamps.measure_from_now();
        let stamp = stamps.issue(2, stamps.epoch).unwrap();
        let text = stamps.text(stamp, stamps.epoch + Duration::from_micros(30));
        assert_eq!((&*text, Stamp::read(text.as_bytes())), ("2.1.0.1000031.30", Some(stamp)));
        assert!(stamps.other(2).is_none() && stamps.other(3).is_none() && stamps.other(1).is_some());
        let alone = Stamps::shared(Share::WHOLE, 9, (Instant::now(), 1_000_000));
        let stamp = alone.issue(0, alone.epoch).unwrap();
        assert_eq!((alone.text(stamp, alone.epoch), alone.writers()), ("0.0".to_owned(), 0));
    }

    #[test]
    fn writes_to_one_object_know_their_order() {
        let stamps = Stamps::new(0, 2);
        for object in [0, 1, 0, 7] {
            stamps.issue(object, stamps.epoch).unwrap();
        }
        assert_eq!([0, 1, 2, 3].map(|sequence| stamps.after(sequence)), [Some(2), None, None, None]);
    }

    #[test]
    fn what_is_settled_grows_without_gaps() {
        let stamps = Stamps::new(0, 1);
        let all: Vec<Stamp> = (0..3).map(|_| stamps.issue(0, stamps.epoch).unwrap()).collect();
        stamps.failed(all[1]);
        assert_eq!(stamps.settled_below(), 0);
        stamps.acknowledged(all[0], stamps.epoch);
        assert_eq!((stamps.settled_below(), stamps.writes()), (2, 1));
        assert!(stamps.knows(all[2]) && !stamps.knows(Stamp { worker: 0, sequence: 3 }));
    }

    #[test]
    fn there_is_room_for_many() {
        let stamps = Stamps::new(0, 1);
        let last = (0..10_000).filter_map(|_| stamps.issue(0, stamps.epoch)).last();
        assert_eq!(last, Some(Stamp { worker: 0, sequence: 9_999 }));
        assert_eq!(stamps.after(9_998), Some(9_999));
    }
}
