//! The command line of `list`.

use clap::{Args, ValueEnum};

use super::SelectionArgs;

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// Clauses, with level and whether a scenario exists
    Clauses,
    /// Scenarios, with area, level and clauses
    Scenarios,
    /// Areas, with the number of clauses that have a scenario, by level
    Coverage,
    /// Faults that the reference server can play
    Faults,
    /// Past bugs of real servers that the reference server can play
    Bugs,
    /// Variants: correct behaviour unlike kube-apiserver's
    Variants,
    /// Workloads of `load`, and what each models
    Workloads,
    /// Requirement sets and their conformance profiles, with the number of clauses by level
    Requirements,
}

/// The format of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns
    Table,
    /// JSON array of objects
    Json,
}

/// `kube-assay list`
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Kind of list
    pub(crate) what: Listing,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// Output format
    #[arg(short, long, visible_alias = "format", value_name = "FORMAT", default_value = "table")]
    pub(crate) output: Format,
}
