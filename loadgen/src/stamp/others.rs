//! The writes of the other workers of a run, as far as this one knows them.
//!
//! Until the log of a worker arrives, its writes count as open. Its instants are on its own clock; the difference of the
//! clocks has bounds, and so has every lag. Without bounds a lag can be anything.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use harness::stream::{Numbered, Settled};

use super::trace::Trace;
use super::write_log::{BadLog, LoggedWrite, WriteLog};

/// No clock differs by more: a century, in microseconds.
const UNBOUNDED: i64 = 100 * 365 * 24 * 3600 * 1_000_000;

/// The writes of another worker.
pub(crate) struct OtherWriter {
    /// This worker's clock at the epoch of its stamps, in microseconds since 1970.
    epoch: u64,
    /// The bounds of this worker's clock minus the other's, in microseconds.
    ahead: (AtomicI64, AtomicI64),
    /// The least time from a stamp of the other's clock to its arrival on this worker's since the last look.
    passed: AtomicI64,
    log: OnceLock<Log>,
}

struct Log {
    measured_from: u32,
    writes: Vec<LoggedWrite>,
}

impl OtherWriter {
    pub(super) fn new(epoch: u64) -> Self {
        let ahead = (AtomicI64::new(-UNBOUNDED), AtomicI64::new(UNBOUNDED));
        Self { epoch, ahead, passed: AtomicI64::new(i64::MAX), log: OnceLock::new() }
    }

    /// Sets the bounds of this worker's clock minus the other's.
    pub(super) fn set_ahead(&self, (least, most): (i64, i64)) {
        self.ahead.0.store(least.max(-UNBOUNDED), Relaxed);
        self.ahead.1.store(most.min(UNBOUNDED), Relaxed);
    }

    /// Notes the arrival of a write at an instant of this worker: it bounds the difference of the clocks.
    pub(crate) fn note(&self, trace: Trace, arrived: u64) {
        let passed = self.passed(trace.sent, arrived);
        // Most arrivals are no news: they only read.
        if passed < self.passed.load(Relaxed) {
            self.passed.fetch_min(passed, Relaxed);
        }
    }

    /// An upper bound of this worker's clock minus the other's, from the arrivals since the last call: no write arrives
    /// before it is sent.
    pub(crate) fn take_bound(&self) -> Option<i64> {
        Some(self.passed.swap(i64::MAX, Relaxed)).filter(|passed| *passed < i64::MAX)
    }

    /// Takes the log of the other worker, with at most this number of writes.
    pub(super) fn take(&self, log: &WriteLog, most: u32) -> Result<(), BadLog> {
        let writes = log.unpack(most)?;
        let _ = self.log.set(Log { measured_from: log.measured_from, writes });
        Ok(())
    }

    /// The number of the first measured write; none is measured before the log arrives.
    pub(crate) fn measured_from(&self) -> u32 {
        self.log.get().map_or(u32::MAX, |log| log.measured_from)
    }

    /// The number of acknowledged writes.
    pub(crate) fn writes(&self) -> u64 {
        let writes = self.log.get().into_iter().flat_map(|log| &log.writes);
        writes.filter(|write| matches!(write.settled, Settled::Acknowledged(_))).count() as u64
    }

    /// The bounds of the time from an instant of the other worker, in microseconds since 1970, to one of this worker,
    /// since its epoch.
    pub(crate) fn since(&self, theirs: u64, own: u64) -> (u64, u64) {
        let passed = self.passed(theirs, own);
        let bound =
            |ahead: &AtomicI64| u64::try_from(passed.saturating_sub(ahead.load(Relaxed))).unwrap_or(0);
        (bound(&self.ahead.1), bound(&self.ahead.0))
    }

    /// The bounds of the lags of a write that arrived at an instant of this worker: since its intended start, and since
    /// it was sent. `None` if it is not measured.
    pub(crate) fn lags(&self, trace: Trace, arrived: u64) -> Option<[(u64, u64); 2]> {
        let intended = trace.sent.saturating_sub(trace.late?.into());
        Some([intended, trace.sent].map(|instant| self.since(instant, arrived)))
    }

