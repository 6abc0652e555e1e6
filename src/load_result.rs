//! The result of a load run, from the file or the directory that a user names.

use std::fmt;
use std::path::Path;

use harness::load::LoadRun;
use reports::load::{LoadFormat, read_summary};

use crate::result_file::{beginning, summary_text, unreadable};

const HINT: &str = "name the summary.json of a load run, or its directory";

/// The run of a summary, or of a directory that holds one.
pub(crate) fn load_result(path: &Path) -> Result<LoadRun, String> {
    let file = if path.is_dir() { path.join(LoadFormat::Summary.file_name()) } else { path.to_owned() };
    let failed = |why: &dyn fmt::Display| format!("failed to read {}: {why}", file.display());
    let bytes = beginning(&file).map_err(|why| failed(&format_args!("{why}; hint: {HINT}")))?;
    let text = summary_text(&bytes).map_err(|why| failed(&why))?;
    read_summary(&text).map_err(|why| failed(&unreadable(&why, &bytes, HINT)))
}
