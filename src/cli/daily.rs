//! What makes a run part of daily work: known failures, repetitions, and what failed before.

use std::path::PathBuf;

use clap::Args;

/// How a run stands to those before it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Daily use")]
pub(crate) struct DailyArgs {
    /// Failures that are known, each with a reason and a link: they do not fail the run (TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) known_failures: Option<PathBuf>,
    /// Write what fails into such a file, together with the entries given that still hold
    #[arg(long, value_name = "FILE")]
    pub(crate) write_known_failures: Option<PathBuf>,
    /// Only what failed, or could not be found out, in this recording of a run (its events.jsonl)
    #[arg(long, value_name = "EVENTS")]
    pub(crate) rerun_failed: Option<PathBuf>,
    /// Ask each scenario so often: one that is not always answered alike is flaky, and fails the run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeat: u16,
}
