//! Findings and summary for GitHub Actions.
//!
//! Its runner executes lines of our output as commands, and the output contains texts of the server. So the first command
//! stops all commands, and a token that no server can know resumes them at the end.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::OpenOptions;
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::Path;

use harness::Event;
use reports::{AtEnd, Format, Reporter};

/// The reporter of a run in GitHub Actions.
pub(crate) struct Github {
    runner: Box<dyn Write + Send>,
    word: String,
    reports: AtEnd<Box<dyn Write + Send>>,
}

impl Github {
    /// `None` outside of GitHub Actions. The runner reads both output streams: commands go to this one.
    pub(crate) fn here(commands: fn() -> Box<dyn Write + Send>) -> io::Result<Option<Self>> {
        if env::var_os("GITHUB_ACTIONS").is_none_or(|value| value != "true") {
            return Ok(None);
        }
        let mut outputs = vec![(Format::Annotations, commands())];
        if let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
            outputs.push((Format::StepSummary, summary(Path::new(&path))?));
        }
        let (mut runner, word) = (commands(), format!("{:016x}", RandomState::new().hash_one(())));
        // The stream may be closed; the files still count.
        let _ = writeln!(runner, "::stop-commands::{word}");
        Ok(Some(Self { runner, word, reports: AtEnd::new(outputs) }))
    }
}

/// Steps of a job, and commands of a step, share one file.
fn summary(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    let file = file.map_err(|why| {
        let what = format!("failed to write the summary of the step to {}: {why}", path.display());
        io::Error::new(why.kind(), what)
    })?;
    Ok(Box::new(file))
}

impl Reporter for Github {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.reports.report(event)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let _ = writeln!(self.runner, "::{}::", self.word);
        Box::new(self.reports).finish()
    }
}
