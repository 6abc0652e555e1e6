//! The command line of `replay`, and the flag that records for it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `kube-assay replay`
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// File evidence.jsonl.gz of a run with --evidence full, or its directory
    pub(crate) evidence: PathBuf,
}

/// The extent of the recorded exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvidenceArg {
    /// The exchanges behind failures and test errors, in the reports
    Failures,
    /// Every exchange and watch event of the run, in evidence.jsonl.gz, for `kube-assay replay`
    Full,
}

impl EvidenceArg {
    /// Whether every exchange is recorded.
    pub(crate) fn is_full(self) -> bool {
        self == Self::Full
    }
}
