//! The result of a load run, from the file or the directory that a user names.

use std::path::Path;

use harness::load::LoadRun;
use reports::load::{LoadFormat, read_summary};

use crate::result_file::{beginning, summary_text};

/// The run of a summary, or of a directory that holds one.
pub(crate) fn load_result(path: &Path) -> Result<LoadRun, String> {
    let file = if path.is_dir() { path.join(LoadFormat::Summary.file_name()) } else { path.to_owned() };
    let shown = file.display();
    let bytes = beginning(&file).map_err(|why| {
        format!("failed to read {shown}: {why}; hint: name the summary.json of a load run, or its directory")
    })?;
    let run = summary_text(&bytes).and_then(|text| read_summary(&text).map_err(|why| why.to_string()));
    run.map_err(|why| format!("failed to read {shown}: {why}"))
}
