//! Processes that do not outlive us, and what one of them cost.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use crate::task_error::TaskError;

/// How often a process is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// How long an interrupted kube-assay may take to tidy up after itself.
const FAREWELL: Duration = Duration::from_secs(15);

/// A child process that writes into a log, and is killed when dropped.
///
/// It stays in our process group: a Ctrl-C reaches it even if we no longer can.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    name: String,
    log: PathBuf,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct End {
    /// Its exit status; nothing if it had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// How long it ran.
    pub(crate) time: Duration,
    /// The most memory it held at any time, in KiB, where the system tells.
    pub(crate) peak_kib: Option<u64>,
}

impl Process {
    /// Starts a command with all its output in the file `log`.
    pub(crate) fn start(mut command: Command, name: &str, log: &Path) -> Result<Self, TaskError> {
        let open = File::create(log).and_then(|out| Ok((out.try_clone()?, out)));
        let (out, err) = open.map_err(TaskError::while_trying(format!("write {}", log.display())))?;
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        let child = command.spawn().map_err(TaskError::while_trying(format!("start {name}")))?;
        Ok(Self { child, name: name.into(), log: log.into() })
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// For `?`: a server that has ended is trouble, told with its last words.
    pub(crate) fn must_live(&mut self) -> Result<(), TaskError> {
        let ended = self.child.try_wait().map_err(TaskError::while_trying(format!("watch {}", self.name)))?;
        let Some(status) = ended else { return Ok(()) };
        let words = last_lines(&self.log, 15);
        Err(TaskError::new(format!("{} ended ({status}), last saying:\n{words}", self.name)))
    }

    /// Waits for the end, for at most `limit`; an interrupted process may say farewell.
    pub(crate) fn wait(mut self, limit: Duration, interrupt: &Interrupt) -> Result<End, TaskError> {
        let start = Instant::now();
        let mut peak_kib = None;
        let mut asked_to_end = None;
        loop {
            // Before the look at its end: an ended process no longer has any memory.
            peak_kib = peak_memory(self.id()).or(peak_kib);
            let ended =
                self.child.try_wait().map_err(TaskError::while_trying(format!("watch {}", self.name)))?;
            let time = start.elapsed();
            if ended.is_some() || time > limit {
                return Ok(End { status: ended, time, peak_kib });
            }
            if interrupt.asked() {
                let since = *asked_to_end.get_or_insert_with(|| self.ask_to_end());
                if since.elapsed() > FAREWELL {
                    interrupt.check()?;
                }
            }
            thread::sleep(GLANCE);
        }
    }

    /// A Ctrl-C has reached it already, but a signal to us alone has not.
    fn ask_to_end(&self) -> Instant {
        // If there is no `kill`, the process is killed at the end of the farewell.
        let _ = Command::new("kill").args(["-INT", &self.id().to_string()]).status();
        Instant::now()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Works on a stopped process as well. One that has ended needs neither.
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

/// The high-water mark of a process's resident memory, on systems with a `/proc`.
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
    fn a_server_that_ends_is_quoted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut process = shell("echo no port is free >&2; exit 1", &folder.path().join("log"));

        let task_error = loop {
            if let Err(task_error) = process.must_live() {
                break task_error;
            }
        };

        assert!(task_error.to_string().ends_with("no port is free"), "{task_error}");
    }
}
