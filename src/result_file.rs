//! Files of results that a user names. None fills the memory, whatever it is: `/dev/zero` has no end.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use harness::{json_values, read_beginning};
use reports::load::SummaryError;

use crate::file_kind::FileKind;

/// No summary is as large, in bytes. A recording may be: it is read event by event.
const LARGEST_SUMMARY: u64 = 32 << 20;

/// No summary has as many values: each takes much more memory than its text.
const MOST_VALUES: usize = 2_000_000;

/// All of a summary, or the beginning of a larger file.
pub(crate) fn beginning(file: &Path) -> io::Result<Vec<u8>> {
    read_beginning(file, LARGEST_SUMMARY + 1)
}

/// The text of a summary, from the beginning of its file; an error for a larger file.
pub(crate) fn summary_text(beginning: &[u8]) -> Result<Cow<'_, str>, String> {
    expect_bounded(beginning)?;
    Ok(String::from_utf8_lossy(beginning))
}

/// Expects the beginning of a file to be the whole of it, and its values to fit into the memory.
pub(crate) fn expect_bounded(beginning: &[u8]) -> Result<(), String> {
    if beginning.len() as u64 > LARGEST_SUMMARY {
        return Err(format!("it is larger than {} MB", LARGEST_SUMMARY >> 20));
    }
    if json_values(beginning) > MOST_VALUES {
        return Err(format!("it has more than {MOST_VALUES} values"));
    }
    Ok(())
}

/// Why no summary can be read from the beginning of its file, and for a file that is no JSON what it is. The hint names
/// the right file.
pub(crate) fn unreadable(why: &SummaryError, beginning: &[u8], hint: &str) -> String {
    let SummaryError::NotJson(error) = why else { return why.to_string() };
    match FileKind::of(beginning) {
        Some(FileKind::Summary) => {
            format!("it is cut off or damaged ({error}); hint: copy it again, or repeat the run")
        }
        Some(kind @ FileKind::Compressed) => {
            format!("{kind}; hint: {hint}; `zcat` unpacks a compressed summary.json")
        }
        Some(FileKind::NoJson) | None => format!("{why}; hint: {hint}"),
        Some(kind) => format!("{kind}; hint: {hint}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_with_very_many_values_is_refused() {
        let text = |values: usize| format!("[{}0]", "[],".repeat(values));
        assert!(summary_text(text(10).as_bytes()).is_ok());
        let refused = summary_text(text(MOST_VALUES).as_bytes()).unwrap_err();
        assert_eq!(refused, "it has more than 2000000 values");
    }
}
