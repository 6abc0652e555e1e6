//! `cargo ci deny`: licences, banned crates, sources and advisories of the dependencies, by cargo-deny.
//!
//! `deny.toml` has the rules; this file installs the tool and runs it.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::cargo::{cargo, succeed};
use crate::notice::{Notice, Notices};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The version to install if there is none.
const VERSION: &str = "0.20.2";

/// The timeout for the download of the advisory database.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(1);

/// Runs all checks; without the database, all but advisories, with a notice.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    install_once(workspace)?;
    let failure = "cargo-deny rejects a dependency: see above, and deny.toml";
    if fetch_advisories(workspace)? {
        return succeed(cargo(workspace, &["deny", "--workspace", "check"]), failure);
    }
    let rest = ["deny", "--workspace", "check", "bans", "licenses", "sources"];
    succeed(cargo(workspace, &rest), failure)?;
    let skipped = Notice::announce([
        "SKIPPED: security advisories.".into(),
        "The advisory database is not available; bans, licences and sources were checked.".into(),
    ]);
    Ok(vec![skipped])
}

fn install_once(workspace: &Workspace) -> Result<(), TaskError> {
    let mut version = cargo(workspace, &["deny", "--version"]);
    let status = version.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if status.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    println!("cargo-deny is not installed: building version {VERSION} once, which takes some minutes.");
    // Without optimisation: its few seconds of work do not repay that of the compiler.
    let install = cargo(workspace, &["install", "cargo-deny", "--version", VERSION, "--locked", "--debug"]);
    succeed(install, "failed to install cargo-deny").map(drop)
}

/// Whether the download succeeded. A network that drops packets must not block the check.
fn fetch_advisories(workspace: &Workspace) -> Result<bool, TaskError> {
    println!("Fetching the advisory database, for at most {} s.", DOWNLOAD_TIMEOUT.as_secs());
    let mut fetch = cargo(workspace, &["deny", "--log-level", "error", "fetch", "db"]);
    fetch.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null()).stderr(Stdio::null());
    let mut fetch = fetch.spawn().map_err(TaskError::failed_to("run cargo-deny"))?;
    let start = Instant::now();
    while start.elapsed() < DOWNLOAD_TIMEOUT {
        let ended = fetch.try_wait().map_err(TaskError::failed_to("wait for cargo-deny"))?;
        if let Some(status) = ended {
            return Ok(status.success());
        }
        thread::sleep(Duration::from_millis(100));
    }
    // The result is false in any case; a download that just ended needs no kill.
    let _ = fetch.kill();
    let _ = fetch.wait();
    Ok(false)
}
