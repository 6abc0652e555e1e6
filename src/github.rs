//! Findings and summary for GitHub Actions.
//!
//! Its runner executes lines of our output as commands, and the output contains texts of the server. So the first command
//! stops all commands, and a token that no server can know resumes them at the end.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::{File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use harness::Event;
use harness::load::LoadRun;
use reports::directory::expect_no_folder_or_pipe;
use reports::load::{
    ExportFormat, PairedReport, write_load_annotations, write_paired_annotations, write_paired_markdown,
};
use reports::{AtEnd, Format, Reporter};

use crate::output::Results;

/// GitHub's runner, which executes no command of our output until it is resumed.
pub(crate) struct Runner {
    commands: Results,
    word: String,
}

impl Runner {
    /// `None` outside of GitHub Actions. The runner reads both output streams: commands go to this one.
    pub(crate) fn here(commands: fn() -> Results) -> Option<Self> {
        env::var_os("GITHUB_ACTIONS").filter(|value| value == "true")?;
        let (mut commands, word) = (commands(), format!("{:016x}", RandomState::new().hash_one(())));
        // The stream may be closed; the files still count.
        let _ = writeln!(commands, "::stop-commands::{word}");
        Some(Self { commands, word })
    }

    /// The stream for commands that are executed.
    pub(crate) fn resume(mut self) -> Results {
        let _ = writeln!(self.commands, "::{}::", self.word);
        self.commands
    }
}

/// The reporter of a run in GitHub Actions.
pub(crate) struct Github {
    runner: Runner,
    reports: AtEnd<Results>,
}

impl Github {
    /// `None` outside of GitHub Actions.
    pub(crate) fn here(commands: fn() -> Results) -> io::Result<Option<Self>> {
        let Some(runner) = Runner::here(commands) else { return Ok(None) };
        let mut outputs = vec![(Format::Annotations, commands())];
        outputs.extend(step_summary()?.map(|file| (Format::StepSummary, file)));
        Ok(Some(Self { runner, reports: AtEnd::new(outputs) }))
    }
}

/// Steps of a job, and commands of a step, share one file. `None` where the runner names no file.
fn step_summary() -> io::Result<Option<Results>> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let open = || OpenOptions::new().append(true).create(true).open(&path);
    let file = expect_no_folder_or_pipe(Path::new(&path)).and_then(|()| open());
    let file = file.map_err(|why| unwritten(Path::new(&path), &why))?;
    Ok(Some(Box::new(SummaryFile { file, path: path.into() })))
}

fn unwritten(path: &Path, why: &io::Error) -> io::Error {
    let what = format!("failed to write the summary of the step to {}: {why}", path.display());
    io::Error::new(why.kind(), what)
}

/// The summary of the step; its errors name it.
struct SummaryFile {
    file: File,
    path: PathBuf,
}

impl Write for SummaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|why| unwritten(&self.path, &why))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|why| unwritten(&self.path, &why))
    }
}

/// What GitHub shows of a load run or a comparison.
#[derive(Default)]
pub(crate) struct LoadFindings {
    annotations: Vec<u8>,
    summary: Vec<u8>,
}

impl LoadFindings {
    /// Of one run.
    pub(crate) fn of_run(run: &LoadRun) -> Self {
        let mut findings = Self::default();
        // Nothing fails to write into memory; a partial run has annotations alone.
        let _ = write_load_annotations(run, &mut findings.annotations);
        let _ = ExportFormat::Markdown.write(std::slice::from_ref(run), &mut findings.summary);
        findings
    }

    /// Of a comparison.
    pub(crate) fn of_pairs(report: &PairedReport) -> Self {
        let mut findings = Self::default();
        // Nothing fails to write into memory.
        let _ = write_paired_annotations(report, &mut findings.annotations);
        let _ = write_paired_markdown(report, &mut findings.summary);
        findings
    }

    /// Shows them. An error if the summary of the step cannot be written.
    pub(crate) fn show(&self, runner: Runner) -> io::Result<()> {
        let mut commands = runner.resume();
        // The stream may be closed; the file still counts.
        let _ = commands.write_all(&self.annotations).and_then(|()| commands.flush());
        step_summary()?.map_or(Ok(()), |mut file| file.write_all(&self.summary))
    }
}

impl Reporter for Github {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.reports.report(event)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { runner, reports } = *self;
        let _ = runner.resume();
        Box::new(reports).finish()
    }
}
