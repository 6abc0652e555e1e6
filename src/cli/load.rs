//! The command line of `kube-assay load`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use harness::load::Threshold;
use harness::load::comparison::MOST_PAIRS;

use super::against::{Other, OtherParser};
use super::{FileArgs, LabelArgs, OutputArgs, TargetArgs, WorkersArgs, duration, percent};

/// `kube-assay load`
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Name of a workload (`list workloads` shows all), or a TOML file
    pub(crate) workload: String,
    /// Fail (exit 1) if this does not hold, for example 'p99<500ms for LIST configmaps' (repeatable) [default:
    /// failed<=1% and delivered>=99.9%, each unless you give another limit for that measure]
    #[arg(long, value_name = "RULE", help_heading = "Thresholds")]
    pub(crate) threshold: Vec<Threshold>,
    /// Named set of thresholds: k8s-official, cl2 or watch, or a TOML file (repeatable)
    #[arg(long, value_name = "SLO", help_heading = "Thresholds")]
    pub(crate) slo: Vec<String>,
    /// Stop the run as soon as it misses a threshold
    #[arg(long, help_heading = "Thresholds")]
    pub(crate) abort_on_miss: bool,
    /// Compare with another server; its target flags in one argument, for example '--server URL --token-file FILE'
    #[arg(long, value_name = "FLAGS", value_parser = OtherParser, allow_hyphen_values = true, help_heading = "Comparison")]
    pub(crate) against: Option<Other>,
    /// Number of runs of each server, in turn; with --stop-early the most [default: the fewest that can detect a
    /// regression; with --stop-early three times as many]
    #[arg(long, value_name = "N", value_parser = pairs, requires = "against", help_heading = "Comparison")]
    pub(crate) pairs: Option<usize>,
    /// Fail (exit 1) if a percentile regresses by more than this at 99 % confidence, for example 10%
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "against", help_heading = "Comparison")]
    pub(crate) max_regression: Option<f64>,
    /// Stop before the last pair as soon as it is clear whether a percentile regresses; the confidence stays 99 %
    #[arg(long, requires = "max_regression", help_heading = "Comparison")]
    pub(crate) stop_early: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Directory for the reports
    #[arg(long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output_dir: PathBuf,
    /// Seed of the schedule [default: derived from the workload's name]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Timeout for one request, with its whole response
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    #[command(flatten)]
    pub(crate) labels: LabelArgs,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) workers: WorkersArgs,
    #[command(flatten)]
    pub(crate) scale: ScaleArgs,
    /// Use HTTP/2 without TLS and without negotiation
    #[arg(long, help_heading = "Target (the embedded reference server if none is given)")]
    pub(crate) http2: bool,
}

/// Overrides of the workload's scale.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scale [default: from the workload]")]
pub(crate) struct ScaleArgs {
    /// Duration of the measurement, for example 90s or 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) duration: Option<Duration>,
    /// Duration of the load before the measurement
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) warm_up: Option<Duration>,
    /// Grace period for in-flight requests after the measurement
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) drain: Option<Duration>,
    /// Open-loop request rate, in requests per second
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "closed")]
    pub(crate) rate: Option<f64>,
    /// Number of closed-loop senders; each sends a request when it has the previous response
    #[arg(long, value_name = "SENDERS")]
    pub(crate) closed: Option<usize>,
    /// Number of watches
    #[arg(long, value_name = "N")]
    pub(crate) watches: Option<usize>,
    /// Rate of opening watches, in watches per second
    #[arg(long, value_name = "PER_SECOND")]
    pub(crate) opening: Option<f64>,
    /// Number of objects to create before the load
    #[arg(long, value_name = "N")]
    pub(crate) objects: Option<usize>,
    /// Size of each object in bytes, for example 4k
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) size: Option<usize>,
    /// Number of namespaces for the objects
    #[arg(long, value_name = "N")]
    pub(crate) namespaces: Option<usize>,
    /// Number of connections for requests
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<usize>,
    /// Maximum number of concurrent streams per connection, if the server allows that many
    #[arg(long, value_name = "N")]
    pub(crate) streams: Option<usize>,
    #[expect(clippy::doc_markdown, reason = "it is shown as it stands")]
    /// JSON file with the object to create copies of, instead of ConfigMaps
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
}

fn pairs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(pairs @ 1..=MOST_PAIRS) => Ok(pairs),
        _ => Err(format!("give 1 to {MOST_PAIRS} pairs")),
    }
}

/// `1024`, `4k` or `1M`, as bytes.
fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: usize =
        number.parse().map_err(|_| format!("{text:?} is not a size such as 512, 4k or 1M"))?;
    match unit {
        "" => Ok(number),
        "k" => Ok(number.saturating_mul(1 << 10)),
        "M" => Ok(number.saturating_mul(1 << 20)),
        _ => Err(format!("{unit:?} is not a unit of size: use k or M")),
    }
}
