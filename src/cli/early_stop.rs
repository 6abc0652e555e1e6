//! Flags that end a run after failures.

use clap::Args;

/// The number of failures that ends a run.
#[derive(Debug, Args)]
pub(crate) struct EarlyStopArgs {
    /// Stop the run after N failed scenarios, and remove what it created [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_failures: Option<u32>,
    /// Stop the run after the first failed scenario
    #[arg(long, conflicts_with = "max_failures")]
    fail_fast: bool,
}

impl EarlyStopArgs {
    /// The number of failed scenarios; `None` without a limit.
    pub(crate) fn limit(&self) -> Option<usize> {
        let given = if self.fail_fast { Some(1) } else { self.max_failures };
        given.and_then(|limit| usize::try_from(limit).ok())
    }
}
