//! The measurements of one thread: histograms without locks, reported once a second.
//!
//! Recording is an index and an increment: it takes no lock, and its memory does not grow with the samples.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use harness::load::{ErrorClass, Series, SeriesKey};
use hdrhistogram::Histogram;

/// Three digits: the error of a value is at most 0.1 %.
const DIGITS: u8 = 3;

/// Half an hour, in microseconds: longer durations count as this.
const LONGEST: u64 = 30 * 60 * 1_000_000;

/// The index of a series in a recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeriesId(usize);

/// The measured time of a run, once its start is known.
#[derive(Debug, Clone, Default)]
pub struct MeasuredTime(Arc<OnceLock<Range<Instant>>>);

impl MeasuredTime {
    /// Sets it. Only the first call counts.
    pub fn set(&self, time: Range<Instant>) {
        let _ = self.0.set(time);
    }

    fn is_now(&self) -> bool {
        self.0.get().is_some_and(|time| time.contains(&Instant::now()))
    }
}

/// Records for one thread. Clones share their series.
#[derive(Clone, Default)]
pub struct Recorder {
    slots: Rc<RefCell<Vec<Slot>>>,
    /// Without it, everything belongs to the measured time.
    measured: Option<MeasuredTime>,
}

/// One series since the last report.
struct Slot {
    total: Series,
    /// Created with the first value.
    values: Option<Histogram<u32>>,
    /// The upper bounds of all values, created with the first uncertain one since the last report.
    upper: Option<Histogram<u32>>,
}

impl Recorder {
    /// Tells the attempts that end in the measured time from all others.
    pub fn of(measured: Option<MeasuredTime>) -> Self {
        Self { measured, ..Self::default() }
    }

    /// The series with this key; creates it if necessary.
    pub fn series(&self, key: SeriesKey) -> SeriesId {
        let mut slots = self.slots.borrow_mut();
        let known = slots.iter().position(|slot| slot.total.key == key);
        SeriesId(known.unwrap_or_else(|| {
            slots.push(Slot { total: Series::new(key), values: None, upper: None });
            slots.len() - 1
        }))
    }

    /// Records a finished operation.
    pub fn record(&self, series: SeriesId, took: Duration) {
        self.record_micros(series, micros(took));
    }

    /// Records a finished operation, in microseconds.
    pub fn record_micros(&self, series: SeriesId, micros: u64) {
        self.with(series, |slot| slot.record(micros));
    }

    /// Records a duration of which only bounds are known, in microseconds.
    pub fn record_bounds(&self, series: SeriesId, (least, most): (u64, u64)) {
        self.with(series, |slot| slot.record_bounds(least, most));
    }

    /// Records a duration that may be negative, in microseconds.
    pub fn record_signed(&self, series: SeriesId, micros: i64) {
        self.with(series, |slot| {
            slot.total.early += u64::from(micros < 0);
            slot.record(u64::try_from(micros).unwrap_or(0));
        });
    }

    /// Counts an error.
    pub fn fail(&self, series: SeriesId, class: ErrorClass) {
        self.with(series, |slot| slot.total.fail(class));
    }

    /// Records a legal conflict: it counts as a response.
    pub fn conflict(&self, series: SeriesId, took: Duration) {
        self.with(series, |slot| {
            slot.total.conflicts += 1;
            slot.record(micros(took));
        });
    }

    /// Counts an error, and the wait until it as a lower bound.
    pub fn give_up(&self, series: SeriesId, class: ErrorClass, after: Duration) {
        self.with(series, |slot| slot.total.give_up(class, micros(after)));
    }

    /// Records an operation that is unfinished at the end, with its duration so far.
    pub fn pend(&self, series: SeriesId, for_now: u64) {
        self.with(series, |slot| slot.total.pend(for_now));
    }

    /// Counts bytes of a response.
    pub fn bytes(&self, series: SeriesId, bytes: u64) {
        if let Some(slot) = self.slots.borrow_mut().get_mut(series.0) {
            slot.total.bytes += bytes;
        }
    }

