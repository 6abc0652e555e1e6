//! The reports that are files for programs, each written at the end, from everything that happened.

use std::io::{self, Write};

use harness::Event;

use crate::Reporter;
use crate::coverage::Coverage;
use crate::junit;
use crate::record::Record;
use crate::summary;

/// A kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The XML of `JUnit`, for whatever shows tests.
    Junit,
    /// JSON: the judgement, counts, and every clause's verdict.
    Summary,
    /// Markdown: which clauses are asked about at all.
    Coverage,
}

impl Format {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Junit, Self::Summary, Self::Coverage];

    /// The name of its file in the output folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Junit => "junit.xml",
            Self::Summary => "summary.json",
            Self::Coverage => "coverage.md",
        }
    }

    pub(crate) fn write(self, record: &Record, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Junit => junit::write(record, out),
            Self::Summary => summary::write(record, out),
            Self::Coverage => out.write_all(Coverage::of_run(record).markdown().as_bytes()),
        }
    }
}

/// A reporter that writes one format to one writer.
#[derive(Debug)]
pub struct AtEnd<W> {
    format: Format,
    out: W,
    record: Record,
}

impl<W: Write> AtEnd<W> {
    /// Writes that format to `out` when the run is over.
    pub fn new(format: Format, out: W) -> Self {
        Self { format, out, record: Record::default() }
    }
}

impl<W: Write> Reporter for AtEnd<W> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.format.write(&self.record, &mut self.out)?;
        self.out.flush()
    }
}
