//! `kube-assay history add`: keeps results of load runs.

use std::path::Path;

use harness::load::LoadRun;
use harness::load::history::HistoryEntry;

use super::store::{self, Kept};
use crate::cli::HistoryAddArgs;
use crate::exit::Exit;
use crate::load_result::load_result;
use crate::output::{complain, say};

/// Keeps all results, or none if one of them cannot be kept.
pub(super) fn add(args: &HistoryAddArgs) -> Exit {
    let entries: Result<Vec<HistoryEntry>, String> = args.results.iter().map(|path| entry(path)).collect();
    let entries = match entries {
        Ok(entries) => entries,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    for entry in &entries {
        match store::add(&args.store.path, entry) {
            Ok(Kept::Added(path)) => say(&format!("added {}\n", path.display())),
            Ok(Kept::Already(path)) => say(&format!("already in {}\n", path.display())),
            Err(why) => {
                complain(why);
                return Exit::Inconclusive;
            }
        }
    }
    Exit::Passed
}

fn entry(path: &Path) -> Result<HistoryEntry, String> {
    let run = load_result(path)?;
    keepable(&run).map_err(|why| format!("failed to add {}: {why}", path.display()))?;
    Ok(HistoryEntry::of(&run))
}

/// A result that could not be told from unlike ones would be compared with them.
fn keepable(run: &LoadRun) -> Result<(), String> {
    if let Some(why) = &run.partial {
        return Err(format!("the run is partial ({why}); hint: repeat the run"));
    }
    if run.workload.digest.is_empty() {
        return Err(
            "it has no digest of its workload, because an earlier kube-assay wrote it; hint: repeat the run"
                .to_owned(),
        );
    }
    Ok(())
}