    fn passed(&self, theirs: u64, own: u64) -> i64 {
        self.epoch.saturating_add(own).cast_signed().saturating_sub(theirs.cast_signed())
    }

    /// The least age of a write that has not arrived at an instant of this worker; `None` if the log has no instant of it.
    pub(crate) fn age(&self, sequence: u32, now: u64) -> Option<u64> {
        let LoggedWrite { sent, settled } = self.write(sequence)?;
        let instant = match settled {
            _ if sent > 0 => sent,
            Settled::Acknowledged(at) => at,
            _ => return None,
        };
        Some(self.since(instant, now).0)
    }

    fn write(&self, sequence: u32) -> Option<LoggedWrite> {
        self.log.get()?.writes.get(sequence as usize).copied()
    }

    /// An instant of the other worker on this worker's scale: the earliest possible. It moves all instants alike, so
    /// their order is the true one.
    fn earliest(&self, theirs: u64) -> u64 {
        let own = theirs.cast_signed().saturating_add(self.ahead.0.load(Relaxed));
        u64::try_from(own.saturating_sub(self.epoch.cast_signed())).unwrap_or(0).max(1)
    }
}

impl Numbered for OtherWriter {
    fn issued(&self) -> u32 {
        self.log.get().map_or(0, |log| u32::try_from(log.writes.len()).unwrap_or(u32::MAX))
    }

    fn after(&self, _sequence: u32) -> Option<u32> {
        None
    }

    fn sent_at(&self, sequence: u32) -> u64 {
        self.write(sequence).map_or(0, |write| self.earliest(write.sent))
    }

    fn settled(&self, sequence: u32) -> Settled {
        match self.write(sequence).map(|write| write.settled) {
            Some(Settled::Acknowledged(at)) => Settled::Acknowledged(self.earliest(at)),
            other => other.unwrap_or(Settled::Open),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lag_has_the_bounds_of_the_clocks() {
        let other = OtherWriter::new(1_000_000);
        let trace = Trace { object: 0, before: None, sent: 1_000_500, late: Some(100) };
        let [_, (least, most)] = other.lags(trace, 2_500).unwrap();
        assert!(least == 0 && most > 1_000_000_000_000, "nothing is known");
        // This clock is 300 to 500 microseconds behind.
        other.set_ahead((-500, -300));
        assert_eq!(other.lags(trace, 2_500), Some([(2_400, 2_600), (2_300, 2_500)]));
        assert_eq!(other.since(1_005_000, 2_500).0, 0, "nothing arrives before it is sent");
        assert_eq!(other.lags(Trace { late: None, ..trace }, 2_500), None);
        for arrived in [2_500, 1_700, 1_900] {
            other.note(trace, arrived);
        }
        assert_eq!((other.take_bound(), other.take_bound()), (Some(1_200), None));
    }

    #[test]
    fn writes_are_open_until_the_log_arrives() {
        let other = OtherWriter::new(1_000_000);
        other.set_ahead((0, 0));
        assert_eq!((other.issued(), other.settled(0), other.writes()), (0, Settled::Open, 0));
        let write = |sent, settled| LoggedWrite { sent, settled };
        let writes = [write(1_000_010, Settled::Acknowledged(1_000_020)), write(1_000_030, Settled::Failed)];
        other.take(&WriteLog::pack(1, &writes), 2).unwrap();
        assert_eq!((other.issued(), other.writes(), other.measured_from()), (2, 1, 1));
        assert_eq!((other.sent_at(0), other.settled(0)), (10, Settled::Acknowledged(20)));
        assert_eq!((other.settled(1), other.age(0, 100)), (Settled::Failed, Some(90)));

        let early = OtherWriter::new(1_000_000);
        early.set_ahead((0, 0));
        let writes = [write(0, Settled::Acknowledged(1_000_020)), write(0, Settled::Unknown)];
        early.take(&WriteLog::pack(0, &writes), 2).unwrap();
        assert_eq!((early.age(0, 100), early.age(1, 100)), (Some(80), None), "no instant is known");
    }
}
