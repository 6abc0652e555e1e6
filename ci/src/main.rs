//! `cargo ci <task>`: the project's own checks, the same here as on a CI machine.
//!
//! Knows Cargo, files and processes, and none of the project's other crates: what it checks cannot hide
//! a fault from it. Every task is also reachable alone; `check` is all of them in order.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

mod cargo;
mod check;
mod cli;
mod deny;
mod kinds;
mod matrix;
mod notice;
mod place;
mod real;
mod tidy;
mod trouble;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Task};
use crate::notice::Notices;
use crate::place::Place;
use crate::trouble::Trouble;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match perform(&cli.task) {
        Ok(_) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("cargo ci: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: &Task) -> Result<Notices, Trouble> {
    let place = Place::find()?;
    match task {
        Task::Check => check::run(&place),
        Task::Fmt => cargo::fmt(&place),
        Task::Tidy { list: true } => tidy::list(),
        Task::Tidy { list: false } => tidy::run(&place),
        Task::Lint => cargo::lint(&place),
        Task::Deny => deny::run(&place),
        Task::Test => cargo::test(&place),
        Task::Docs => cargo::docs(&place),
        Task::Matrix => matrix::run(&place),
        Task::Kinds(release) => kinds::run(&place, release),
        Task::Bench => cargo::bench(&place),
        Task::Real(wish) => real::run(&place, wish),
        Task::Compact { etcd } => real::compact(etcd),
    }
}
