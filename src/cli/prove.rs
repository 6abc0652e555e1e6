//! `kube-assay prove`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{SelectionArgs, TargetArgs, event_timeout};

/// `kube-assay prove`
#[derive(Debug, Args)]
#[command(mut_arg("server", |server| {
    server.long("through").visible_alias("server").help("Play the faults in a proxy in front of the server at this URL, for example https://127.0.0.1:6443")
}))]
pub(crate) struct ProveArgs {
    /// Number of scenarios of other clauses to run against each fault, from 0 to 50
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) sample: u8,
    /// Directory for the mutation matrix
    #[arg(long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output_dir: PathBuf,
    /// Maximum number of concurrent faults, from 1 to 64
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) parallel: u16,
    /// Timeout for one watch event or change; a later one counts as missing
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = event_timeout)]
    pub(crate) event_timeout: Duration,
    /// Print every fault as soon as its result is known
    #[arg(short, long)]
    pub(crate) verbose: bool,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// Play only this bug of a real server, for example kubernetes-58545; `all` plays all, `list bugs` shows them
    /// (repeatable)
    #[arg(long, value_name = "BUG", help_heading = "Selection")]
    pub(crate) bug: Vec<String>,
}
