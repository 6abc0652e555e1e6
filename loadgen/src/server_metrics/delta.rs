//! The change from one text of metrics to a later one.

use std::collections::BTreeMap;
use std::time::Duration;

use harness::exposition::{Sample, samples};
use harness::load::{Gauge, ServerHistogram, ServerMetrics};

use crate::recorder::micros;

/// A histogram of the server: its metric, and the name for its labels; `None` leaves the sample out.
struct Source {
    metric: &'static str,
    /// From the metric's unit to the unit in [`ServerMetrics`].
    factor: f64,
    name: fn(&Sample, &str) -> Option<String>,
}

const MICROS: f64 = 1e6;

const REQUESTS: Source =
    Source { metric: "apiserver_request_duration_seconds", factor: MICROS, name: name_of_request };
const ETCD: Source = Source {
    metric: "etcd_request_duration_seconds",
    factor: MICROS,
    name: |sample, _| Some(sample.label("operation").to_owned()),
};
const QUEUE_WAIT: Source = Source {
    metric: "apiserver_flowcontrol_request_wait_duration_seconds",
    factor: MICROS,
    name: |sample, _| Some(sample.label("priority_level").to_owned()),
};
const QUEUE_LENGTH: Source = Source {
    metric: "apiserver_flowcontrol_request_queue_length_after_enqueue",
    factor: 1.0,
    name: |sample, _| Some(sample.label("priority_level").to_owned()),
};

/// Verb, resource and scope, as in our own series; requests for other resources are one row.
fn name_of_request(sample: &Sample, resource: &str) -> Option<String> {
    let [verb, kind, subresource, scope] =
        ["verb", "resource", "subresource", "scope"].map(|name| sample.label(name));
    // The duration of a stream is not the duration of work.
    if matches!(verb, "WATCH" | "WATCHLIST" | "CONNECT") {
        return None;
    }
    let whole = if subresource.is_empty() { kind.to_owned() } else { format!("{kind}/{subresource}") };
    let own = whole == resource;
    Some(if own { format!("{verb} {whole} {scope}") } else { "other resources".to_owned() })
}

/// The change over a window of this length, on a server where the load is on one resource.
pub(super) fn delta(
    before: &str,
    after: &str,
    window: Duration,
    resource: &str,
) -> Result<ServerMetrics, String> {
    let one = |text: &str, name: &str| {
        let value = samples(text, |metric| metric == name).next().map(|(_, sample)| sample.value);
        // JSON has no infinity.
        value.filter(|value| value.is_finite())
    };
    let started = [before, after].map(|text| one(text, "process_start_time_seconds"));
    if started[0] != started[1] {
        return Err("the two reads of /metrics came from two server processes".to_owned());
    }
    let of = |source: &Source| histograms(source, before, after, resource);
    let both = |name: &str| one(before, name).zip(one(after, name));
    let used = |(then, now): (f64, f64)| micros(Duration::try_from_secs_f64(now - then).unwrap_or_default());
    let found = ServerMetrics {
        window_ms: micros(window) / 1_000,
        requests: of(&REQUESTS)?,
        etcd: of(&ETCD)?,
        queue_wait: of(&QUEUE_WAIT)?,
        queue_length: of(&QUEUE_LENGTH)?,
        in_flight: in_flight(before, after),
        memory: both("process_resident_memory_bytes").map(|(before, after)| Gauge {
            name: String::new(),
            before,
            after,
        }),
        cpu: both("process_cpu_seconds_total").map(used),
    };
    let nothing = found.requests.is_empty() && found.in_flight.is_empty() && found.cpu.is_none();
    if nothing {
        Err("/metrics of the server has no metrics of kube-apiserver".to_owned())
    } else {
        Ok(found)
    }
}

fn in_flight(before: &str, after: &str) -> Vec<Gauge> {
    let read = |text: &str| -> BTreeMap<String, f64> {
        let named = samples(text, |metric| metric == "apiserver_current_inflight_requests");
        let finite = named.filter(|(_, sample)| sample.value.is_finite());
        finite.map(|(_, sample)| (sample.label("request_kind").to_owned(), sample.value)).collect()
    };
    let then = read(before);
    let gauge = |(name, after): (String, f64)| {
        let before = then.get(&name).copied().unwrap_or(0.0);
        Gauge { name, before, after }
    };
    read(after).into_iter().map(gauge).collect()
}

/// The sums of a histogram over all label sets of one name.
#[derive(Default)]
struct Sums {
    count: f64,
    sum: Option<f64>,
    /// Cumulative counts by bound, with the bits of the bound as the key: positive numbers keep their order.
    buckets: BTreeMap<u64, f64>,
}

fn histograms(
    source: &Source,
    before: &str,
    after: &str,
    resource: &str,
) -> Result<Vec<ServerHistogram>, String> {
    let mut then = sums(source, before, resource);
    let mut found = Vec::new();
    for (name, now) in sums(source, after, resource) {
        let then = then.remove(&name).unwrap_or_default();
        if now.count < then.count {
            return Err(format!("{} went back between the two reads of /metrics", source.metric));
        }
        if now.count > then.count {
            found.push(histogram(name, &now, &then, source.factor));
        }
    }
    Ok(found)
}

