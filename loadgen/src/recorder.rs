//! What one thread measures: histograms that only it touches, handed over once a second.
//!
//! Recording is an index and an increment, without a lock and without memory that grows with the samples.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use harness::load::{ErrorClass, Series, SeriesKey};
use hdrhistogram::Histogram;

/// Three digits: no value is off by more than 0.1 %.
const DIGITS: u8 = 3;

/// What takes longer counts as this, in microseconds: half an hour.
const LONGEST: u64 = 30 * 60 * 1_000_000;

/// Which series of a recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeriesId(usize);

/// Measures for one thread. A clone is the same.
#[derive(Clone, Default)]
pub struct Recorder(Rc<RefCell<Vec<Slot>>>);

/// One series since it was last handed over.
struct Slot {
    total: Series,
    /// Made with the first value.
    values: Option<Histogram<u32>>,
}

impl Recorder {
    /// A series of this name; the same again if there is one.
    pub fn series(&self, key: SeriesKey) -> SeriesId {
        let mut slots = self.0.borrow_mut();
        let known = slots.iter().position(|slot| slot.total.key == key);
        SeriesId(known.unwrap_or_else(|| {
            slots.push(Slot { total: Series::new(key), values: None });
            slots.len() - 1
        }))
    }

    /// Something came to its end.
    pub fn record(&self, series: SeriesId, took: Duration) {
        self.record_micros(series, micros(took));
    }

    /// The same, in microseconds.
    pub fn record_micros(&self, series: SeriesId, micros: u64) {
        self.with(series, |slot| slot.record(micros));
    }

    /// The same, of what may be negative.
    pub fn record_signed(&self, series: SeriesId, micros: i64) {
        self.with(series, |slot| {
            slot.total.early += u64::from(micros < 0);
            slot.record(u64::try_from(micros).unwrap_or(0));
        });
    }

    /// Something was answered with an error.
    pub fn fail(&self, series: SeriesId, class: ErrorClass) {
        self.with(series, |slot| slot.total.fail(class));
    }

    /// Something was refused, and rightly so: it counts as an answer.
    pub fn conflict(&self, series: SeriesId, took: Duration) {
        self.with(series, |slot| {
            slot.total.conflicts += 1;
            slot.record(micros(took));
        });
    }

    /// Something was given up after a time.
    pub fn give_up(&self, series: SeriesId, class: ErrorClass, after: Duration) {
        self.with(series, |slot| slot.total.give_up(class, micros(after)));
    }

    /// Something is still under way at the end.
    pub fn pend(&self, series: SeriesId, for_now: u64) {
        self.with(series, |slot| slot.total.pend(for_now));
    }

    /// Bytes of an answer.
    pub fn bytes(&self, series: SeriesId, bytes: u64) {
        self.with(series, |slot| slot.total.bytes += bytes);
    }

    /// All that was measured since the last time.
    pub fn take(&self) -> Vec<Series> {
        self.0.borrow_mut().iter_mut().filter_map(Slot::take).collect()
    }

    fn with(&self, series: SeriesId, change: impl FnOnce(&mut Slot)) {
        if let Some(slot) = self.0.borrow_mut().get_mut(series.0) {
            change(slot);
        }
    }
}

impl Slot {
    fn record(&mut self, micros: u64) {
        let values = self.values.get_or_insert_with(|| {
            Histogram::new_with_max(LONGEST, DIGITS).expect("three digits up to half an hour are legal")
        });
        values.saturating_record(micros);
    }

    fn take(&mut self) -> Option<Series> {
        if let Some(values) = self.values.as_mut().filter(|values| !values.is_empty()) {
            self.total.count += values.len();
            self.total.histogram.fold(values);
            values.reset();
        }
        let fresh = Series::new(self.total.key.clone());
        let taken = std::mem::replace(&mut self.total, fresh);
        (taken.count > 0 || taken.bytes > 0).then_some(taken)
    }
}

/// Whole microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Microseconds from one instant to a later one.
pub fn between(from: Instant, to: Instant) -> u64 {
    micros(to.saturating_duration_since(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::load::{DurationKind, Scope};

    fn key(kind: DurationKind) -> SeriesKey {
        SeriesKey::new("GET", "configmaps", Scope::Resource, kind, "")
    }

    #[test]
    fn what_is_taken_is_what_was_recorded_since() {
        let recorder = Recorder::default();
        let latency = recorder.series(key(DurationKind::Latency));
        assert_eq!(recorder.series(key(DurationKind::Latency)), latency);
        recorder.record(latency, Duration::from_millis(5));
        recorder.fail(latency, ErrorClass::Status(429));
        recorder.give_up(latency, ErrorClass::Timeout, Duration::from_secs(3));
        recorder.pend(latency, 7);

        let taken = recorder.take();

        assert_eq!(taken.len(), 1);
        assert_eq!((taken[0].count, taken[0].failed()), (4, 2));
        assert_eq!((taken[0].histogram.len(), taken[0].censored.len()), (1, 2));
        assert_eq!(recorder.take(), []);
    }

    #[test]
    fn negative_values_are_counted_and_stand_at_nought() {
        let recorder = Recorder::default();
        let lag = recorder.series(key(DurationKind::LagAcknowledged));
        recorder.record_signed(lag, -5);
        recorder.record_signed(lag, 5);

        let taken = recorder.take().remove(0);

        assert_eq!((taken.early, taken.count, taken.histogram.max()), (1, 2, 5));
    }

    #[test]
    fn no_value_is_too_great() {
        let recorder = Recorder::default();
        let latency = recorder.series(key(DurationKind::Latency));
        recorder.record_micros(latency, u64::MAX);
        assert!(recorder.take()[0].histogram.max() > LONGEST - LONGEST / 1_000);
    }
}
