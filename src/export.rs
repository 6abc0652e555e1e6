//! `kube-assay export`: results of load runs in the formats of other tools.

use std::path::Path;

use harness::load::LoadRun;
use reports::load::{ExportError, LoadFormat, read_summary};

use crate::cli::ExportArgs;
use crate::exit::Exit;
use crate::output::{StandardOutput, complain, remark};
use crate::result_file::{beginning, summary_text};

/// Writes the document to standard output.
pub(crate) fn export(args: &ExportArgs) -> Exit {
    let runs: Result<Vec<LoadRun>, String> = args.results.iter().map(|path| read(path)).collect();
    let runs = match runs {
        Ok(runs) => runs,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    // The document has no place for them in every format.
    for run in &runs {
        for warning in run.all_warnings() {
            remark(format_args!("warning about {} ({}): {}", run.workload.name, run.run, warning.says));
        }
    }
    match args.format.write(&runs, &mut StandardOutput) {
        Err(ExportError::Refused(why)) => {
            complain(format_args!("failed to export: {why}"));
            Exit::Usage
        }
        // The reader may have closed the pipe; any other error of standard output ends the program with 3.
        Ok(()) | Err(ExportError::Io(_)) => Exit::Passed,
    }
}

/// The run of a summary, or of a directory that holds one.
fn read(path: &Path) -> Result<LoadRun, String> {
    let file = if path.is_dir() { path.join(LoadFormat::Summary.file_name()) } else { path.to_owned() };
    let shown = file.display();
    let bytes = beginning(&file).map_err(|why| {
        format!("failed to read {shown}: {why}; hint: name the summary.json of a load run, or its directory")
    })?;
    let run = summary_text(&bytes).and_then(|text| read_summary(&text).map_err(|why| why.to_string()));
    run.map_err(|why| format!("failed to export {shown}: {why}"))
}
