//! The whole command line.

mod against;
mod candidates;
mod certify;
mod clean;
mod color;
mod daily;
#[cfg(test)]
mod documented;
mod early_stop;
mod export;
mod flags;
mod help;
mod history;
mod labels;
mod list;
mod load;
mod load_workers;
mod output;
mod prove;
mod removals;
mod replay;
mod report;
mod requirements;
mod setup;
mod target;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub(crate) use against::Other;
pub(crate) use certify::{CertifyArgs, VerifyArgs};
pub(crate) use clean::CleanArgs;
pub(crate) use daily::DailyArgs;
pub(crate) use early_stop::EarlyStopArgs;
pub(crate) use export::ExportArgs;
pub(crate) use history::{
    HistoryAction, HistoryAddArgs, HistoryArgs, HistoryCheckArgs, HistoryPageArgs, HistoryShowArgs,
    StoredResultsArgs,
};
pub(crate) use labels::LabelArgs;
pub(crate) use list::{Format, ListArgs, Listing};
pub(crate) use load::{LoadArgs, ScaleArgs};
pub(crate) use load_workers::{JobClusterArgs, LoadWorkerArgs, Place, WorkersArgs};
pub(crate) use output::OutputArgs;
pub(crate) use prove::ProveArgs;
pub(crate) use removals::RemovalsArgs;
pub(crate) use replay::{EvidenceArg, ReplayArgs};
pub(crate) use report::ReportArgs;
pub(crate) use requirements::RequirementArgs;
pub(crate) use setup::{Completer, CompletionsArgs, ManArgs};
pub(crate) use target::{FileArgs, TargetArgs};

use crate::called::called;
use crate::config::layered;
use crate::exit::Exit;
use crate::output::{complain, refuse};
use crate::standard_output;
use values::{duration, event_timeout, hook, label, percent};

/// A conformance suite and load generator for Kubernetes API servers.
///
/// kube-assay tests a server against the published rules of the Kubernetes API. A clause is one rule, a scenario tests
/// one or more clauses, and a failure shows the exchange that breaks the clause.
#[derive(Debug, Parser)]
#[command(name = "kube-assay", version, propagate_version = true)]
pub(crate) struct Cli {
    /// Colours on standard output and standard error; `auto` is for terminals, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What the user wants, and the flags given for it; or how to end after help or a version was shown. Ends the
    /// program with usage if it is none of our commands.
    pub(crate) fn read() -> Result<(Self, Vec<String>), Exit> {
        let words: Vec<OsString> = std::env::args_os().collect();
        let command = Self::called(called()).color(color::given(&words));
        let (command, words) = match layered(command, words) {
            Ok(layered) => layered,
            Err(why) => {
                complain(why);
                return Err(Exit::Usage);
            }
        };
        let matches = match command.clone().try_get_matches_from(words) {
            Ok(matches) => matches,
            Err(why) if why.use_stderr() => return Err(refuse(&why)),
            Err(shown) => {
                standard_output::keep(shown.print());
                return Err(Exit::Passed);
            }
        };
        let cli = Self::from_arg_matches(&matches).map_err(|why| refuse(&why))?;
        Ok((cli, flags::given(&command, &matches)))
    }

    /// The whole command line, as the user calls it.
    pub(crate) fn called(name: &'static str) -> clap::Command {
        help::under(Self::command(), name)
    }
}

