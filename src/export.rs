//! `kube-assay export`: results of load runs in the formats of other tools.

use harness::load::LoadRun;
use reports::load::ExportError;

use crate::cli::ExportArgs;
use crate::exit::Exit;
use crate::load_result::load_result;
use crate::output::{complain, remark};
use crate::standard_output::StandardOutput;

/// Writes the document to standard output.
pub(crate) fn export(args: &ExportArgs) -> Exit {
    let runs: Result<Vec<LoadRun>, String> = args.results.iter().map(|path| load_result(path)).collect();
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
