//! The books of a run: what all threads hand over, put together once a second.

use std::collections::BTreeMap;

use harness::load::{Histogram, Pulse, Series, SeriesKey};

use crate::beat::Beat;

/// All that was measured so far.
#[derive(Default)]
pub struct Ledger {
    total: BTreeMap<SeriesKey, Series>,
    /// What came since the last second was closed.
    second: BTreeMap<SeriesKey, Series>,
    watches: BTreeMap<String, u64>,
    events: u64,
    queueing: Histogram,
}

/// What came in one second.
#[derive(Debug, Default)]
pub struct Second {
    /// Each series with something to say.
    pub pulses: Vec<Pulse>,
    /// Events that watches had.
    pub events: u64,
    /// Watches that are open.
    pub watches: u64,
}

impl Ledger {
    /// Takes in what one thread has measured.
    pub fn take(&mut self, beat: Beat) {
        self.events += beat.events;
        self.watches.insert(beat.thread, beat.watches);
        self.queueing.add(&beat.queueing);
        for series in beat.series {
            for books in [&mut self.total, &mut self.second] {
                let known = books.entry(series.key.clone());
                known.or_insert_with(|| Series::new(series.key.clone())).add(&series);
            }
        }
    }

    /// Closes a second.
    pub fn second(&mut self) -> Second {
        let series = std::mem::take(&mut self.second).into_values();
        let pulse = |series: Series| Pulse::new(series.key.clone(), series.failed(), &series.histogram);
        Second {
            pulses: series.map(pulse).collect(),
            events: std::mem::take(&mut self.events),
            watches: self.watches.values().sum(),
        }
    }

    /// The series of this name, if anything was measured.
    pub fn series(&self, key: &SeriesKey) -> Option<&Series> {
        self.total.get(key)
    }

    /// Everything that was measured so far.
    pub fn total(&self) -> impl Iterator<Item = &Series> {
        self.total.values()
    }

    /// How long what had arrived waited for its turn, on all threads.
    pub fn queueing(&self) -> &Histogram {
        &self.queueing
    }

    /// Everything that was measured.
    pub fn into_series(self) -> Vec<Series> {
        self.total.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use harness::load::{Kind, Scope, SeriesKey};

    use super::*;
    use crate::recorder::Recorder;

    fn beat(thread: &str, millis: u64, watches: u64) -> Beat {
        let recorder = Recorder::default();
        let latency = recorder.series(SeriesKey::new("GET", "pods", Scope::Resource, Kind::Latency, ""));
        recorder.record(latency, Duration::from_millis(millis));
        Beat {
            thread: thread.to_owned(),
            series: recorder.take(),
            events: 10,
            watches,
            queueing: Histogram::default(),
        }
    }

    #[test]
    fn what_threads_measure_adds_up_by_second_and_in_all() {
        let mut ledger = Ledger::default();
        ledger.take(beat("a", 1, 5));
        ledger.take(beat("b", 2, 7));
        let second = ledger.second();
        assert_eq!((second.pulses.len(), second.pulses[0].count), (1, 2));
        assert_eq!((second.events, second.watches), (20, 12));
        ledger.take(beat("a", 3, 4));
        let second = ledger.second();
        assert_eq!((second.pulses[0].count, second.events, second.watches), (1, 10, 11));
        assert_eq!(ledger.into_series()[0].count, 3);
    }
}
