//! The writes of one worker in a run with several: stamps for the others, and what it knows of theirs.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use harness::stream::{Numbered, Settled};

use super::others::OtherWriter;
use super::trace::Trace;
use super::write_log::{LoggedWrite, WriteLog};
use super::{Stamp, Stamps};
use crate::share::Share;

/// The part of a run with several workers.
pub(super) struct Shared {
    /// The clock of this worker at the epoch, in microseconds since 1970.
    clock: u64,
    /// The writes of each worker; those of this one stay empty here.
    workers: Box<[OtherWriter]>,
    /// The maximum number of writes of a worker.
    most: u32,
}

impl Stamps {
    /// The writes of one of several workers, each with at most `most` of them; its clock shows `clock` at an instant, in
    /// microseconds since 1970.
    pub(crate) fn shared(share: Share, objects: usize, most: u32, (epoch, clock): (Instant, u64)) -> Self {
        let worker = u16::try_from(share.index).unwrap_or(u16::MAX);
        let stamps = Self::new(worker, objects);
        if !share.is_divided() {
            return stamps;
        }
        let workers = (0..share.of).map(|_| OtherWriter::new(clock)).collect();
        Self { epoch, shared: Some(Shared { clock, workers, most }), ..stamps }
    }

    /// The text of a stamp in an object, of a write that is sent at an instant.
    pub fn text(&self, stamp: Stamp, at: Instant) -> String {
        let (Some(shared), Some(slot)) = (&self.shared, self.slot(stamp.sequence)) else {
            return stamp.text();
        };
        let sent = self.micros(at);
        let late = sent.saturating_sub(slot.intended.load(Relaxed));
        let trace = Trace {
            object: slot.object.load(Relaxed),
            before: slot.before.load(Relaxed).checked_sub(1),
            sent: shared.clock + sent,
            late: (stamp.sequence >= self.measured_from()).then_some(u32::try_from(late).unwrap_or(u32::MAX)),
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
        let most = self.shared.as_ref().map_or(0, |shared| shared.most);
        let taken = self.other(worker).map_or(Ok(()), |other| other.take(log, most));
        taken.map_err(|why| format!("failed to read the write log of worker {worker}: {why}"))
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
}
