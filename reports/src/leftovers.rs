//! The objects that a run left or kept on the server, and the command that removes them.

use model::RunFinished;

use crate::command_line;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::words::plural;

/// How many of the objects the terminal lists, and the page shows outside of a fold.
pub(crate) const LISTED: usize = 10;

/// Lists the objects that the run left and kept, and shows the command that removes them.
pub(crate) fn write(page: &mut Page, record: &Record) {
    let lists = lists(record);
    for (ink, title, paths) in &lists {
        list(page, *ink, title, paths);
    }
    if let Some(command) = command_line::clean(record).filter(|_| !lists.is_empty()) {
        page.gap();
        page.paragraph(2, Ink::Plain, advice(record));
        page.gap();
        page.command(&command);
    }
}

/// What the command is for. Nothing is left to do if the server removes all objects.
pub(crate) fn advice(record: &Record) -> &'static str {
    let is_removing_all = |finished: &RunFinished| {
        finished.terminating > 0
            && finished.terminating >= finished.leftovers.len()
            && finished.kept.is_empty()
    };
    if record.tally.finished().is_some_and(is_removing_all) {
        "The server is still removing these objects. Look again later with:"
    } else {
        "Remove the objects of this run with:"
    }
}

/// The objects on the server, under a title; no empty list.
pub(crate) fn lists(record: &Record) -> Vec<(Ink, &'static str, &[String])> {
    let Some(finished) = record.tally.finished() else { return Vec::new() };
    let left = (Ink::Yellow, "left behind", finished.leftovers.as_slice());
    let kept = (Ink::Plain, "kept of failed scenarios", finished.kept.as_slice());
    [left, kept].into_iter().filter(|(_, _, paths)| !paths.is_empty()).collect()
}

fn list(page: &mut Page, ink: Ink, title: &str, paths: &[String]) {
    page.gap();
    page.line(&[(ink, title), (Ink::Plain, "  "), (Ink::Bold, &plural(paths.len(), "object"))]);
    for path in paths.iter().take(LISTED) {
        page.command(path);
    }
    if paths.len() > LISTED {
        page.paragraph(2, Ink::Dim, &format!("and {} more: see summary.json", paths.len() - LISTED));
    }
}