/// What kube-assay can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Test a server against the clauses of the Kubernetes API.
    Run(Box<RunArgs>),
    /// Run a load test against a server.
    Load(Box<LoadArgs>),
    /// Perform a share of a load run that another process coordinates.
    LoadWorker(Box<LoadWorkerArgs>),
    /// List clauses, scenarios, coverage, faults, bugs, variants, workloads or requirement sets.
    List(ListArgs),
    /// Explain a clause: statement, level, source, scenarios and fault.
    Explain(ExplainArgs),
    /// Write the reports of a recorded run again.
    Report(ReportArgs),
    /// Run the scenarios against the full evidence of a run, without a server.
    Replay(ReplayArgs),
    /// Replay the full evidence of a run, and sign a certificate of what it shows.
    Certify(CertifyArgs),
    /// Verify a certificate, and recompute every verdict from its evidence.
    Verify(VerifyArgs),
    /// Compare two runs, and report changes and regressions.
    Compare(CompareArgs),
    /// Write results of load runs in the format of another tool.
    Export(ExportArgs),
    /// Keep results of load runs, and find the change points between them.
    History(HistoryArgs),
    /// Test the suites: play every fault in turn, and report which scenario fails.
    Prove(Box<ProveArgs>),
    /// Remove what runs left on a server, for example after kill -9.
    Clean(Box<CleanArgs>),
    /// List the uses of APIs that an upgrade of the server removes.
    Removals(Box<RemovalsArgs>),
    /// Run the reference server, for demos and client tests.
    Serve(ServeArgs),
    /// Print a shell completion script.
    Completions(CompletionsArgs),
    /// Print one manual page, or write all of them.
    Man(ManArgs),
    /// Print the version, the commit, and the versions of all formats.
    Version(VersionArgs),
}

/// Which scenarios run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectionArgs {
    /// Select the clauses of this area, for example `watch`; `list coverage` shows all (repeatable)
    #[arg(long, value_name = "AREA")]
    pub(crate) area: Vec<String>,
    /// Select clauses or scenarios by id or glob, for example 'rv-list-*' (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) clause: Vec<String>,
    /// Leave out clauses or scenarios by id or glob (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) skip: Vec<String>,
    /// Select the clauses of this level (repeatable)
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Vec<LevelArg>,
    /// Extent of the run: `basic` for partial servers and mocks, `full` with slow and heavy scenarios
    #[arg(long, value_name = "PROFILE", default_value = "core")]
    pub(crate) profile: Profile,
    /// Run only shard I of N, for example 1/3
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<harness::Shard>,
}

/// A level, as written on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LevelArg {
    /// A failure fails the run
    Must,
    /// A failure is a warning
    Should,
    /// A failure means that the server does not support the feature
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

