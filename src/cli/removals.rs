//! The command line of `removals`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::duration;
use super::{FileArgs, OutputArgs, TargetArgs};

/// `kube-assay removals`
#[derive(Debug, Args)]
pub(crate) struct RemovalsArgs {
    /// Kubernetes minor version before the upgrade, for example 1.30 [default: that of the target, or that before the
    /// first removal]
    #[arg(long, value_name = "MINOR")]
    pub(crate) from: Option<harness::Version>,
    /// Kubernetes minor version after the upgrade [default: the newest release that kube-assay knows]
    #[arg(long, value_name = "MINOR")]
    pub(crate) to: Option<harness::Version>,
    /// Manifest in YAML or JSON, or folder with manifests, or - for standard input (repeatable)
    #[arg(short, long, value_name = "PATH")]
    pub(crate) filename: Vec<PathBuf>,
    /// Timeout for one request, with its whole response
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}
