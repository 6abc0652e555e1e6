//! Text that may come from a server, as Markdown.

use crate::escape::{escape, one_line};

/// Text in a paragraph or between the bars of a table, whatever it is.
pub(crate) fn cell(text: &str) -> String {
    let mut escaped = String::new();
    for c in one_line(text).chars() {
        if matches!(c, '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '&' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Text between backticks.
pub(crate) fn code(text: &str) -> String {
    one_line(text).replace('`', "'")
}

/// A block that nothing in the text can end: its fence is longer than any in there.
pub(crate) fn block(language: &str, text: &str) -> String {
    let text = escape(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}\n")
}
