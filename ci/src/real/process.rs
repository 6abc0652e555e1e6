//! Child processes that end with their owner, and the memory that they use.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use crate::task_error::TaskError;

/// The interval between checks of a process.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The time for an interrupted kube-assay to clean up.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(15);

/// A child process that writes to a log, and is killed when dropped.
///
/// It stays in our process group, so that a Ctrl-C always reaches it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    name: String,
    log: PathBuf,
}

/// The end of a process.
#[derive(Debug)]
pub(crate) struct End {
    /// The exit status: `None` if the process was killed.
    pub(crate) status: Option<ExitStatus>,
    /// The duration of the process.
    pub(crate) time: Duration,
    /// The peak resident memory in KiB: `None` on systems without `/proc`.
    pub(crate) peak_kib: Option<u64>,
}

impl Process {
    /// Starts a command with all its output in the file `log`.
    pub(crate) fn start(mut command: Command, name: &str, log: &Path) -> Result<Self, TaskError> {
        let open = File::create(log).and_then(|out| Ok((out.try_clone()?, out)));
        let (out, err) = open.map_err(TaskError::failed_to(format!("write {}", log.display())))?;
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let child = command.spawn().map_err(TaskError::failed_to(format!("start {name}")))?;
        Ok(Self { child, name: name.into(), log: log.into() })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// An error with the last log lines if the process has ended.
    pub(crate) fn check_running(&mut self) -> Result<(), TaskError> {
        let ended = self.child.try_wait().map_err(TaskError::failed_to(format!("watch {}", self.name)))?;
        let Some(status) = ended else { return Ok(()) };
        let words = last_lines(&self.log, 15);
        Err(TaskError::new(format!("{} ended ({status}); the last log lines:\n{words}", self.name)))
    }

    /// Waits for the end, for at most `limit`. An interrupted process may clean up first.
    pub(crate) fn wait(mut self, limit: Duration, interrupt: &Interrupt) -> Result<End, TaskError> {
        let start = Instant::now();
        let mut peak_kib = None;
        let mut interrupted_at = None;
        loop {
            // Read before the status: an ended process has no memory.
            peak_kib = peak_memory(self.id()).or(peak_kib);
            let ended =
                self.child.try_wait().map_err(TaskError::failed_to(format!("watch {}", self.name)))?;
            let time = start.elapsed();
            if ended.is_some() || time > limit {
                return Ok(End { status: ended, time, peak_kib });
            }
            if interrupt.interrupted() {
                let since = *interrupted_at.get_or_insert_with(|| self.interrupt());
                if since.elapsed() > CLEANUP_TIMEOUT {
                    interrupt.check()?;
                }
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends SIGINT: a Ctrl-C has reached the process already, but a signal to us alone has not.
    fn interrupt(&self) -> Instant {
        // Without `kill`, the process is killed after the timeout.
        let _ = Command::new("kill").args(["-INT", &self.id().to_string()]).status();
        Instant::now()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Killing also works on a stopped process. On an ended one, both do nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The last lines of a log.
pub(crate) fn last_lines(log: &Path, count: usize) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// The peak resident memory of a process, on systems with `/proc`.
fn peak_memory(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, log: &Path) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command, "a shell", log).expect("sh is everywhere")
    }

    #[test]
    fn a_process_that_ends_is_reported_with_its_exit_code() {
        let folder = tempfile::tempdir().expect("a temporary folder");

        let end = shell("sleep 0.2; exit 3", &folder.path().join("log"))
            .wait(Duration::from_secs(20), &Interrupt::never())
            .expect("it can be waited for");

        assert_eq!(end.status.and_then(|status| status.code()), Some(3));
        assert!(end.time >= Duration::from_millis(150), "{end:?}");
    }

    #[test]
    fn a_process_that_takes_too_long_is_killed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let start = Instant::now();

        let end = shell("exec sleep 60", &folder.path().join("log"))
            .wait(Duration::from_millis(200), &Interrupt::never())
            .expect("it can be waited for");

        assert!(end.status.is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn the_error_of_an_ended_server_quotes_its_log() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut process = shell("echo no port is free >&2; exit 1", &folder.path().join("log"));

        let task_error = loop {
            if let Err(task_error) = process.check_running() {
                break task_error;
            }
        };

        assert!(task_error.to_string().ends_with("no port is free"), "{task_error}");
    }
}
