//! Text that may come from a server, as HTML; and the small pieces that every page uses.
//!
//! Pages are also valid XML, so that a test needs no lenient parser.

use crate::escape::{escape, one_line};

/// Harmless between tags.
pub(crate) fn html(text: &str) -> String {
    escaped(&escape(text))
}

/// Harmless in a quoted attribute, on one line.
pub(crate) fn attribute(text: &str) -> String {
    escaped(&one_line(text)).replace('"', "&quot;").replace('\'', "&#39;")
}

fn escaped(harmless: &str) -> String {
    let mut shown = String::with_capacity(harmless.len() + 16);
    for c in harmless.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            c => shown.push(c),
        }
    }
    shown
}

/// A term and its description; empty without a description.
pub(crate) fn term(name: &str, description: &str) -> String {
    if description.trim().is_empty() {
        String::new()
    } else {
        format!("<dt>{}</dt><dd>{}</dd>\n", html(name), html(description))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_server_becomes_markup() {
        assert_eq!(html("<b a=\"1\">&\u{1b}\n"), "&lt;b a=\"1\"&gt;&amp;\\u{1b}\n");
        assert_eq!(attribute("<b a=\"1\" c='2'\n>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39; &gt;");
    }
}
