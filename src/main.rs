//! kube-assay: a conformance suite and load generator for Kubernetes API servers.

use std::process::ExitCode;

use clap::Parser;

mod cli;
mod embedded;
mod exit;
mod explain;
mod lever;
mod list;
mod output;
mod report;
mod reporting;
mod run;
mod serve;
mod target;

use cli::{Cli, Command};

#[tokio::main]
async fn main() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Run(args) => run::run(*args).await,
        Command::List(args) => list::list(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Report(args) => report::report(&args),
        Command::Serve(args) => serve::serve(&args).await,
    };
    exit.into()
}
