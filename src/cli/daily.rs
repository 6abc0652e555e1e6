//! Flags for daily use: known failures, repetitions, and a rerun of failed scenarios.

use std::path::PathBuf;

use clap::Args;

/// Flags that relate a run to earlier runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Daily use")]
pub(crate) struct DailyArgs {
    /// TOML list of known failures, each with a reason and a link; they do not fail the run
    #[arg(long, value_name = "FILE")]
    pub(crate) known_failures: Option<PathBuf>,
    /// Write the failures of this run into such a file, with the given entries that still apply
    #[arg(long, value_name = "FILE")]
    pub(crate) write_known_failures: Option<PathBuf>,
    /// Run only the failed and inconclusive scenarios of an earlier run (its events.jsonl, or its directory)
    #[arg(long, value_name = "EVENTS")]
    pub(crate) rerun_failed: Option<PathBuf>,
    /// Run each scenario N times; differing verdicts count as flaky and fail the run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeat: u16,
}
