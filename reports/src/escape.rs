//! Makes text from a server harmless: nothing in it can move a cursor, turn a line around or break XML.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character does something to a terminal or to a reader's eyes instead of being seen, or is not legal in
/// XML 1.0.
pub fn is_hostile(c: char) -> bool {
    let invisible = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    let no_character = matches!(c, '\u{fdd0}'..='\u{fdef}') || (c as u32) & 0xfffe == 0xfffe;
    c.is_control() || invisible || no_character
}

/// Shows hostile characters as Rust would write them; lines stay lines.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\n' && is_hostile(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c != '\n' && is_hostile(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The same, on one line.
pub(crate) fn one_line(text: &str) -> String {
    escape(text).replace('\n', " ")
}

/// The same, as a cell of a table for spreadsheets: they take a text that begins with one of these characters for a formula,
/// unless an apostrophe comes first.
pub(crate) fn csv_cell(text: &str) -> String {
    let text = one_line(text);
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

/// At most `limit` characters, and how many were left out.
pub(crate) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((at, _)) => {
            Cow::Owned(format!("{} … ({} characters more)", &text[..at], text[at..].chars().count()))
        }
    }
}

/// A shell command of kube-assay with hostile characters inside single quotes: it escapes them for the shell, so that the
/// copied command still sends the same bytes.
pub(crate) fn command(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_hostile(c) {
            shown.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = if c.is_ascii() {
                write!(shown, r"'$'\x{:02x}''", c as u32)
            } else {
                write!(shown, r"'$'\U{:08x}''", c as u32)
            };
        }
    }
    shown
}
