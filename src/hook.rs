//! Hooks: shell commands for the actions of a server's operator.

use std::process::Stdio;
use std::sync::Arc;

use harness::{Hook, Hooks};
use tokio::process::Command;

/// The hooks given on the command line.
pub(crate) fn hooks(given: &[(String, String)]) -> Hooks {
    let mut hooks = Hooks::default();
    for (name, command) in given {
        hooks.insert(name, shell(command));
    }
    hooks
}

fn shell(command: &str) -> Hook {
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
    let stderr = String::from_utf8_lossy(&ran.stderr);
    Err(format!("`{command}` ended with {}: {}", ran.status, stderr.trim_end()))
}
