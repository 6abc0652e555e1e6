//! The reports that are written at the end, from everything that happened.

use std::io::{self, Write};

use model::Event;

use crate::Reporter;
use crate::coverage::Coverage;
use crate::record::Record;
use crate::{annotations, html, junit, step_summary, summary, tap};

/// A kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The XML of `JUnit`, for whatever shows tests.
    Junit,
    /// One page for people.
    Html,
    /// JSON: the conclusion, counts, and every clause's verdict.
    Summary,
    /// Markdown: which clauses have a scenario.
    Coverage,
    /// The Test Anything Protocol, version 14, for whatever reads a stream of tests.
    Tap,
    /// Annotations of GitHub Actions: commands that mark the failures of a commit.
    Annotations,
    /// The Markdown summary of a step in GitHub Actions.
    StepSummary,
}

impl Format {
    /// The formats of the output folder, each with the name of its file.
    pub const FILES: [(Self, &'static str); 4] = [
        (Self::Junit, "junit.xml"),
        (Self::Html, "report.html"),
        (Self::Summary, "summary.json"),
        (Self::Coverage, "coverage.md"),
    ];

    pub(crate) fn write(self, record: &Record, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Junit => junit::write(record, out),
            Self::Html => html::write(record, out),
            Self::Summary => summary::write(record, out),
            Self::Coverage => out.write_all(Coverage::of_run(record).markdown().as_bytes()),
            Self::Tap => tap::write(record, out),
            Self::Annotations => annotations::write(record, out),
            Self::StepSummary => step_summary::write(record, out),
        }
    }
}

/// A reporter that writes each of some formats to a writer of its own, in order.
#[derive(Debug)]
pub struct AtEnd<W> {
    outputs: Vec<(Format, W)>,
    record: Record,
}

impl<W: Write> AtEnd<W> {
    /// Writes all of these when the run is over.
    pub fn new(outputs: Vec<(Format, W)>) -> Self {
        Self { outputs, record: Record::default() }
    }
}

impl<W: Write> Reporter for AtEnd<W> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        for (format, out) in &mut self.outputs {
            format.write(&self.record, out)?;
            out.flush()?;
        }
        Ok(())
    }
}
