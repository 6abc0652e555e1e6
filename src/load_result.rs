//! The result of a load run, from the file or the directory that a user names.

use std::fs;
use std::path::Path;

use harness::load::LoadRun;
use reports::load::{LoadFormat, read_summary};

/// The run of a summary, or of a directory that holds one.
pub(crate) fn load_result(path: &Path) -> Result<LoadRun, String> {
    let file = if path.is_dir() { path.join(LoadFormat::Summary.file_name()) } else { path.to_owned() };
    let shown = file.display();
    let text = fs::read_to_string(&file).map_err(|why| {
        format!("failed to read {shown}: {why}; hint: name the summary.json of a load run, or its directory")
    })?;
    read_summary(&text).map_err(|why| format!("failed to read {shown}: {why}"))
}
