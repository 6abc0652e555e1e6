//! Reports of a history of load runs, and the file of one of its results.

mod check;
mod check_junit;
mod entry_file;
pub(super) mod show;

#[cfg(test)]
mod tests;

pub use check::{write_check, write_check_annotations};
pub use check_junit::write_check_junit;
pub use entry_file::{EntryError, read_entry, write_entry};
pub use show::write_history;

use jiff::Timestamp;
use model::load::history::HistoryEntry;

/// The day of a result, `2026-11-25`.
pub(super) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// A result and its day: `1f2e3d4c5b6a of 2026-11-25`.
fn dated(entry: &HistoryEntry) -> String {
    format!("{} of {}", entry.name(), day(entry.began))
}
