//! The small pieces that only this page uses.

use model::load::threshold::ThresholdVerdict;

use crate::html::html;

/// How a verdict looks.
pub(super) fn verdict_class(verdict: ThresholdVerdict) -> &'static str {
    if verdict == ThresholdVerdict::NotJudged { "not-measured" } else { verdict.word() }
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
