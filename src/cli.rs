//! The whole command line.

mod daily;
#[cfg(test)]
mod documented;
mod flags;
mod help;
mod load;
mod prove;
mod setup;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub(crate) use daily::DailyArgs;
pub(crate) use load::{LoadArgs, Other, ScaleArgs};
pub(crate) use prove::ProveArgs;
pub(crate) use setup::{Completer, CompletionsArgs, ManArgs};

use crate::called::called;
use values::{duration, lever, percent};

/// A conformance suite and load generator for Kubernetes API servers.
///
/// It asks any server that speaks the Kubernetes API whether it behaves as the published API rules say, clause by
/// clause: a clause is one rule, a scenario asks about it, a failure shows the exchange that broke it.
#[derive(Debug, Parser)]
#[command(name = "kube-assay", version, propagate_version = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What the user wants, and the flags given for it; ends the program with usage, help or version if it is none of
    /// our commands.
    pub(crate) fn read() -> (Self, Vec<String>) {
        let command = Self::called(called());
        let matches = command.clone().get_matches();
        let cli = Self::from_arg_matches(&matches).unwrap_or_else(|why| why.exit());
        (cli, flags::given(&command, &matches))
    }

    /// The whole command line, as the user calls it.
    pub(crate) fn called(name: &'static str) -> clap::Command {
        help::under(Self::command(), name)
    }
}

/// What kube-assay can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a server whether it keeps the rules.
    Run(Box<RunArgs>),
    /// Put a workload on a server, and measure what it bears.
    Load(Box<LoadArgs>),
    /// List rules, scenarios, areas and how much of them is asked, faults, workloads.
    List(ListArgs),
    /// Explain a clause: statement, level, source, how it is asked, which fault breaks it.
    Explain(ExplainArgs),
    /// Make the reports again from a recorded run.
    Report(ReportArgs),
    /// Compare two runs: what changed, and whether something is worse.
    Compare(CompareArgs),
    /// Try what the suites notice: every fault in turn, in the reference server or in front of the target.
    Prove(Box<ProveArgs>),
    /// Run the reference server, for demos and for testing clients.
    Serve(ServeArgs),
    /// Print a script that lets a shell complete commands and flags.
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them.
    Man(ManArgs),
}

/// Whom to ask.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target (the embedded reference server if none is given)")]
pub(crate) struct TargetArgs {
    /// A kubeconfig file; yours is never used unless it is named here
    #[arg(long, value_name = "FILE", conflicts_with_all = ["server", "in_cluster"])]
    pub(crate) kubeconfig: Option<PathBuf>,
    /// The context to use in the kubeconfig, instead of its current one
    #[arg(long, value_name = "NAME", requires = "kubeconfig")]
    pub(crate) context: Option<String>,
    /// Use the service account of the pod that this runs in
    #[arg(long, conflicts_with = "server")]
    pub(crate) in_cluster: bool,
    /// The server's URL
    #[arg(long, value_name = "URL", help = "The server's URL, such as https://127.0.0.1:6443")]
    pub(crate) server: Option<String>,
    /// A bearer token (prefer --token-file: other users can see a command line)
    #[arg(long, value_name = "TOKEN", requires = "server", conflicts_with = "token_file")]
    pub(crate) token: Option<String>,
    /// A file with a bearer token, read again when it changes
    #[arg(long, value_name = "FILE", requires = "server")]
    pub(crate) token_file: Option<PathBuf>,
    /// A PEM bundle to trust instead of the system's
    #[arg(long, value_name = "FILE", requires = "server", conflicts_with = "insecure_skip_tls_verify")]
    pub(crate) certificate_authority: Option<PathBuf>,
    /// A PEM client certificate
    #[arg(long, value_name = "FILE", requires = "server", requires = "client_key")]
    pub(crate) client_certificate: Option<PathBuf>,
    /// The client certificate's key
    #[arg(long, value_name = "FILE", requires = "server", requires = "client_certificate")]
    pub(crate) client_key: Option<PathBuf>,
    /// Trust any certificate (only for servers of your own)
    #[arg(long, requires = "server")]
    pub(crate) insecure_skip_tls_verify: bool,
}

/// What to ask.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectionArgs {
    /// Only this area, such as `watch`; `list coverage` shows all (may be repeated)
    #[arg(long, value_name = "AREA")]
    pub(crate) area: Vec<String>,
    /// Only clauses or scenarios of this name, such as 'rv-list-*' (may be repeated)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) clause: Vec<String>,
    /// Not these clauses or scenarios (may be repeated)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) skip: Vec<String>,
    /// Only clauses of this level (may be repeated)
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Vec<LevelArg>,
    /// How much to ask: `basic` suits partial servers and mocks, `full` adds what is slow or heavy
    #[arg(long, value_name = "PROFILE", default_value = "core")]
    pub(crate) profile: Profile,
    /// Only this part of it, such as 1/3: all parts together are the whole, on any number of machines
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<harness::Shard>,
}

/// A level, as written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LevelArg {
    /// Violating it fails the run
    Must,
    /// Violating it is a warning
    Should,
    /// Reported as offered or not
    May,
}

impl From<LevelArg> for harness::Level {
    fn from(level: LevelArg) -> Self {
        match level {
            LevelArg::Must => Self::Must,
            LevelArg::Should => Self::Should,
            LevelArg::May => Self::May,
        }
    }
}

