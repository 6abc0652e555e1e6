//! Text that may come from a server, as HTML; and the small pieces that every part of the page uses.

use harness::load::threshold::Verdict;

use crate::escape::escape;

/// Harmless in text and in a quoted attribute.
pub(super) fn html(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for c in escape(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}

/// A term and what is to be said of it; nothing if there is nothing to say.
pub(super) fn term(name: &str, says: &str) -> String {
    if says.trim().is_empty() {
        String::new()
    } else {
        format!("<dt>{}</dt><dd>{}</dd>\n", html(name), html(says))
    }
}

/// How a verdict looks.
pub(super) fn verdict_class(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Unasked { "not-measured" } else { verdict.word() }
}

/// A chart with its title and the names of its lines.
pub(super) fn figure(title: &str, svg: &str, keys: &[(usize, String)]) -> String {
    let keys = keys
        .iter()
        .map(|(colour, key)| {
            let colour = colour % super::chart::COLOURS;
            format!(r#"<span class="key"><i class="b{colour}"></i>{}</span> "#, html(key))
        })
        .collect::<Vec<_>>()
        .concat();
    format!("<figure><h3>{}</h3>\n{svg}\n<figcaption>{keys}</figcaption></figure>\n", html(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_server_becomes_markup() {
        assert_eq!(html("<b a=\"1\" c='2'>&\u{1b}"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\\u{1b}");
    }
}
