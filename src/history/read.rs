//! The commands that read a store.

use std::env;
use std::io;

use harness::load::history::{HistoryConclusion, HistoryEntry, conclude_history, groups};
use reports::load::{write_check, write_check_annotations, write_check_junit, write_history};

use super::store::{self, Stored};
use crate::cli::{HistoryCheckArgs, HistoryShowArgs, StoredResultsArgs};
use crate::exit::Exit;
use crate::output::{complain, look};
use crate::standard_output::StandardOutput;

/// Prints the level of every number.
pub(super) fn show(args: &HistoryShowArgs) -> Exit {
    let Some(stored) = read(&args.results) else { return Exit::Usage };
    // The terminal may be closed; the exit code still counts.
    let _ = write_history(&groups(&stored.entries), look(&io::stdout()), &mut StandardOutput);
    whole(&stored, Exit::Passed)
}

/// Judges the newest results.
pub(super) fn check(args: &HistoryCheckArgs) -> Exit {
    let Some(stored) = read(&args.results) else { return Exit::Usage };
    let groups = groups(&stored.entries);
    let conclusion = conclude_history(&groups, args.max_regression, args.since);
    // The terminal may be closed; the exit code still counts.
    let _ = write_check(&conclusion, args.max_regression, look(&io::stdout()), &mut StandardOutput);
    if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        let _ = write_check_annotations(&conclusion, &mut StandardOutput);
    }
    let exit = exit(&conclusion);
    match junit(args, &conclusion, &stored.entries) {
        Err(why) => {
            complain(why);
            if exit == Exit::Failed { exit } else { Exit::Inconclusive }
        }
        Ok(()) => whole(&stored, exit),
    }
}

/// A regression fails. What could not be judged does not pass.
fn exit(conclusion: &HistoryConclusion) -> Exit {
    match () {
        () if !conclusion.regressions.is_empty() => Exit::Failed,
        () if conclusion.judged.is_empty() || !conclusion.too_few.is_empty() => Exit::Inconclusive,
        () => Exit::Passed,
    }
}

fn junit(
    args: &HistoryCheckArgs,
    conclusion: &HistoryConclusion,
    entries: &[HistoryEntry],
) -> io::Result<()> {
    let Some(path) = &args.junit else { return Ok(()) };
    let newest = entries.iter().map(|entry| entry.began).max().unwrap_or_default();
    reports::directory::save_named(path, |out| write_check_junit(conclusion, newest, out))
}

/// The results with all given labels. An error is on standard error already.
pub(super) fn read(args: &StoredResultsArgs) -> Option<Stored> {
    let mut stored = match store::read(&args.store.path) {
        Ok(stored) => stored,
        Err(why) => {
            complain(why);
            return None;
        }
    };
    stored.unreadable.iter().for_each(complain);
    let is_wanted =
        |entry: &HistoryEntry| args.labels.iter().all(|(name, value)| entry.labels.get(name) == Some(value));
    stored.entries.retain(is_wanted);
    if stored.entries.is_empty() {
        let labels = if args.labels.is_empty() { "" } else { " with these labels" };
        complain(format_args!(
            "found no result{labels} in {}; hint: name the folder that `kube-assay history add` writes",
            args.store.path.display()
        ));
    }
    Some(stored)
}

/// A damaged result hides a part of the history: the rest is judged, and does not pass. Nor does a folder without any.
pub(super) fn whole(stored: &Stored, exit: Exit) -> Exit {
    let is_whole = stored.unreadable.is_empty() && !stored.entries.is_empty();
    if exit == Exit::Passed && !is_whole { Exit::Inconclusive } else { exit }
}
