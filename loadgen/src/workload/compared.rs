//! The series of a workload that comparisons use, known before the first request.

use std::collections::BTreeSet;

use harness::load::{DurationKind, Scope, SeriesKey};
use harness::stable_hash;

use super::{Cut, Operation, Verb, Workload};

/// The number of seeds: small, so that users can type them.
const SEEDS: u64 = 1_000_000;

impl Workload {
    /// The default seed, derived from the name: two runs of one workload then have the same schedule.
    pub fn seed(&self) -> u64 {
        stable_hash(&self.name) % SEEDS
    }

    /// The series of comparisons between pairs of runs: latencies, delivery lags, and durations of streaming lists.
    ///
    /// Without the watches that read slowly.
    pub fn compared(&self, resource: &str) -> BTreeSet<SeriesKey> {
        let operations = self.requests.iter().flat_map(|requests| &requests.operations);
        let sent = operations.clone().filter(|operation| operation.weight > 0);
        let mut compared: BTreeSet<SeriesKey> =
            sent.map(|operation| operation.series(resource, DurationKind::Latency)).collect();
        if let Some(watches) = &self.watches {
            let writes = operations.clone().any(|operation| operation.verb.is_stamped());
            let kinds = [
                (true, DurationKind::Latency),
                (writes, DurationKind::LagSent),
                (watches.initial, DurationKind::Synced),
            ];
            let watch = |kind| SeriesKey::new("WATCH", resource, Scope::Namespace, kind, "");
            compared.extend(kinds.into_iter().filter(|(there, _)| *there).map(|(_, kind)| watch(kind)));
            // The last cut leaves half of its interval for the watches to open again.
            let is_in_time = |cut: &Cut| cut.every.0 * 3 / 2 <= self.duration.0;
            let lists = |cut: &Cut| cut.relist && !watches.initial && is_in_time(cut);
            if self.cut.as_ref().is_some_and(lists) {
                compared.insert(SeriesKey { verb: "LIST".to_owned(), ..watch(DurationKind::Latency) });
            }
        }
        compared
    }
}

impl Operation {
    /// The scope of a request.
    pub fn scope(&self) -> Scope {
        if self.verb == Verb::List { Scope::Namespace } else { Scope::Resource }
    }

    pub(crate) fn series(&self, resource: &str, kind: DurationKind) -> SeriesKey {
        SeriesKey::new(self.verb.series(), resource, self.scope(), kind, self.way.variant())
    }
}

impl Verb {
    /// Whether a write has a stamp.
    pub(crate) fn is_stamped(self) -> bool {
        matches!(self, Self::Update | Self::Patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_belongs_to_the_name_and_never_changes() {
        let seeds = Workload::embedded().map(|workload| (workload.name.clone(), workload.seed()));
        let seeds: Vec<(String, u64)> = seeds.collect();
        assert_eq!(seeds.iter().map(|(_, seed)| seed).collect::<BTreeSet<_>>().len(), seeds.len());
        let mut larger = Workload::named("crud-mix").unwrap();
        larger.population.objects *= 2;
        assert_eq!(larger.seed(), 356_191);
    }

    #[test]
    fn series_are_named_as_they_will_be_measured_and_once_each() {
        let mut workload = Workload::named("slow-watcher").unwrap();
        let operations = &mut workload.requests.as_mut().unwrap().operations;
        operations.extend([
            operations[0].clone(),
            Operation { verb: Verb::List, weight: 0, ..operations[0].clone() },
        ]);
        let named: Vec<String> = workload.compared("pods").iter().map(ToString::to_string).collect();
        let expected =
            ["PATCH pods resource latency", "WATCH pods namespace latency", "WATCH pods namespace lag-sent"];
        assert_eq!(named, expected);
        let streaming = Workload::named("watch-list").unwrap().compared("pods");
        assert!(streaming.iter().any(|key| key.kind == DurationKind::Synced), "{streaming:?}");
        let relisting = Workload::named("relist-storm").unwrap().compared("pods");
        assert!(relisting.iter().any(|key| key.verb == "LIST"), "{relisting:?}");
    }
}
