//! `kube-assay prove`

use std::time::Duration;

use clap::Args;

use super::{SelectionArgs, TargetArgs, duration};

/// `kube-assay prove`
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// How many faults are tried at a time
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) parallel: u16,
    /// How long a fault may keep a scenario waiting for what never comes
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = duration)]
    pub(crate) patience: Duration,
    /// Every fault, as soon as it is known what became of it
    #[arg(short, long)]
    pub(crate) verbose: bool,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
}
