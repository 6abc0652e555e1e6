//! Adds up the interval reports of all threads.

use std::collections::BTreeMap;

use harness::load::{Histogram, Series, SeriesInterval, SeriesKey};

use crate::interval_report::IntervalReport;

/// The sum of all interval reports so far.
#[derive(Default)]
pub struct Aggregator {
    total: BTreeMap<SeriesKey, Series>,
    /// The sum since the last interval was closed.
    second: BTreeMap<SeriesKey, Series>,
    watches: BTreeMap<String, u64>,
    events: u64,
    dropped: u64,
    cpu: u64,
    queueing: Histogram,
}

/// The numbers of one interval.
#[derive(Debug, Default)]
pub struct IntervalTotals {
    /// Each series with samples.
    pub series_intervals: Vec<SeriesInterval>,
    /// The number of watch events.
    pub events: u64,
    /// The number of open watches.
    pub watches: u64,
    /// The number of starts that were dropped.
    pub dropped: u64,
    /// Processor time of workers, in microseconds.
    pub cpu: u64,
}

impl Aggregator {
    /// Adds the report of one thread.
    pub fn take(&mut self, interval_report: IntervalReport) {
        self.events += interval_report.events;
        self.dropped += interval_report.dropped;
        self.cpu += interval_report.cpu;
        self.watches.insert(interval_report.thread, interval_report.watches);
        self.queueing.add(&interval_report.queueing);
        for series in interval_report.series {
            for sums in [&mut self.total, &mut self.second] {
                let known = sums.entry(series.key.clone());
                known.or_insert_with(|| Series::new(series.key.clone())).add(&series);
            }
        }
    }

    /// Closes the interval and returns its numbers.
    pub fn second(&mut self) -> IntervalTotals {
        let second = std::mem::take(&mut self.second);
        IntervalTotals {
            series_intervals: second.values().map(SeriesInterval::of).collect(),
            events: std::mem::take(&mut self.events),
            watches: self.watches.values().sum(),
            dropped: std::mem::take(&mut self.dropped),
            cpu: std::mem::take(&mut self.cpu),
        }
    }

    /// Closes the interval and returns its measurements as those of one thread.
    pub(crate) fn report(&mut self, thread: &str, cpu: u64) -> IntervalReport {
        IntervalReport {
            thread: thread.to_owned(),
            series: std::mem::take(&mut self.second).into_values().collect(),
            events: std::mem::take(&mut self.events),
            watches: self.watches.values().sum(),
            dropped: std::mem::take(&mut self.dropped),
            queueing: std::mem::take(&mut self.queueing),
            cpu,
        }
    }

    /// The series with this key, if it has samples.
    pub fn series(&self, key: &SeriesKey) -> Option<&Series> {
        self.total.get(key)
    }

    /// Every series so far.
    pub fn total(&self) -> impl Iterator<Item = &Series> {
        self.total.values()
    }

    /// The time between arrival and processing, on all threads.
    pub fn queueing(&self) -> &Histogram {
        &self.queueing
    }

    /// Every series.
    pub fn into_series(self) -> Vec<Series> {
        self.total.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use harness::load::{DurationKind, Scope, SeriesKey};

    use super::*;
    use crate::recorder::Recorder;

    fn interval_report(thread: &str, millis: u64, watches: u64) -> IntervalReport {
        let recorder = Recorder::default();
        let latency =
            recorder.series(SeriesKey::new("GET", "pods", Scope::Resource, DurationKind::Latency, ""));
        recorder.record(latency, Duration::from_millis(millis));
        IntervalReport {
            thread: thread.to_owned(),
            series: recorder.take(),
            events: 10,
            watches,
            dropped: 1,
            queueing: Histogram::default(),
            cpu: 0,
        }
    }

    #[test]
    fn what_threads_measure_adds_up_by_second_and_in_all() {
        let mut aggregator = Aggregator::default();
        aggregator.take(interval_report("a", 1, 5));
        aggregator.take(interval_report("b", 2, 7));
        let second = aggregator.second();
        assert_eq!((second.series_intervals.len(), second.series_intervals[0].count), (1, 2));
        assert_eq!((second.events, second.watches, second.dropped), (20, 12, 2));
        aggregator.take(interval_report("a", 3, 4));
        let second = aggregator.second();
        assert_eq!((second.series_intervals[0].count, second.events, second.watches), (1, 10, 11));
        assert_eq!(second.dropped, 1);
        aggregator.take(interval_report("a", 3, 4));
        let of_worker = [aggregator.report("worker 0", 7).dropped, aggregator.report("worker 0", 7).dropped];
        assert_eq!(of_worker, [1, 0]);
        assert_eq!(aggregator.into_series()[0].count, 4);
    }
}
