//! Escapes text for Markdown.

/// Text in a paragraph or in a table cell, but not at the beginning of a line.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let mut escaped = String::new();
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inside = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        if matches!(c, '\\' | '`' | '*' | '<' | '[' | ']' | '&' | '|' | '~') || (c == '_' && !inside) {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

#[test]
fn what_means_something_to_markdown_is_escaped() {
    assert_eq!(plain("a list at <expired>,\n or `*`"), "a list at \\<expired>, or \\`\\*\\`");
    assert_eq!(plain("compact_rev_key and _this_"), "compact_rev_key and \\_this\\_");
    assert_eq!(plain("[a](b) ~ c|d & e\\f"), "\\[a\\](b) \\~ c\\|d \\& e\\\\f");
}
