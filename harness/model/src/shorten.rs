//! Shortens what a server sent, for reports.

/// Cuts a text at a length in bytes, and says so: `abc… (20000 bytes in all)`.
pub fn shorten(text: &mut String, limit: usize) {
    let length = text.len();
    if length > limit {
        text.truncate(text.floor_char_boundary(limit));
        text.push_str(&format!("… ({length} bytes in all)"));
    }
}
