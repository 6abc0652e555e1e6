//! The command line of `cargo ci`.

use clap::{Parser, Subcommand};

/// The project's own checks, the same here as on a CI machine.
#[derive(Debug, Parser)]
#[command(name = "cargo ci", bin_name = "cargo ci")]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// One thing that `cargo ci` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Everything: fmt, tidy, lint, deny, test; stops at the first failure.
    Check,
    /// The formatting is rustfmt's.
    Fmt,
    /// The invariants of the code base hold.
    Tidy {
        /// Only name the invariants.
        #[arg(long)]
        list: bool,
    },
    /// Clippy and rustdoc have nothing to say.
    Lint,
    /// Licences, banned crates, sources and advisories of the dependencies.
    Deny,
    /// All unit, integration and end-to-end tests.
    Test,
}