    /// The measurements since the last call.
    pub fn take(&self) -> Vec<Series> {
        self.slots.borrow_mut().iter_mut().filter_map(Slot::take).collect()
    }

    /// Records one attempt.
    fn with(&self, series: SeriesId, change: impl FnOnce(&mut Slot)) {
        let mut slots = self.slots.borrow_mut();
        let Some(slot) = slots.get_mut(series.0) else { return };
        change(slot);
        // The time of a write decides about its lags, and no clock is read for each of them.
        if !slot.total.key.kind.is_lag() {
            let is_outside = self.measured.as_ref().is_some_and(|measured| !measured.is_now());
            slot.total.outside += u64::from(is_outside);
        }
    }
}

impl Slot {
    fn record(&mut self, micros: u64) {
        self.values.get_or_insert_with(empty).saturating_record(micros);
        if let Some(upper) = &mut self.upper {
            upper.saturating_record(micros);
        }
    }

    fn record_bounds(&mut self, least: u64, most: u64) {
        // The values so far are exact.
        let mut upper = self.upper.take().unwrap_or_else(|| self.values.clone().unwrap_or_else(empty));
        self.record(least);
        upper.saturating_record(most);
        self.upper = Some(upper);
    }

    fn take(&mut self) -> Option<Series> {
        if let Some(values) = self.values.as_mut().filter(|values| !values.is_empty()) {
            self.total.count += values.len();
            self.total.histogram.fold(values);
            values.reset();
        }
        if let Some(upper) = self.upper.take() {
            self.total.upper.fold(&upper);
        }
        let fresh = Series::new(self.total.key.clone());
        let taken = std::mem::replace(&mut self.total, fresh);
        (taken.count > 0 || taken.bytes > 0).then_some(taken)
    }
}

fn empty() -> Histogram<u32> {
    Histogram::new_with_max(LONGEST, DIGITS).expect("three digits up to half an hour are legal")
}

/// Whole microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Microseconds from one instant to a later one; 0 if it is not later.
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
    fn values_between_bounds_have_both_and_exact_ones_too() {
        let recorder = Recorder::default();
        let lag = recorder.series(key(DurationKind::LagSent));
        recorder.record_micros(lag, 100);
        recorder.record_bounds(lag, (200, 900));
        recorder.record_micros(lag, 300);

        let taken = recorder.take().remove(0);

        assert_eq!((taken.count, taken.histogram.len(), taken.upper.len()), (3, 3, 3));
        assert_eq!((taken.histogram.max(), taken.upper.max(), taken.upper.min()), (300, 900, 100));
        recorder.record_micros(lag, 100);
        assert!(recorder.take()[0].upper.is_empty());
    }

    #[test]
    fn attempts_outside_of_the_measured_time_have_no_rate() {
        let measured = MeasuredTime::default();
        let recorder = Recorder::of(Some(measured.clone()));
        let (latency, lag) =
            (recorder.series(key(DurationKind::Latency)), recorder.series(key(DurationKind::LagSent)));
        recorder.fail(latency, ErrorClass::Connect);
        let now = Instant::now();
        measured.set(now..now + Duration::from_hours(1));
        recorder.record(latency, Duration::from_millis(5));
        recorder.record_micros(lag, 5);
        let taken = recorder.take();
        assert_eq!((taken[0].count, taken[0].outside), (2, 1));
        assert_eq!(taken[0].rate(Duration::from_secs(2)), Some(0.5));
        let ended = MeasuredTime::default();
        ended.set(now..now);
        let recorder = Recorder::of(Some(ended));
        recorder.record(recorder.series(key(DurationKind::Latency)), Duration::from_millis(5));
        recorder.record_micros(recorder.series(key(DurationKind::LagSent)), 5);
        let outside: Vec<u64> = recorder.take().iter().map(|series| series.outside).collect();
        assert_eq!(outside, [1, 0]);
    }

    #[test]
    fn no_value_is_too_great() {
        let recorder = Recorder::default();
        let latency = recorder.series(key(DurationKind::Latency));
        recorder.record_micros(latency, u64::MAX);
        assert!(recorder.take()[0].histogram.max() > LONGEST - LONGEST / 1_000);
    }
}
