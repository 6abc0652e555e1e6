//! `kube-assay compare`: what changed between two load runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use harness::load::LoadRun;
use harness::load::comparison::{Change, Effect, changes, unlike};
use reports::load::{LoadFormat, read_summary, write_comparison};

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{complain, look};

/// Compares, and says whether something is worse by more than is allowed.
pub(crate) fn compare(args: &CompareArgs) -> Exit {
    match (read(&args.base), read(&args.new)) {
        (Ok(base), Ok(new)) => of_runs(args, &base, &new),
        (Err(why), _) | (_, Err(why)) => {
            complain(why);
            Exit::Usage
        }
    }
}

fn of_runs(args: &CompareArgs, base: &LoadRun, new: &LoadRun) -> Exit {
    if let Err(why) = comparable(base, new) {
        complain(why);
        return Exit::Undetermined;
    }
    let (changes, tolerance) = (changes(base, new), args.max_regression);
    // Nobody may read the terminal any more; the exit code still counts.
    let _ = write_comparison((base, new), &changes, tolerance, look(&io::stdout()), &mut io::stdout());
    tolerance
        .map_or(Exit::Upheld, |tolerance| judge(changes, base.is_doubtful() || new.is_doubtful(), tolerance))
}

/// Runs that did not ask the same, or did not come to their end, say nothing about each other.
fn comparable(base: &LoadRun, new: &LoadRun) -> Result<(), String> {
    let differences: Vec<String> = unlike(base, new).iter().map(ToString::to_string).collect();
    if !differences.is_empty() {
        return Err(format!("the runs are not alike, so they are not compared: {}", differences.join("; ")));
    }
    for (name, run) in [("base", base), ("new run", new)] {
        if let Some(why) = &run.partial {
            return Err(format!("the {name} is partial ({why}), so it is not compared"));
        }
    }
    Ok(())
}

fn judge(mut changes: Vec<Change>, doubtful: bool, tolerance: f64) -> Exit {
    changes.retain(Change::is_of_server);
    let is = |effect: Effect| changes.iter().any(|change| change.effect(tolerance) == effect);
    match () {
        () if is(Effect::Worse) => Exit::Violated,
        () if doubtful => {
            complain("a run is doubtful: whether the server is worse could not be found out");
            Exit::Undetermined
        }
        () if !changes.iter().any(|change| change.firm) => {
            complain("no number stands on enough values to be judged; measure for longer");
            Exit::Undetermined
        }
        () => Exit::Upheld,
    }
}

/// The run behind a summary, or behind the one in a folder.
fn read(path: &Path) -> Result<LoadRun, String> {
    let file: PathBuf =
        if path.is_dir() { path.join(LoadFormat::Summary.file_name()) } else { path.to_owned() };
    let shown = file.display();
    let text = fs::read_to_string(&file).map_err(|why| {
        format!("could not read {shown}: {why}; name the summary.json of a load run, or its folder")
    })?;
    read_summary(&text).map_err(|why| format!("could not compare {shown}: {why}"))
}
