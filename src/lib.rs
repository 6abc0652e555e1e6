//! The command line of kube-assay: parsing, wiring, exit codes.
//!
//! A library only so that `tests/proof` can play each fault as a test case of its own ([`prove`]).

use std::io;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use tokio::runtime::{Builder, Runtime};

mod called;
mod certificate;
mod certify;
mod ci_job;
mod clean;
mod cli;
mod clock;
mod compare;
mod completions;
mod config;
mod digest;
mod embedded;
mod exit;
mod explain;
mod export;
mod file_kind;
mod full_evidence;
mod github;
mod history;
mod hook;
mod interrupt;
mod known_failures;
mod limit;
mod list;
mod load;
mod load_job;
mod load_result;
mod load_worker;
mod man;
mod measure;
mod origin;
mod output;
#[cfg(test)]
mod pages;
mod pairs;
pub mod prove;
mod proxy;
mod readiness;
mod recording;
mod removals;
mod replay;
mod replayed;
mod report;
mod reporting;
mod requirements;
mod rerun;
mod result_file;
mod run;
mod scale;
mod script;
mod selection;
mod serve;
mod setup;
mod slo;
mod standard_error;
mod standard_output;
mod subject;
mod suggest;
mod target;
mod toml_file;
mod verify;
mod version;

use cli::{Cli, Command};
use exit::Exit;

/// The stack of the command, in bytes. The shell may allow the first thread less (`ulimit -s`).
const STACK: usize = 8 << 20;

/// Reads the command line, carries it out, and returns the exit code.
pub fn main() -> ExitCode {
    let exit = match thread::Builder::new().stack_size(STACK).spawn(call) {
        Ok(called) => called.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(why) => no_threads(&why),
    };
    output::finish(exit).into()
}

fn call() -> Exit {
    if let Some(exit) = completions::complete() {
        return exit;
    }
    match Cli::read() {
        Ok((cli, flags)) => {
            output::colour(cli.color);
            carry_out(cli.command, flags)
        }
        Err(shown) => shown,
    }
}

fn no_threads(why: &io::Error) -> Exit {
    output::complain(format_args!(
        "failed to start: {why}; hint: is the limit of open files or of processes too low (`ulimit -n`, `ulimit -u`)?"
    ));
    Exit::Inconclusive
}

fn carry_out(command: Command, flags: Vec<String>) -> Exit {
    if let Err(why) = clock::check(std::time::SystemTime::now()) {
        output::complain(format_args!("failed to start: {why}; hint: set the clock"));
        return Exit::Inconclusive;
    }
    if let Err(why) = limit::make_room_for_command() {
        output::complain(format_args!("failed to start: {why}"));
        return Exit::Inconclusive;
    }
    // A replay has a runtime and a clock of its own.
    match &command {
        Command::Replay(args) => return replay::replay(args),
        Command::Certify(args) => return certify::certify(args),
        Command::Verify(args) => return verify::verify(args),
        _ => {}
    }
    let runtime = match expect_threads().and_then(|()| runtime()) {
        Ok(runtime) => runtime,
        Err(why) => return no_threads(&why),
    };
    let exit = runtime.block_on(perform(command, flags));
    // A credential plugin that never ends must not block the exit.
    runtime.shutdown_background();
    exit
}

/// As many threads as processors. Without the number, the runtime would read `TOKIO_WORKER_THREADS`, and panic where it is 0
/// or no number.
fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(processors()).enable_all().build()
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The threads that the runtime starts beside those of the processors: for files and host names.
const BLOCKING_THREADS: usize = 4;

/// Starts as many threads at once as the runtime needs, which panics where the system refuses one.
fn expect_threads() -> io::Result<()> {
    let (release, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let needed = processors() + BLOCKING_THREADS;
    let started: io::Result<Vec<_>> = (0..needed)
        .map(|_| {
            let held = held.clone();
            // The receiver fails as soon as the sender is gone.
            thread::Builder::new().spawn(move || drop(held.lock().map(|held| held.recv())))
        })
        .collect();
    drop(release);
    started.map(drop)
}

async fn perform(command: Command, flags: Vec<String>) -> Exit {
    match command {
        Command::Run(args) => Box::pin(run::run(*args, flags)).await,
        Command::Load(args) => Box::pin(load::load(*args)).await,
        Command::LoadWorker(args) => Box::pin(load_worker::load_worker(*args)).await,
        Command::List(args) => list::list(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Certify(args) => certify::certify(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Report(args) => report::report(&args),
        Command::Prove(args) => Box::pin(prove::prove(*args)).await,
        Command::Compare(args) => compare::compare(&args),
        Command::Export(args) => export::export(&args),
        Command::History(args) => history::history(&args),
        Command::Clean(args) => Box::pin(clean::clean(*args)).await,
        Command::Removals(args) => Box::pin(removals::removals(*args)).await,
        Command::Serve(args) => serve::serve(&args).await,
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => man::man(&args),
        Command::Version(args) => version::version(&args),
    }
}
