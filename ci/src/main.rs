//! `cargo ci <task>`: the project's own checks, the same here as on a CI machine.
//!
//! This crate knows Cargo, files and processes, and none of the project's other crates: a fault there cannot hide
//! itself here. `check` runs all tasks in order.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod cargo;
mod check;
mod cli;
mod deny;
mod kinds;
mod matrix;
mod notice;
mod packaging;
mod real;
mod release;
mod task_error;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Task};
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match perform(&cli.task) {
        Ok(_) => ExitCode::SUCCESS,
        Err(task_error) => {
            eprintln!("cargo ci: {task_error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: &Task) -> Result<Notices, TaskError> {
    let workspace = Workspace::find()?;
    match task {
        Task::Check => check::run(&workspace),
        Task::Fmt => cargo::fmt(&workspace),
        Task::Tidy { list: true } => tidy::list(),
        Task::Tidy { list: false } => tidy::run(&workspace),
        Task::Lint => cargo::lint(&workspace),
        Task::Packaging => packaging::run(&workspace),
        Task::Deny => deny::run(&workspace),
        Task::Test => cargo::test(&workspace),
        Task::Docs => cargo::docs(&workspace),
        Task::Matrix => matrix::run(&workspace),
        Task::Kinds(release) => kinds::run(&workspace, release),
        Task::Requirements => cargo::requirements(&workspace),
        Task::Bench => cargo::bench(&workspace),
        Task::Real(options) => real::run(&workspace, options),
        Task::Archive(options) => release::archive(&workspace, options),
        Task::Reproducible { target } => release::reproducible(&workspace, target),
        Task::ReleaseFiles(options) => release::files(&workspace, options),
        Task::Compact { etcd } => real::compact(etcd),
    }
}
