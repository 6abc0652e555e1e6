//! The share of one worker in the load of a run. All shares together are the load, whatever their number.
//!
//! A worker owns every N-th start of the schedule, object, watch and sender: the numbers are those of the whole run.

use serde::{Deserialize, Serialize};

use crate::workload::Workload;

/// The maximum number of workers: a stamp names its worker in 16 bits, and a person has to start them.
pub const MOST_WORKERS: usize = 1_000;

/// One of the workers of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Its index, from 0.
    pub index: usize,
    /// The number of workers, at least 1.
    pub of: usize,
}

impl Share {
    /// The only worker.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Whether there are other workers.
    pub fn is_divided(self) -> bool {
        self.of > 1
    }

    /// Whether something with this number is in the share.
    pub fn has(self, number: usize) -> bool {
        number % self.of == self.index
    }

    /// The size of the share in this number of things.
    pub fn part_of(self, all: usize) -> usize {
        (all + self.of - 1 - self.index) / self.of
    }

    /// The load of this worker. The schedule of an open loop stays whole: the worker sends every N-th start.
    pub fn divide(self, whole: &Workload) -> Workload {
        let mut own = whole.clone();
        own.watches = own.watches.filter(|watches| self.part_of(watches.count) > 0);
        own.slow = own.slow.filter(|slow| self.part_of(slow.count) > 0);
        if let Some(watches) = &mut own.watches {
            watches.count = self.part_of(watches.count);
            watches.connections = watches.connections.map(|all| self.part_of(all).max(1));
            watches.opening /= f64::from(u32::try_from(self.of).unwrap_or(1));
        }
        if let Some(slow) = &mut own.slow {
            slow.count = self.part_of(slow.count);
        }
        if let Some(requests) = &mut own.requests {
            requests.connections = self.part_of(requests.connections).max(1);
            requests.closed = requests.closed.map(|all| self.part_of(all));
        }
        own
    }
}

impl Workload {
    /// Whether this number of workers can share the load; the error is one sentence.
    pub fn check_workers(&self, workers: usize) -> Result<(), String> {
        let most = match &self.requests {
            // Each worker writes to objects of its own.
            Some(requests) => requests.closed.unwrap_or(usize::MAX).min(self.population.objects),
            None => self.watches.as_ref().map_or(0, |watches| watches.count),
        };
        let most = most.min(MOST_WORKERS);
        if (1..=most).contains(&workers) {
            Ok(())
        } else {
            Err(format!("{workers} workers cannot share its load: give 1 to {most}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shares_are_disjoint_and_add_up_to_the_whole(all in 0..5_000usize, of in 1..64usize) {
            let shares: Vec<Share> = (0..of).map(|index| Share { index, of }).collect();
            let sizes: Vec<usize> = shares.iter().map(|share| share.part_of(all)).collect();
            prop_assert_eq!(sizes.iter().sum::<usize>(), all);
            for (share, size) in shares.iter().zip(&sizes) {
                prop_assert_eq!((0..all).filter(|number| share.has(*number)).count(), *size);
            }
            prop_assert!((0..all).all(|number| shares.iter().filter(|share| share.has(number)).count() == 1));
        }
    }

    #[test]
    fn a_workload_is_divided_not_multiplied() {
        let whole = Workload::named("slow-watcher").unwrap();
        let parts: Vec<Workload> = (0..3).map(|index| Share { index, of: 3 }.divide(&whole)).collect();
        let watches = parts.iter().map(|part| part.watches.as_ref().unwrap().count);
        assert_eq!(watches.collect::<Vec<_>>(), [17, 17, 16]);
        let slow = parts.iter().map(|part| part.slow.as_ref().unwrap().count);
        assert_eq!(slow.collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(Share { index: 4, of: 5 }.divide(&whole).slow, None);
        assert_eq!(Share::WHOLE.divide(&whole), whole);
    }

    #[test]
    fn more_workers_than_shares_are_refused() {
        let workload = Workload::named("crud-mix").unwrap();
        assert_eq!(workload.check_workers(200), Ok(()));
        assert!(workload.check_workers(201).unwrap_err().contains("give 1 to 200"));
        assert!(Workload::named("watch-list").unwrap().check_workers(51).is_err());
    }
}
