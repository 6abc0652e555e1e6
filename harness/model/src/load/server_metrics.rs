//! The server's own metrics, beside those of the generator.

use serde::{Deserialize, Serialize};

/// The changes of the server's metrics between a read in the warm-up and one at the end of the measure phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerMetrics {
    /// The time between the two reads, in milliseconds.
    pub window_ms: u64,
    /// `apiserver_request_duration_seconds` by verb, resource and scope, in microseconds.
    pub requests: Vec<ServerHistogram>,
    /// `etcd_request_duration_seconds` by operation, in microseconds.
    pub etcd: Vec<ServerHistogram>,
    /// `apiserver_flowcontrol_request_wait_duration_seconds` by priority level, in microseconds.
    pub queue_wait: Vec<ServerHistogram>,
    /// `apiserver_flowcontrol_request_queue_length_after_enqueue` by priority level, in requests.
    pub queue_length: Vec<ServerHistogram>,
    /// `apiserver_current_inflight_requests` by kind: the maximum of the last second.
    pub in_flight: Vec<Gauge>,
    /// `process_resident_memory_bytes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Gauge>,
    /// `process_cpu_seconds_total`, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u64>,
}

impl ServerMetrics {
    /// The names of all histograms and gauges: labels that the server has chosen.
    pub(super) fn names(&mut self) -> impl Iterator<Item = &mut String> {
        let Self { requests, etcd, queue_wait, queue_length, in_flight, memory, .. } = self;
        let histograms = [requests, etcd, queue_wait, queue_length].into_iter().flatten();
        let gauges = in_flight.iter_mut().chain(memory);
        histograms.map(|histogram| &mut histogram.name).chain(gauges.map(|gauge| &mut gauge.name))
    }
}

/// The values that the server added to a histogram. Its buckets are coarse: a quantile is at most the bound of its bucket.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerHistogram {
    /// The labels that distinguish it: `LIST configmaps namespace`.
    pub name: String,
    /// The number of values.
    pub count: u64,
    /// Their mean; `None` where the server exports no sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The bound of the bucket with the median; `None` in the bucket without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    /// The bound of the bucket with the 99th percentile; `None` in the bucket without a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
}

/// A value that goes up and down.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gauge {
    /// The label that distinguishes it; empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// At the first read.
    pub before: f64,
    /// At the second read.
    pub after: f64,
}
