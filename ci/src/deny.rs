//! `cargo ci deny`: licences, banned crates, sources and advisories of the dependencies, by cargo-deny.
//!
//! What is allowed stands in `deny.toml`; this file only sees to it that the tool is there and can work.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::cargo::{cargo, succeed};
use crate::notice::{Notice, Notices};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The version that is installed where there is none.
const VERSION: &str = "0.20.2";

/// How long the advisory database may take to arrive before we go on without it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Checks everything, or everything but advisories (loudly) where their database cannot be had.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    install_once(workspace)?;
    let refused = "cargo-deny refuses a dependency: see above, and deny.toml";
    if fetch_advisories(workspace)? {
        return succeed(cargo(workspace, &["deny", "--workspace", "check"]), refused);
    }
    let rest = ["deny", "--workspace", "check", "bans", "licenses", "sources"];
    succeed(cargo(workspace, &rest), refused)?;
    let skipped = Notice::shout([
        "SKIPPED: security advisories.".into(),
        "The advisory database could not be fetched from here; bans, licences and sources were checked."
            .into(),
    ]);
    Ok(vec![skipped])
}

fn install_once(workspace: &Workspace) -> Result<(), TaskError> {
    let mut ask = cargo(workspace, &["deny", "--version"]);
    let response = ask.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if response.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    println!("cargo-deny is not installed: building version {VERSION} once, which takes some minutes.");
    let install = cargo(workspace, &["install", "cargo-deny", "--version", VERSION, "--locked"]);
    succeed(install, "cargo-deny could not be installed").map(drop)
}

/// Whether the advisory database arrived. A network that swallows packets must not hang the check.
fn fetch_advisories(workspace: &Workspace) -> Result<bool, TaskError> {
    println!("Fetching the advisory database, for at most {} s.", PATIENCE.as_secs());
    let mut fetch = cargo(workspace, &["deny", "--log-level", "error", "fetch", "db"]);
    fetch.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null()).stderr(Stdio::null());
    let mut fetch = fetch.spawn().map_err(TaskError::while_trying("run cargo-deny"))?;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let ended = fetch.try_wait().map_err(TaskError::while_trying("wait for cargo-deny"))?;
        if let Some(status) = ended {
            return Ok(status.success());
        }
        thread::sleep(Duration::from_millis(100));
    }
    // The response is "no" either way; a fetch that ended meanwhile needs no killing.
    let _ = fetch.kill();
    let _ = fetch.wait();
    Ok(false)
}
