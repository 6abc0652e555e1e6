//! The command line of `cargo ci`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::release::{BuildOptions, ReleaseFilesOptions};

/// The project's own checks, the same here as on a CI machine.
#[derive(Debug, Parser)]
#[command(name = "cargo ci", bin_name = "cargo ci")]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// A task of `cargo ci`.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Run fmt, tidy, lint, deny, test, packaging and real; stop at the first failure.
    Check,
    /// Check the formatting with rustfmt.
    Fmt,
    /// Check the invariants of the code base.
    Tidy {
        /// Print the names of the invariants only.
        #[arg(long)]
        list: bool,
    },
    /// Fail on warnings of Clippy and rustdoc.
    Lint,
    /// Check licences, banned crates, sources and advisories of the dependencies.
    Deny,
    /// Check workflows, scripts, manifests and the files of a release, each with its linter or a real server.
    Packaging,
    /// Run all unit, integration and end-to-end tests.
    Test,
    /// Write `docs/areas` from the catalogue, after a change of clauses, scenarios or faults.
    Docs,
    /// Write docs/matrix.md: every fault, and the scenarios that fail for it. `test` compares the page with its results.
    Matrix,
    /// Write the fields of the reference's built-in kinds as published with a Kubernetes release.
    Kinds(Release),
    /// Write the requirement sets in suites/requirements that do not exist yet; existing ones never change.
    Requirements,
    /// Run the benchmarks of the checks and of the load engine; `check` only compiles them.
    Bench,
    /// Run kube-assay against a real kube-apiserver from `KUBEBUILDER_ASSETS`.
    Real(RealOptions),
    /// Build the binary of a release for a target, and pack it.
    Archive(BuildOptions),
    /// Build the checked-out commit in two folders, and fail if the binaries differ.
    Reproducible {
        /// Rust target, for example x86_64-unknown-linux-musl.
        #[arg(long)]
        target: String,
    },
    /// Write the Homebrew formula, the krew manifest, the manifests for clusters, and the checksums of a release.
    ReleaseFiles(ReleaseFilesOptions),
    /// Compact the etcd of a real server: the `compact` hook.
    Compact {
        /// Client URL of etcd, for example <http://127.0.0.1:2379>.
        #[arg(long)]
        etcd: String,
    },
}

/// The Kubernetes release of the kinds.
#[derive(Debug, Args)]
pub(crate) struct Release {
    /// Release, for example v1.36.3.
    pub(crate) version: String,
    /// Folder with the files of api/openapi-spec/v3 and staging/src at that release [default: curl downloads them].
    #[arg(long, value_name = "DIR")]
    pub(crate) from: Option<PathBuf>,
    /// Compare with the committed table, and write nothing.
    #[arg(long)]
    pub(crate) check: bool,
}

/// Options of the run against a real server.
#[derive(Debug, Default, Args)]
pub(crate) struct RealOptions {
    /// Start a server, print its address and credentials, and wait for Ctrl-C.
    #[arg(long)]
    pub(crate) serve: bool,
    /// Run only this flavour of the server: default, no-watch-list, compaction, hooks, replicas or no-watch-cache.
    #[arg(long, value_name = "NAME")]
    pub(crate) flavour: Option<String>,
    /// Run the first row of the flavour N times against one server, to find flaky scenarios.
    #[arg(long, value_name = "N", requires = "flavour", conflicts_with = "serve")]
    pub(crate) repeat: Option<usize>,
    /// Further flags for kube-apiserver.
    #[arg(last = true, value_name = "APISERVER FLAGS")]
    pub(crate) flags: Vec<String>,
}
