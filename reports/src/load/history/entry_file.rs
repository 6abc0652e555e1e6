//! The file of one result in a history: one line of JSON.
//!
//! `reports/schema/history-entry.json` describes it.

use std::io::{self, Write};

use model::load::history::{HISTORY_FORMAT, HISTORY_KIND, HistoryEntry};
use serde_json::Value;

/// The file cannot be read as a result of a history.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// Cut off, or no JSON at all.
    #[error("it is cut off or damaged ({0}); hint: remove it, and add the result again")]
    Damaged(serde_json::Error),
    /// JSON of something else.
    #[error("it is no result of a history; hint: move it out of the store")]
    Other,
    /// Written by a later version.
    #[error(
        "its format is {0}, and this kube-assay reads format {HISTORY_FORMAT}; hint: use a newer kube-assay"
    )]
    TooNew(u64),
}

/// Writes the document.
pub fn write_entry(entry: &HistoryEntry, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, entry)?;
    writeln!(out)
}

/// Reads the document.
pub fn read_entry(text: &[u8]) -> Result<HistoryEntry, EntryError> {
    // Most files are what they seem: only the others are looked at closely.
    let why = match serde_json::from_slice::<HistoryEntry>(text) {
        Ok(entry) if entry.kind != HISTORY_KIND => return Err(EntryError::Other),
        Ok(entry) if entry.format > HISTORY_FORMAT => return Err(EntryError::TooNew(entry.format.into())),
        Ok(entry) => return Ok(entry),
        Err(why) => why,
    };
    let document: Value = serde_json::from_slice(text).map_err(EntryError::Damaged)?;
    if document["kind"] != HISTORY_KIND {
        return Err(EntryError::Other);
    }
    match document["format"].as_u64() {
        Some(format) if format > u64::from(HISTORY_FORMAT) => Err(EntryError::TooNew(format)),
        _ => Err(EntryError::Damaged(why)),
    }
}
