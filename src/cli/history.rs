//! The command line of `history`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jiff::Timestamp;

use super::{label, percent};

/// `kube-assay history`
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// What to do with the history.
    #[command(subcommand)]
    pub(crate) action: HistoryAction,
}

/// What can be done with a history.
#[derive(Debug, Subcommand)]
pub(crate) enum HistoryAction {
    /// Keep results of load runs in a store
    Add(HistoryAddArgs),
    /// Show the level of every number, and its change points
    Show(HistoryShowArgs),
    /// Fail if the newest results are slower since a change point
    Check(HistoryCheckArgs),
    /// Write one HTML page with a chart of every number
    Page(HistoryPageArgs),
}

/// `kube-assay history add`
#[derive(Debug, Args)]
pub(crate) struct HistoryAddArgs {
    /// Results to keep: summary.json of load runs, or the directories that hold them
    #[arg(value_name = "RESULT", required = true)]
    pub(crate) results: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

/// The store of every action.
#[derive(Debug, Args)]
pub(crate) struct StoreArg {
    /// Directory with one file per result, for example a branch of its own; `add` makes it
    #[arg(long = "store", value_name = "DIR")]
    pub(crate) path: PathBuf,
}

/// Which results of a store are read.
#[derive(Debug, Args)]
pub(crate) struct StoredResultsArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Read only results with this label, for example branch=main (repeatable)
    #[arg(long = "label", value_name = "NAME=VALUE", value_parser = label)]
    pub(crate) labels: Vec<(String, String)>,
}

/// `kube-assay history show`
#[derive(Debug, Args)]
pub(crate) struct HistoryShowArgs {
    #[command(flatten)]
    pub(crate) results: StoredResultsArgs,
}

/// `kube-assay history check`
#[derive(Debug, Args)]
pub(crate) struct HistoryCheckArgs {
    #[command(flatten)]
    pub(crate) results: StoredResultsArgs,
    /// Fail (exit 1) if a number is slower by more than this since a change point
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "5%")]
    pub(crate) max_regression: f64,
    /// Accept all change points before this time, for example 2026-11-25T00:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Timestamp>,
    #[expect(clippy::doc_markdown, reason = "it is shown as it stands")]
    /// Write JUnit with a test case for each number into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// `kube-assay history page`
#[derive(Debug, Args)]
pub(crate) struct HistoryPageArgs {
    #[command(flatten)]
    pub(crate) results: StoredResultsArgs,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}