fn sums(source: &Source, text: &str, resource: &str) -> BTreeMap<String, Sums> {
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for (metric, sample) in samples(text, |metric| metric.starts_with(source.metric)) {
        let part = &metric[source.metric.len()..];
        let Some(name) = (source.name)(&sample, resource).filter(|_| sample.value.is_finite()) else {
            continue;
        };
        let sums = sums.entry(name).or_default();
        match part {
            "_count" => sums.count += sample.value,
            "_sum" => *sums.sum.get_or_insert(0.0) += sample.value,
            "_bucket" => {
                let bound = sample.label("le").parse::<f64>().ok().filter(|bound| *bound >= 0.0);
                if let Some(bound) = bound {
                    *sums.buckets.entry(bound.abs().to_bits()).or_default() += sample.value;
                }
            }
            _ => {}
        }
    }
    sums
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count is a whole number")]
fn histogram(name: String, now: &Sums, then: &Sums, factor: f64) -> ServerHistogram {
    let count = now.count - then.count;
    let at_most = |q: f64| {
        let reached = now
            .buckets
            .iter()
            .find(|(bound, total)| **total - then.buckets.get(bound).copied().unwrap_or(0.0) >= q * count);
        reached.map(|(bound, _)| f64::from_bits(*bound) * factor).filter(|bound| bound.is_finite())
    };
    ServerHistogram {
        name,
        count: count as u64,
        mean: now.sum.map(|sum| (sum - then.sum.unwrap_or(0.0)) / count * factor),
        p50: at_most(0.5),
        p99: at_most(0.99),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server exports after so many requests of 3 ms and of 30 ms.
    fn exported(fast: u32, slow: u32) -> String {
        let labels = "resource=\"pods\",scope=\"resource\",subresource=\"\",verb=\"GET\"";
        let metric = "apiserver_request_duration_seconds";
        let all = fast + slow;
        let seconds = f64::from(fast) * 0.003 + f64::from(slow) * 0.03;
        format!(
            "process_start_time_seconds 1.7e9\nprocess_cpu_seconds_total {all}\n\
             process_resident_memory_bytes {all}e6\n\
             apiserver_current_inflight_requests{{request_kind=\"mutating\"}} {slow}\n\
             {metric}_bucket{{{labels},le=\"0.005\"}} {fast}\n{metric}_bucket{{{labels},le=\"0.05\"}} {all}\n\
             {metric}_bucket{{{labels},le=\"+Inf\"}} {all}\n{metric}_sum{{{labels}}} {seconds}\n\
             {metric}_count{{{labels}}} {all}\n{metric}_count{{verb=\"WATCH\",resource=\"pods\"}} 7\n\
             {metric}_count{{verb=\"GET\",resource=\"leases\"}} {all}\n"
        )
    }

    const WINDOW: Duration = Duration::from_secs(10);

    #[test]
    fn the_change_between_two_reads_is_what_the_server_did() {
        let found = delta(&exported(100, 100), &exported(190, 110), WINDOW, "pods").unwrap();
        let [get, others] = found.requests.as_slice() else { panic!("{:?}", found.requests) };
        assert_eq!((get.name.as_str(), get.count), ("GET pods resource", 100));
        assert_eq!((get.p50, get.p99), (Some(5_000.0), Some(50_000.0)));
        assert!((get.mean.unwrap() - 5_700.0).abs() < 1e-3, "{:?}", get.mean);
        assert_eq!((others.name.as_str(), others.count, others.p99), ("other resources", 100, None));
        assert_eq!((found.window_ms, found.cpu), (10_000, Some(100_000_000)));
        let memory = found.memory.unwrap();
        assert_eq!((memory.before, memory.after), (200e6, 300e6));
        assert_eq!((found.in_flight[0].before, found.in_flight[0].after), (100.0, 110.0));
        assert!(found.etcd.is_empty() && found.queue_wait.is_empty());
    }

    #[test]
    fn a_value_above_every_bound_has_none() {
        let with = |above: u32| {
            format!("{}\n", exported(0, 0))
                + &format!(
                    "etcd_request_duration_seconds_bucket{{operation=\"get\",le=\"60\"}} 0\n\
             etcd_request_duration_seconds_bucket{{operation=\"get\",le=\"+Inf\"}} {above}\n\
             etcd_request_duration_seconds_count{{operation=\"get\"}} {above}\n"
                )
        };
        let found = delta(&with(0), &with(3), WINDOW, "pods").unwrap();
        assert_eq!((found.etcd[0].count, found.etcd[0].p50, found.etcd[0].mean), (3, None, None));
    }

    #[test]
    fn numbers_of_two_processes_are_no_change() {
        let other = exported(190, 110).replace("1.7e9", "1.8e9");
        let reason = delta(&exported(100, 100), &other, WINDOW, "pods").unwrap_err();
        assert_eq!(reason, "the two reads of /metrics came from two server processes");
        let reason = delta(&exported(100, 100), &exported(1, 1), WINDOW, "pods").unwrap_err();
        assert_eq!(reason, "apiserver_request_duration_seconds went back between the two reads of /metrics");
    }

    #[test]
    fn an_infinite_value_is_none() {
        let infinite = exported(0, 0).replace("bytes 0e6", "bytes -1e400");
        let infinite = infinite.replace("kind=\"mutating\"} 0", "kind=\"mutating\"} NaN");
        let found = delta(&infinite, &exported(1, 1), WINDOW, "pods").unwrap();
        assert_eq!((found.memory, found.in_flight[0].before), (None, 0.0));
    }

    #[test]
    fn a_server_without_these_metrics_has_a_reason() {
        let reason = delta("healthcheck 1\n", "healthcheck 1\n", WINDOW, "pods").unwrap_err();
        assert_eq!(reason, "/metrics of the server has no metrics of kube-apiserver");
    }
}
