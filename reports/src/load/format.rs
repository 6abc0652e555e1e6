//! The files of a load run, and the folder that holds them.

use std::io::{self, Write};
use std::path::Path;

use model::load::LoadRun;

use super::{write_html, write_interval_log, write_junit, write_summary};
use crate::directory::{first_error, save};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadFormat {
    /// JSON: figures, and the whole run.
    Summary,
    /// `JUnit` XML with the thresholds as test cases.
    Junit,
    /// `HdrHistogram`'s interval log: every second.
    IntervalLog,
    /// One page for people.
    Html,
}

impl LoadFormat {
    /// Every format; one that another format can restore follows it.
    pub const ALL: [Self; 4] = [Self::Summary, Self::IntervalLog, Self::Junit, Self::Html];

    /// The name of its file in the output folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Summary => "summary.json",
            Self::Junit => "junit.xml",
            Self::IntervalLog => "latency.hlog",
            Self::Html => "report.html",
        }
    }

    /// Writes it.
    pub fn write(self, run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Summary => write_summary(run, out),
            Self::Junit => write_junit(run, out),
            Self::IntervalLog => write_interval_log(run, out),
            Self::Html => write_html(run, out),
        }
    }
}

/// Writes as many files as possible, and returns the first error.
pub fn write_folder(run: &LoadRun, path: &Path) -> io::Result<()> {
    let write = |format: LoadFormat| save(&path.join(format.file_name()), |out| format.write(run, out));
    first_error(LoadFormat::ALL.map(write))
}
