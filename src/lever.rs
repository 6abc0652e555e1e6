//! Levers: what only a server's operator can do, as shell commands.

use std::process::Stdio;
use std::sync::Arc;

use harness::{Lever, Levers};
use tokio::process::Command;

/// The levers given on the command line.
pub(crate) fn levers(given: &[(String, String)]) -> Levers {
    let mut levers = Levers::default();
    for (name, command) in given {
        levers.insert(name, shell(command));
    }
    levers
}

fn shell(command: &str) -> Lever {
    let command = command.to_owned();
    Arc::new(move || {
        let command = command.clone();
        Box::pin(async move { run(&command).await })
    })
}

async fn run(command: &str) -> Result<(), String> {
    let ran = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).kill_on_drop(true).output().await;
    let ran = ran.map_err(|why| format!("cannot run `{command}`: {why}"))?;
    if ran.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    Err(format!("`{command}` ended with {}: {}", ran.status, said.trim_end()))
}
