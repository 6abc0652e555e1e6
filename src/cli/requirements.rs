//! The flags of `run` for a requirement set.

use clap::Args;

/// The requirement set that a run selects.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct RequirementArgs {
    /// Select the clauses of a requirement set, for example kubernetes-1.36; `list requirements` shows all. Its minor
    /// replaces the version of the server
    #[arg(long, value_name = "SET", conflicts_with = "release")]
    pub(crate) requirements: Option<String>,
    /// Conformance profiles of the set that the server claims, for example core,apply: a feature that they require must be
    /// there [default: all but the optional ones]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "requirements", alias = "profiles")]
    pub(crate) conformance_profiles: Vec<String>,
}