/// How much to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// For partial servers and mocks: create, read, update, delete, list, watch, conflicts and errors
    Basic,
    /// What any server should be asked
    Core,
    /// Also what is slow or heavy
    Full,
}

impl From<Profile> for harness::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Basic => Self::Basic,
            Profile::Core => Self::Core,
            Profile::Full => Self::Full,
        }
    }
}

/// `kube-assay run`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct RunArgs {
    /// The folder for the reports
    #[arg(short, long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output: PathBuf,
    /// How many scenarios run at a time
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) parallel: u16,
    /// The number that a run printed: gives the same order of scenarios, and the same random choices, again
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// How long one scenario may take
    #[arg(long, value_name = "TIME", default_value = "120s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// How long an event may take to arrive before it counts as missing
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = duration)]
    pub(crate) patience: Duration,
    /// How long the server may take to answer one request
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) answer_within: Duration,
    /// Wait for old versions to expire by themselves, at most this long
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) wait_for_compaction: Option<Duration>,
    /// A command that does what only an operator can: compact, break-store, mend-store or shutdown (may be repeated)
    #[arg(long, value_name = "NAME=CMD", value_parser = lever)]
    pub(crate) lever: Vec<(String, String)>,
    /// A violated `should` fails the run as well
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write TAP 14 to standard output instead of the table and the failures
    #[arg(long)]
    pub(crate) tap: bool,
    /// Only the table and the failures
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Every scenario, and every clause that was not asked
    #[arg(short, long)]
    pub(crate) verbose: bool,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// An optional feature that the server is meant to offer: a violation if it does not (may be repeated)
    #[arg(long, value_name = "FEATURE", help_heading = "Selection")]
    pub(crate) feature: Vec<String>,
    /// An optional feature that the server does not offer: not asked (may be repeated)
    #[arg(long, value_name = "FEATURE", help_heading = "Selection")]
    pub(crate) no_feature: Vec<String>,
    /// Judge the server by this Kubernetes minor, such as 1.36, whatever its /version says
    #[arg(long, value_name = "MINOR", help_heading = "Selection")]
    pub(crate) release: Option<harness::Version>,
    /// Only what changes nothing on the server
    #[arg(long, help_heading = "Selection")]
    pub(crate) read_only: bool,
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) daily: DailyArgs,
}

/// Of which type generic questions are asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SubjectArgs {
    /// Ask the generic questions of this type, and no others: for servers without `ConfigMaps`
    #[arg(long, value_name = "GROUP/VERSION/RESOURCE", requires = "template")]
    pub(crate) subject: Option<harness::Given>,
    /// An object of that type, in YAML or JSON, with $VALUE where any text may stand
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub(crate) template: Option<PathBuf>,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// The rules, with their level and whether they are asked
    Clauses,
    /// The questions, and the rules that each answers
    Scenarios,
    /// The areas, and how many of their rules are asked, by level
    Coverage,
    /// The ways in which the reference server can be wrong
    Faults,
    /// The bugs that real servers once had, and that the reference server can have again
    Bugs,
    /// The ways in which it can be right and unlike kube-apiserver
    Variants,
    /// What `load` can put on a server, and what each models
    Workloads,
}

/// How a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs
    Json,
}

/// `kube-assay list`
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// What to list
    pub(crate) what: Listing,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

/// `kube-assay explain`
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The clause's id, as in a report or in `list clauses`
    pub(crate) clause: String,
}

/// `kube-assay report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The events.jsonl that a run wrote into its folder
    pub(crate) events: PathBuf,
    /// Write all reports into this directory
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    #[expect(clippy::doc_markdown, reason = "it is shown as it stands")]
    /// Write the JUnit report here
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the page for people here
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the summary here
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Write the coverage here
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage: Option<PathBuf>,
    /// Write TAP 14 to standard output
    #[arg(long)]
    pub(crate) tap: bool,
    /// Every scenario, and every clause that was not asked
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// `kube-assay compare`
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier and the later run: its summary.json or events.jsonl, or the folder that holds them
    #[arg(value_names = ["BASE", "NEW"], required = true, num_args = 1..=2)]
    pub(crate) runs: Vec<PathBuf>,
    /// The earlier run, if only the later one is named otherwise
    #[arg(long, value_name = "BASE")]
    pub(crate) changed_since: Option<PathBuf>,
    /// Of load runs: mark numbers that are worse by more than this, such as 10%; exit with 3, as one run of each server
    /// cannot tell a change from chance
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) max_regression: Option<f64>,
}

/// `kube-assay serve`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// A way to be wrong; `list faults` shows all (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) fault: Vec<String>,
    /// A bug that a real server once had, such as kubernetes-58545; `list bugs` shows all (may be repeated)
    #[arg(long, value_name = "BUG")]
    pub(crate) bug: Vec<String>,
    /// A way to be right and yet unlike kube-apiserver; `list variants` shows all (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Vec<String>,
    /// Where to listen: a loopback address
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8001")]
    pub(crate) addr: std::net::SocketAddr,
    /// Let nobody do anything without the token, as the embedded server does (kubectl sends none over plain HTTP)
    #[arg(long)]
    pub(crate) require_token: bool,
}
