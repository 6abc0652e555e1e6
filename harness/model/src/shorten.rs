//! Shortens what a server sent, for reports.

use std::fmt::Write as _;

/// Cuts a text at a length in bytes, and says so: `abc… (20000 bytes in all)`.
pub fn shorten(text: &mut String, limit: usize) {
    let length = text.len();
    if length > limit {
        text.truncate(text.floor_char_boundary(limit));
        // Writing to a string cannot fail.
        let _ = write!(text, "… ({length} bytes in all)");
    }
}
