//! What the results of 100 workers with a million samples each weigh, and how long adding them up takes, beside the exact
//! quantiles of all samples.

use std::time::{Duration, Instant};

use harness::load::{DurationKind, Scope, SeriesKey};
use loadgen::{Aggregator, IntervalReport, Recorder};

use crate::stage::Bench;

const WORKERS: u64 = 100;
const SAMPLES: u64 = 1_000_000;

/// The longest sample, in microseconds.
const LONGEST: usize = 5_000_000;

pub(crate) const BENCH: Bench = Bench { name: "merge", whole, sides: &[] };

fn whole() {
    let mut exact = vec![0u32; LONGEST + 1];
    let texts: Vec<String> = (0..WORKERS).map(|worker| text(worker, &mut exact)).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut times: Vec<Duration> = (0..9).map(|_| merge(&texts).1).collect();
    times.sort();
    let series = merge(&texts).0.into_series().remove(0);
    println!(
        "{WORKERS} workers x {SAMPLES} samples: {:.2} MB, read and added up in {:.1} ms, {} samples",
        bytes as f64 / 1e6,
        times[times.len() / 2].as_secs_f64() * 1e3,
        series.count
    );
    for (name, q) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
        let truth = quantile(&exact, q) as f64;
        let merged = series.quantile(q).unwrap().micros() as f64;
        println!(
            "{name:<5} exact {truth:9.0} µs  merged {merged:9.0} µs ({:+.3} %)",
            (merged / truth - 1.0) * 100.0
        );
    }
}

/// The report of a worker, as it comes through the rendezvous.
fn text(worker: u64, exact: &mut [u32]) -> String {
    let (recorder, mut random) = (Recorder::default(), fastrand::Rng::with_seed(worker));
    let series = recorder.series(SeriesKey::new("GET", "pods", Scope::Resource, DurationKind::Latency, ""));
    for _ in 0..SAMPLES {
        let normal = (-2.0 * (1.0 - random.f64()).ln()).sqrt() * (std::f64::consts::TAU * random.f64()).cos();
        let micros = ((7.0 + normal).exp() as usize).min(LONGEST);
        exact[micros] += 1;
        recorder.record_micros(series, micros as u64);
    }
    let report =
        IntervalReport { series: recorder.take(), ..IntervalReport::empty(&format!("worker {worker}")) };
    serde_json::to_string(&report).unwrap()
}

fn merge(texts: &[String]) -> (Aggregator, Duration) {
    let began = Instant::now();
    let mut aggregator = Aggregator::default();
    for text in texts {
        aggregator.take(serde_json::from_str(text).unwrap());
    }
    (aggregator, began.elapsed())
}

fn quantile(exact: &[u32], q: f64) -> usize {
    let rank = (q * (WORKERS * SAMPLES) as f64).ceil() as u64;
    let mut below = 0;
    exact
        .iter()
        .position(|count| {
            below += u64::from(*count);
            below >= rank
        })
        .unwrap_or(LONGEST)
}
