//! The program under test, started as users start it.

use std::ffi::OsStr;
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;

use super::redaction::redacted;
use super::{Listener, Reference};

/// Between two readings of the memory: what fills 300 MB takes longer.
const BETWEEN_READINGS: Duration = Duration::from_millis(2);

/// A pipe into which nothing has been written for so long is full.
const FILLED: Duration = Duration::from_millis(100);

/// One call of the program, in a temporary folder.
pub(crate) struct Program {
    command: Command,
    folder: TempDir,
}

/// A running call.
pub(crate) struct Running {
    child: Child,
    folder: TempDir,
    out: JoinHandle<String>,
    err: JoinHandle<String>,
}

/// The result of a call.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    folder: TempDir,
}

/// A call with these arguments and an environment with the path alone.
pub(crate) fn kube_assay(arguments: &[&str]) -> Program {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kube-assay"));
    command.args(arguments).current_dir(folder.path()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    Program { command, folder }
}

/// The terminal output of these calls.
pub(crate) fn session(calls: &[&[&str]]) -> String {
    let call = |call: &&[&str]| {
        let words = call.iter().map(|word| if word.is_empty() { "''" } else { word });
        let line = words.collect::<Vec<_>>().join(" ");
        format!("$ kube-assay {line}\n{}", kube_assay(call).end().shown())
    };
    calls.iter().map(call).collect::<Vec<_>>().join("\n")
}

impl Program {
    /// A small run against a server, with the administrator's token.
    pub(crate) fn testing(url: &str) -> Self {
        kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset", "--server", url])
    }

    /// A small run against the reference.
    pub(crate) fn testing_reference(reference: &Reference) -> Self {
        Self::testing(&reference.url()).with(&["--token", reference.token()])
    }

    /// A run against a hostile server, with short timeouts.
    pub(crate) fn facing(listener: &Listener) -> Self {
        Self::testing(&format!("http://{}", listener.address()))
    }

    pub(crate) fn with(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Limits the number of open files, also the hard limit.
    pub(crate) fn limited(self, files: u32) -> Self {
        self.after(&format!("ulimit -n {files}"))
    }

    /// Runs the program after a shell script in the same shell.
    pub(crate) fn after(mut self, script: &str) -> Self {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{script} && exec \"$0\" \"$@\""));
        command.arg(self.command.get_program()).args(self.command.get_args());
        command.current_dir(self.folder.path()).env_clear();
        command.envs(self.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        self.command = command;
        self
    }

    /// The working folder of the call.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file into the folder and returns its path.
    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn start(mut self) -> Running {
        let command = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Running { child, folder: self.folder, out: drain(out), err: drain(err) }
    }

    pub(crate) fn end(self) -> Ended {
        self.start().end()
    }

    /// Waits for the end while standard error is a full pipe that nobody reads. Returns the exit code.
    pub(crate) fn end_unread(mut self) -> Option<i32> {
        let (_unread, full) = full_pipe();
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(full).status().unwrap().code()
    }

    /// Starts with a full pipe as standard output.
    pub(crate) fn start_unread(mut self) -> (PipeReader, Running) {
        let (unread, full) = full_pipe();
        let command = self.command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The pipe ends with the program.
        drop(self.command);
        let err = drain(child.stderr.take().unwrap());
        (unread, Running { child, folder: self.folder, out: std::thread::spawn(String::new), err })
    }
}

/// A pipe that takes no byte until somebody reads.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (unread, full) = std::io::pipe().unwrap();
    let (mut filling, written) = (full.try_clone().unwrap(), Arc::new(AtomicUsize::new(0)));
    let (count, is_full) = (written.clone(), Arc::new(AtomicBool::new(false)));
    let ends = is_full.clone();
    std::thread::spawn(move || {
        while !ends.load(Ordering::Relaxed) && filling.write_all(b"x").is_ok() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut before = usize::MAX;
    while before != written.load(Ordering::Relaxed) {
        before = written.load(Ordering::Relaxed);
        std::thread::sleep(FILLED);
    }
    is_full.store(true, Ordering::Relaxed);
    (unread, full)
}

fn drain(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Running {
    /// Sends a signal, as the terminal does at Ctrl-C.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// A file in its default folder, which it may not have written yet.
    pub(crate) fn report_file(&self, name: &str) -> PathBuf {
        self.folder.path().join("assay-report").join(name)
    }

    /// Whether it has come to its end.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for the end. Returns the peak memory without the program's code, in bytes; 0 where the system does not
    /// report it.
    pub(crate) fn peak_memory(&mut self) -> u64 {
        let mut peak = 0;
        while self.child.try_wait().unwrap().is_none() {
            peak = peak.max(self.memory().unwrap_or(0));
            std::thread::sleep(BETWEEN_READINGS);
        }
        peak
    }

    /// The current memory, without the code, which grows with every scenario.
    fn memory(&self) -> Option<u64> {
        // Until execve has replaced it, the child's memory is that of this test.
        let executable = std::fs::read_link(format!("/proc/{}/exe", self.child.id())).ok()?;
        if executable == std::env::current_exe().ok()? {
            return None;
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kilobytes << 10)
    }

    pub(crate) fn end(mut self) -> Ended {
        let code = self.child.wait().unwrap().code();
        let (out, err) = (self.out.join().unwrap(), self.err.join().unwrap());
        assert!(!err.contains("panicked"), "{err}");
        Ended { code, out, err, folder: self.folder }
    }
}

impl Ended {
    /// The exit code and the one error, redacted.
    #[track_caller]
    pub(crate) fn error(&self) -> String {
        let errors: Vec<&str> = self.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{}\n{}", self.out, self.err);
        redacted(&format!("exit {}, {}", self.code.unwrap(), errors[0]))
    }

    /// The terminal output, redacted.
    pub(crate) fn shown(&self) -> String {
        redacted(&format!("{}{}exit {}\n", self.err, self.out, self.code.unwrap()))
    }

    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file from its default folder.
    pub(crate) fn report(&self, name: &str) -> String {
        std::fs::read_to_string(self.reports().join(name)).unwrap()
    }

    pub(crate) fn reports(&self) -> PathBuf {
        self.folder.path().join("assay-report")
    }

    /// Its standard output, its standard error and its files.
    pub(crate) fn everything(&self) -> String {
        let files = std::fs::read_dir(self.reports()).into_iter().flatten();
        let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        [self.out.clone(), self.err.clone()].into_iter().chain(texts).collect::<Vec<_>>().join("\n")
    }
}
