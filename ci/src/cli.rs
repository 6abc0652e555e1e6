//! The command line of `cargo ci`.

use clap::{Args, Parser, Subcommand};

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
    /// Everything: fmt, tidy, lint, deny, test, real; stops at the first failure.
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
    /// Writes `docs/areas` again from the catalogue, after a change of clauses, scenarios or faults.
    Docs,
    /// Writes docs/matrix.md anew: every fault, and the scenarios that notice it. `test` holds the page against what it sees.
    Matrix,
    /// How fast the judges are, and what load costs to make; not part of `check`, which only compiles the benchmarks.
    Bench,
    /// kube-assay against a real kube-apiserver, found where `KUBEBUILDER_ASSETS` says.
    Real(Wish),
    /// Drops the history of the etcd behind a real server: the `compact` lever.
    Compact {
        /// The client address, as in <http://127.0.0.1:2379>.
        #[arg(long)]
        etcd: String,
    },
}

/// What is wanted of the real server.
#[derive(Debug, Default, Args)]
pub(crate) struct Wish {
    /// Only start a server, say how to reach it, and wait for Ctrl-C.
    #[arg(long)]
    pub(crate) serve: bool,
    /// Only this flavour of the server (default, no-watch-cache, no-watch-list, compaction, levers).
    #[arg(long, value_name = "NAME")]
    pub(crate) flavour: Option<String>,
    /// Run the flavour's first row this many times against one server, to find what is flaky.
    #[arg(long, value_name = "N", requires = "flavour", conflicts_with = "serve")]
    pub(crate) repeat: Option<usize>,
    /// Further flags for kube-apiserver.
    #[arg(last = true, value_name = "APISERVER FLAGS")]
    pub(crate) flags: Vec<String>,
}
