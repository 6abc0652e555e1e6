//! kube-assay: a conformance suite and load generator for Kubernetes API servers.

use std::process::ExitCode;

use clap::Parser;

mod cli;
mod exit;
mod lever;
mod run;
mod target;

use cli::{Cli, Command};

#[tokio::main]
async fn main() -> ExitCode {
    let exit = match Cli::parse().command {
        Command::Run(args) => run::run(*args).await,
        _ => exit::Exit::Usage,
    };
    exit.into()
}
