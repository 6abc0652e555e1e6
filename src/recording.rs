//! The recording of a run: its events.jsonl.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use harness::{Event, InputFile};
use reports::directory::EVENTS;
use reports::{EventReader, ReadError};

use crate::file_kind::FileKind;
use crate::output::{complain, remark};

const HINT: &str = "name the events.jsonl that a run wrote (a load run writes none)";

/// A readable recording.
pub(crate) struct Recording {
    path: PathBuf,
    file: InputFile,
}

impl Recording {
    /// The file of a recording, which may be named by the folder of its run.
    pub(crate) fn file_of(path: &Path) -> PathBuf {
        if path.is_dir() { path.join(EVENTS) } else { path.to_owned() }
    }

    /// Opens the file.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let file = InputFile::open(path)
            .map_err(|why| format!("failed to read {}: {why}; hint: {HINT}", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Expects a file that can be read to its end, before anything is written. A pipe can be read only once.
    pub(crate) fn check(path: &Path) -> Result<(), String> {
        if !path.is_file() {
            return Ok(());
        }
        let mut events = EventReader::new(BufReader::new(Self::open(path)?.file));
        events.try_for_each(|event| event.map(drop)).map_err(|why| unreadable(path, &why))
    }

    /// Passes every event on, and returns whether the recording has all results that it must have. A truncated recording is
    /// only a warning.
    pub(crate) fn replay(self, mut take: impl FnMut(&Event) -> Result<(), String>) -> Result<bool, String> {
        let path = self.path.display();
        let mut events = EventReader::new(BufReader::new(self.file));
        for event in events.by_ref() {
            take(&event.map_err(|why| unreadable(&self.path, &why))?)?;
        }
        if let Some(note) = events.note() {
            remark(format_args!("{path}: {note}"));
        }
        let lost = events.lost_results();
        if lost > 0 {
            complain(format_args!("{path} is damaged: it has lost the results of {lost} scenarios"));
        }
        Ok(lost == 0)
    }
}

/// The error of a reader, or that the file is another one. A recording with a damaged line is still a recording.
fn unreadable(path: &Path, why: &ReadError) -> String {
    let shown = path.display();
    let is_first = matches!(why, ReadError::NoEvent { line: 1, .. });
    match is_first.then(|| FileKind::of_file(path)).flatten() {
        None | Some(FileKind::Recording) => format!("failed to read {shown}: {}", sentence(why)),
        Some(kind) => format!("failed to read {shown}: {kind}; hint: {HINT}"),
    }
}

/// An error and its causes as one sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
