//! Files that a user names, written at the end of a recording.

use std::io;
use std::path::PathBuf;

use model::Event;

use crate::Reporter;
use crate::directory::save_named;
use crate::format::Format;
use crate::record::Record;

/// A reporter that writes files when the run is over: until then, each keeps its old content.
#[derive(Debug)]
pub struct Files {
    files: Vec<(Format, PathBuf)>,
    record: Record,
}

impl Files {
    /// Writes these.
    pub fn new(files: Vec<(Format, PathBuf)>) -> Self {
        Self { files, record: Record::default() }
    }
}

impl Reporter for Files {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Self { files, record } = *self;
        files.iter().try_for_each(|(format, path)| save_named(path, |out| format.write(&record, out)))
    }
}