/// The extent of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// For partial servers and mocks: create, read, update, delete, list, watch, conflicts and errors
    Basic,
    /// All scenarios that are neither slow nor heavy
    Core,
    /// All scenarios
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
    /// Directory for the reports
    #[arg(long, value_name = "DIR", default_value = "assay-report")]
    pub(crate) output_dir: PathBuf,
    /// Maximum number of concurrent scenarios, from 1 to 256
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) parallel: u16,
    /// Seed for the order of scenarios and for random choices [default: random; the run prints it]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Timeout for one scenario
    #[arg(long, value_name = "TIME", default_value = "120s", value_parser = duration)]
    pub(crate) scenario_timeout: Duration,
    /// Timeout for one watch event or change; a later one counts as missing
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = event_timeout)]
    pub(crate) event_timeout: Duration,
    /// Timeout for one request, with its whole response
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    /// Memory for the responses of one scenario, in megabytes; a server with very large objects needs more. The run takes
    /// at most twice this, and about 100 MB beside it
    #[arg(long, value_name = "MB", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) response_memory: u16,
    /// Stop the run after this time, and then remove what it created, which takes a time of its own [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) deadline: Option<Duration>,
    #[command(flatten)]
    pub(crate) early_stop: EarlyStopArgs,
    /// Wait at most this long until old resource versions expire [default: skip their scenarios]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) wait_for_compaction: Option<Duration>,
    /// Another server of the same control plane, for the clauses about replicas; it takes the credentials of the target
    /// (repeatable)
    #[arg(long, value_name = "URL")]
    pub(crate) replica: Vec<String>,
    /// Shell command for an operator action: compact, break-store, mend-store,
    /// stop-replica, start-replica or shutdown (repeatable)
    #[arg(long, value_name = "NAME=CMD", value_parser = hook)]
    pub(crate) hook: Vec<(String, String)>,
    /// Exchanges to record
    #[arg(long, value_name = "EXTENT", default_value = "failures")]
    pub(crate) evidence: EvidenceArg,
    #[command(flatten)]
    pub(crate) labels: LabelArgs,
    /// Fail the run (exit 1) on warnings: failed `should` clauses
    #[arg(long)]
    pub(crate) strict: bool,
    /// Leave the namespaces and objects of failed scenarios on the server; `clean --run` removes them
    #[arg(long)]
    pub(crate) keep: bool,
    /// Write TAP 14 to standard output instead of the table and the failures
    #[arg(long, conflicts_with = "output")]
    pub(crate) tap: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print only the failed and inconclusive clauses, warnings, objects left behind, and the conclusion
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print every scenario and every skipped clause
    #[arg(short, long)]
    pub(crate) verbose: bool,
    // Last: their headings hold for all that follows.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    #[command(flatten)]
    pub(crate) requirements: RequirementArgs,
    /// Require an optional feature: its clauses fail if the server lacks it (repeatable)
    #[arg(long, value_name = "FEATURE", help_heading = "Selection")]
    pub(crate) feature: Vec<String>,
    /// Skip the clauses of an optional feature that the server does not support (repeatable)
    #[arg(long, value_name = "FEATURE", help_heading = "Selection")]
    pub(crate) no_feature: Vec<String>,
    /// Kubernetes minor version to test for, for example 1.36 [default: the one in /version]
    #[arg(long, value_name = "MINOR", help_heading = "Selection")]
    pub(crate) release: Option<harness::Version>,
    /// Run only scenarios that change nothing on the server
    #[arg(long, help_heading = "Selection")]
    pub(crate) read_only: bool,
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) daily: DailyArgs,
}

/// The resource under test of generic scenarios.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SubjectArgs {
    /// Run generic scenarios against this type only, for servers without `ConfigMaps`
    #[arg(long, value_name = "GROUP/VERSION/RESOURCE", requires = "template")]
    pub(crate) subject: Option<harness::SubjectSpec>,
    /// YAML or JSON object of that type, with $VALUE in a field that takes any text
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub(crate) template: Option<PathBuf>,
}

/// `kube-assay explain`
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Clause id, as in a report or in `list clauses`
    pub(crate) clause: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `kube-assay compare`
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Earlier and later run: summary.json, events.jsonl, or the directory that holds them
    #[arg(value_names = ["BASE", "NEW"], required = true, num_args = 1..=2)]
    pub(crate) runs: Vec<PathBuf>,
    /// Earlier run; the argument is then the later run
    #[arg(long, value_name = "BASE")]
    pub(crate) changed_since: Option<PathBuf>,
    /// For load runs: mark numbers that regress by more than this, for example 10%. The exit code is then 3, because one
    /// run of each server is inconclusive
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) max_regression: Option<f64>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `kube-assay version`
#[derive(Debug, Args)]
pub(crate) struct VersionArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `kube-assay serve`
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Play this fault; `list faults` shows all (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) fault: Vec<String>,
    /// Play this bug of a real server, for example kubernetes-58545; `list bugs` shows all (repeatable)
    #[arg(long, value_name = "BUG")]
    pub(crate) bug: Vec<String>,
    /// Play this variant: correct, but unlike kube-apiserver; `list variants` shows all (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Vec<String>,
    /// Loopback address and port to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8001")]
    pub(crate) addr: std::net::SocketAddr,
    /// Serve the same objects on this number of further ports, as replicas of the control plane do
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=9))]
    pub(crate) replicas: u8,
    /// Let the watch caches of the replicas lag by this time
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "replicas")]
    pub(crate) lag: Option<Duration>,
    /// Refuse requests without the token, as the embedded server does (kubectl sends no token over plain HTTP)
    #[arg(long)]
    pub(crate) require_token: bool,
}
