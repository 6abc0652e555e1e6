//! The files of pairs of load runs.

use std::io::{self, Write};
use std::path::Path;

use jiff::Timestamp;

use super::{PairedReport, junit, write_paired_json, write_paired_markdown};
use crate::directory::{first_error, save};
use crate::load::write_paired_html;

/// The names of the files.
pub const PAIRED_FILES: [&str; 4] = ["pairs.json", "pairs.md", "junit.xml", "report.html"];

/// Writes as many files as possible, and returns the first error. `began` is when the first run began.
pub fn write_paired_folder(report: &PairedReport, began: Timestamp, path: &Path) -> io::Result<()> {
    let write = |name: &str, out: &mut dyn Write| match name {
        "pairs.json" => write_paired_json(report, out),
        "pairs.md" => write_paired_markdown(report, out),
        "junit.xml" => junit::write(report, began, out),
        _ => write_paired_html(report, out),
    };
    first_error(PAIRED_FILES.map(|name| save(&path.join(name), |out| write(name, out))))
}
