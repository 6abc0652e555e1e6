//! The objects that a run left on the server, and the command that removes them.

use crate::command_line;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::words::plural;

/// How many of the objects the terminal lists, and the page shows outside of a fold.
pub(crate) const LISTED: usize = 10;

/// Lists the leftovers, and shows the command that removes them.
pub(crate) fn write(page: &mut Page, record: &Record) {
    let left = record.tally.finished().map_or(&[][..], |finished| &finished.leftovers);
    if left.is_empty() {
        return;
    }
    page.gap();
    page.line(&[
        (Ink::Yellow, "left behind"),
        (Ink::Plain, "  "),
        (Ink::Bold, &plural(left.len(), "object")),
    ]);
    for path in left.iter().take(LISTED) {
        page.command(path);
    }
    if left.len() > LISTED {
        page.paragraph(2, Ink::Dim, &format!("and {} more: see summary.json", left.len() - LISTED));
    }
    if let Some(command) = command_line::clean(record) {
        page.gap();
        page.paragraph(2, Ink::Plain, "Remove the objects of this run with:");
        page.gap();
        page.command(&command);
    }
}
