//! The command line of `kube-assay load`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};
use harness::load::comparison::MOST_PAIRS;
use harness::load::{Preset, Threshold};

use super::{TargetArgs, duration, percent};

/// `kube-assay load`
#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// A workload's name (`list workloads` shows all), or a TOML file with one
    pub(crate) workload: String,
    /// What must hold, such as 'p99<500ms for LIST configmaps' (may be repeated)
    #[arg(long, value_name = "RULE", help_heading = "Judgement")]
    pub(crate) threshold: Vec<Threshold>,
    /// A table of thresholds: k8s-official, cl2 or watch (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = preset, help_heading = "Judgement")]
    pub(crate) slo: Vec<Preset>,
    /// Stop as soon as a threshold is missed
    #[arg(long, help_heading = "Judgement")]
    pub(crate) abort_on_miss: bool,
    /// Compare with another server: its target flags in one argument, such as '--server URL --token-file FILE'
    #[arg(long, value_name = "FLAGS", value_parser = other, allow_hyphen_values = true, help_heading = "Comparison",
          conflicts_with_all = ["threshold", "slo"])]
    pub(crate) against: Option<Other>,
    /// How many runs of each server, in turn [default: the fewest that can judge the workload's numbers]
    #[arg(long, value_name = "N", value_parser = pairs, requires = "against", help_heading = "Comparison")]
    pub(crate) pairs: Option<usize>,
    /// Fail (exit 1) if a percentile is worse than the other server's by more than this at 99 % confidence, such as 10%
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "against", help_heading = "Comparison")]
    pub(crate) max_regression: Option<f64>,
    /// The folder for the reports
    #[arg(short, long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output: PathBuf,
    /// The seed of the schedule [default: derived from the workload's name]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// How long the server may take to answer one request
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) answer_within: Duration,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) scale: ScaleArgs,
    /// Speak HTTP/2 without TLS: the server is known to
    #[arg(long, help_heading = "Target (the embedded reference server if none is given)")]
    pub(crate) http2: bool,
}

/// How much of it, instead of what the workload says.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scale (instead of what the workload says)")]
pub(crate) struct ScaleArgs {
    /// How long is measured
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) duration: Option<Duration>,
    /// How long the load is there before that
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) warm_up: Option<Duration>,
    /// How long is waited for what is under way at the end
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) drain: Option<Duration>,
    /// How many requests start a second, whatever the answers take
    #[arg(long, value_name = "PER_SECOND", conflicts_with = "closed")]
    pub(crate) rate: Option<f64>,
    /// Instead: so many senders, each with its next request when it has its answer
    #[arg(long, value_name = "SENDERS")]
    pub(crate) closed: Option<usize>,
    /// How many watches
    #[arg(long, value_name = "N")]
    pub(crate) watches: Option<usize>,
    /// How many watches are opened a second
    #[arg(long, value_name = "PER_SECOND")]
    pub(crate) opening: Option<f64>,
    /// How many objects there are before
    #[arg(long, value_name = "N")]
    pub(crate) objects: Option<usize>,
    /// How large each is, such as 4k
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) size: Option<usize>,
    /// In how many namespaces they are
    #[arg(long, value_name = "N")]
    pub(crate) namespaces: Option<usize>,
    /// Over how many connections requests go
    #[arg(long, value_name = "N")]
    pub(crate) connections: Option<usize>,
    /// How many watches, and requests at a time, go over one connection, if the server allows as many
    #[arg(long, value_name = "N")]
    pub(crate) streams: Option<usize>,
    #[expect(clippy::doc_markdown, reason = "it is shown as it stands")]
    /// What the objects are, instead of ConfigMaps: a file with one in JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<PathBuf>,
}

/// Another server.
#[derive(Debug, Clone, Parser)]
#[command(name = "--against", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct Other {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Speak HTTP/2 without TLS: the server is known to
    #[arg(long)]
    pub(crate) http2: bool,
}

/// A server's flags, with blanks between them.
fn other(text: &str) -> Result<Other, String> {
    Other::try_parse_from(text.split_whitespace()).map_err(|why| {
        let why = why.to_string();
        let said = why.lines().map(str::trim).take_while(|line| !line.is_empty());
        said.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned()
    })
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

/// A table of thresholds by its name.
fn preset(text: &str) -> Result<Preset, String> {
    let names = || Preset::ALL.map(|preset| preset.name).join(", ");
    Preset::named(text).ok_or_else(|| format!("there is none of this name; give one of {}", names()))
}
