//! Hooks: shell commands for the actions of a server's operator.

use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use harness::{Hook, Hooks, wait_reading};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

/// The kept length of what a hook writes to standard error, in bytes.
const KEPT: u64 = 64 << 10;

/// How long a hook may take: an operator may restart a server and its store.
const WITHIN: Duration = Duration::from_mins(10);

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
        Box::pin(async move { run_within(WITHIN, &command).await })
    })
}

/// Runs a command, and ends its shell if it takes longer.
async fn run_within(limit: Duration, command: &str) -> Result<(), String> {
    let ran = tokio::time::timeout(limit, run(command)).await;
    ran.unwrap_or_else(|_| Err(format!("it did not end within {limit:?}")))
}

/// Runs a command. It may hold a credential, so that no error quotes it.
async fn run(command: &str) -> Result<(), String> {
    let failed = |why: io::Error| format!("sh cannot run it: {why}");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = shell.kill_on_drop(true).spawn().map_err(failed)?;
    let mut said = Vec::new();
    let stderr = child.stderr.take();
    let reading = async {
        read(stderr, &mut said).await;
        Ok::<(), String>(())
    };
    let status = wait_reading(&mut child, reading).await?.map_err(failed)?;
    if status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&said);
    Err(format!("it ended with {status}: {}", stderr.trim_end()))
}

/// Reads to the end, and keeps the beginning.
async fn read(from: Option<impl AsyncRead + Unpin>, beginning: &mut Vec<u8>) {
    let Some(mut from) = from else { return };
    let _ = (&mut from).take(KEPT).read_to_end(beginning).await;
    let _ = tokio::io::copy(&mut from, &mut tokio::io::sink()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_failed_hook_says_what_it_wrote() {
        let why = run("echo stopped; echo no server >&2; exit 3").await.unwrap_err();
        assert_eq!(why, "it ended with exit status: 3: no server");
    }

    #[tokio::test]
    async fn a_hook_that_hangs_is_ended() {
        let why = run_within(Duration::from_millis(200), "sleep 90").await.unwrap_err();
        assert_eq!(why, "it did not end within 200ms");
    }

    #[tokio::test]
    async fn only_the_beginning_of_what_a_hook_writes_is_kept() {
        let why = run("head -c 1000000 /dev/zero | tr '\\0' x | tee /dev/stderr; exit 1").await.unwrap_err();
        assert!(why.len() as u64 <= KEPT + 200, "{}", why.len());
    }

    #[tokio::test]
    async fn what_a_hook_starts_in_the_background_is_not_waited_for() {
        let ended = tokio::time::timeout(Duration::from_mins(1), run("sleep 90 & exit 0")).await;
        ended.expect("the hook has ended").unwrap();
    }
}
