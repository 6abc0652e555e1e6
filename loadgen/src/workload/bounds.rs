//! What a workload can measure at most. The documents of workers are compared with it.

use harness::load::{DurationKind, Scope, SeriesKey};

use super::Workload;
use crate::recorder::micros;
use crate::stamp::MOST_WRITES;

/// No response arrives sooner after its request, in microseconds.
const FASTEST_RESPONSE: u64 = 10;

impl Workload {
    /// The maximum number of writes of one worker.
    pub(crate) fn most_writes(&self) -> u32 {
        let Some(requests) = &self.requests else { return 0 };
        let length = self.warm_up.0.saturating_add(self.duration.0);
        let most = match requests.closed {
            Some(senders) => (micros(length) / FASTEST_RESPONSE + 1).saturating_mul(senders as u64),
            None => starts(requests.rate, length.as_secs_f64()),
        };
        u32::try_from(most.min(MOST_WRITES as u64)).unwrap_or(u32::MAX)
    }

    /// The latencies that its requests and its watches measure.
    pub fn latencies(&self, resource: &str) -> Vec<SeriesKey> {
        let kind = DurationKind::Latency;
        let operations = self.requests.iter().flat_map(|requests| &requests.operations);
        let of_requests = operations.map(|operation| operation.series(resource, kind));
        let pools = [(self.watches.is_some(), ""), (self.slow.is_some(), "slow")];
        let of_watches = pools.into_iter().filter(|(is_there, _)| *is_there).flat_map(|(_, variant)| {
            ["WATCH", "LIST"].map(|verb| SeriesKey::new(verb, resource, Scope::Namespace, kind, variant))
        });
        of_requests.chain(of_watches).collect()
    }

    /// Whether its requests or its watches measure a series with this key, of any resource.
    pub(crate) fn has_series(&self, key: &SeriesKey) -> bool {
        let mut operations = self.requests.iter().flat_map(|requests| &requests.operations);
        let of_requests = operations.any(|one| {
            (one.verb.series(), one.scope(), one.way.variant()) == (&key.verb, key.scope, &key.variant)
        });
        of_requests || self.watches_have_series(key)
    }

    /// Whether the watches measure it: they list when they start again.
    pub(crate) fn watches_have_series(&self, key: &SeriesKey) -> bool {
        let is_there = match key.variant.as_str() {
            "" => self.watches.is_some(),
            "slow" => self.slow.is_some(),
            _ => false,
        };
        is_there && ["WATCH", "LIST"].contains(&key.verb.as_str()) && key.scope == Scope::Namespace
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of floats saturates")]
fn starts(rate: f64, seconds: f64) -> u64 {
    ((rate * seconds).ceil() as u64).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::pace::Pace;
    use crate::workload::Time;

    #[test]
    fn a_schedule_has_no_more_writes_than_starts() {
        let mut workload = Workload::named("crud-mix").unwrap();
        workload.warm_up = Time(Duration::from_millis(300));
        for (rate, millis) in [(40.0, 2_000), (333.3, 1_234), (0.3, 10), (999_999.0, 50)] {
            workload.duration = Time(Duration::from_millis(millis));
            workload.requests.as_mut().unwrap().rate = rate;
            let starts = Pace::Fixed(rate).plan(workload.warm_up.0 + workload.duration.0).count();
            let most = workload.most_writes() as usize;
            assert!((starts..starts + 3).contains(&most), "{rate} {millis}: {starts} {most}");
        }
        workload.duration = Time(Duration::from_hours(7 * 24));
        assert_eq!(workload.most_writes() as usize, MOST_WRITES);
        workload.requests.as_mut().unwrap().closed = Some(2);
        (workload.warm_up, workload.duration) = (Time(Duration::ZERO), Time(Duration::from_secs(1)));
        assert_eq!(workload.most_writes(), 200_002);
        workload.requests = None;
        assert_eq!(workload.most_writes(), 0);
    }

    #[test]
    fn a_workload_has_the_series_of_its_requests_and_watches() {
        let key = |verb: &str, scope, variant: &str| {
            SeriesKey::new(verb, "configmaps", scope, DurationKind::Latency, variant)
        };
        let slow = Workload::named("slow-watcher").unwrap();
        assert!(slow.has_series(&key("PATCH", Scope::Resource, "")));
        assert!(slow.has_series(&key("WATCH", Scope::Namespace, "slow")));
        assert!(slow.has_series(&key("LIST", Scope::Namespace, "")));
        let other = [
            key("GET", Scope::Resource, ""),
            key("PATCH", Scope::Cluster, ""),
            key("PATCH", Scope::Resource, "x"),
            key("WATCH", Scope::Namespace, "x"),
        ];
        assert!(!other.iter().any(|key| slow.has_series(key)));
        for workload in Workload::embedded() {
            let latencies = workload.latencies("pods");
            assert!(!latencies.is_empty() && latencies.iter().all(|key| workload.has_series(key)));
        }
        assert!(!Workload::named("crud-mix").unwrap().has_series(&key("WATCH", Scope::Namespace, "")));
    }
}
