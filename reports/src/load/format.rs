//! The files of a load run, and the folder that holds them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use harness::load::LoadRun;

use super::{write_html, write_interval_log, write_junit, write_summary};
use crate::directory::explain;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadFormat {
    /// JSON: figures, and the whole run.
    Summary,
    /// The XML of `JUnit`: what became of the thresholds.
    Junit,
    /// `HdrHistogram`'s interval log: every second.
    IntervalLog,
    /// One page for people.
    Html,
}

impl LoadFormat {
    /// Every kind; what can be made again from another comes after it.
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

/// Makes the folder if need be, and removes what an earlier run has left in it: to be called before a run, so that
/// nobody takes its reports for those of the next.
pub fn prepare_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|why| explain("make the output folder", path, &why))?;
    for format in LoadFormat::ALL {
        let earlier = path.join(format.file_name());
        match fs::remove_file(&earlier) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                return Err(explain("remove the report of an earlier run", &earlier, &why));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes as many files as it can, and returns the first error.
pub fn write_folder(run: &LoadRun, path: &Path) -> io::Result<()> {
    let written = LoadFormat::ALL.map(|format| {
        let path = path.join(format.file_name());
        let write = || {
            let mut file = BufWriter::new(File::create(&path)?);
            format.write(run, &mut file)?;
            file.flush()
        };
        write().map_err(|why| explain("write", &path, &why))
    });
    written.into_iter().collect()
}
