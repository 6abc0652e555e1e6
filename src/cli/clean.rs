//! The command line of `clean`.

use std::time::Duration;

use clap::Args;

use super::values::{duration, run_id};
use super::{FileArgs, TargetArgs};

/// `kube-assay clean`
#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// Remove only the objects of this run; its output and the label kube-assay/run have its ID [default: all runs]
    #[arg(long, value_name = "ID", value_parser = run_id)]
    pub(crate) run: Option<String>,
    /// Also search this type, for servers that do not list it in /apis
    #[arg(long, value_name = "GROUP/VERSION/RESOURCE")]
    pub(crate) subject: Option<harness::SubjectSpec>,
    /// Print what the command would remove, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Timeout for one request, with its whole response
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    /// Stop if no object disappears within this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub(crate) removal_timeout: Duration,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}
