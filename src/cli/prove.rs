//! `kube-assay prove`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{SelectionArgs, TargetArgs, duration};

/// `kube-assay prove`
#[derive(Debug, Args)]
#[command(mut_arg("server", |server| {
    server.long("through").visible_alias("server").help("Put the faults in front of the server at this URL, such as https://127.0.0.1:6443")
}))]
pub(crate) struct ProveArgs {
    /// How many scenarios of other clauses each fault is shown to as well
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) sample: u8,
    /// Where the kill matrix goes
    #[arg(short, long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output: PathBuf,
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
    /// Only a bug that a real server once had, such as kubernetes-58545; `list bugs` shows all, and `all` tries them (may
    /// be repeated)
    #[arg(long, value_name = "BUG", help_heading = "Selection")]
    pub(crate) bug: Vec<String>,
}
