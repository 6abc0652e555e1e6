//! The causes of all failures: each with one example, and with links to the clauses that it broke.

use std::collections::HashMap;

use model::{Clause, ClauseId};

use super::detail::Detail;
use super::markup::{attribute, html};
use super::{evidence, name, word};
use crate::causes::{Cause, Causes};
use crate::focus::Focus;
use crate::record::Record;
use crate::words::{plural, thousands};

/// So few causes are open from the start.
const OPEN: usize = 3;

/// The number of causes with their exchange; the exchange of another cause is with the clause of its example.
const EXPLAINED: usize = 10;

/// The number of causes outside of the fold, so that the rest of the page stays in reach.
const SHOWN: usize = 15;

/// The section; nothing if nothing fails.
pub(super) fn list(record: &Record, causes: &Causes, detail: Detail) -> String {
    let all = causes.all();
    if all.is_empty() {
        return String::new();
    }
    let open = all.len() <= OPEN;
    let items = (0..).zip(all).map(|(number, cause)| item(record, cause, detail, open, number < EXPLAINED));
    let mut items: Vec<String> = items.collect();
    if items.len() > SHOWN {
        let more = plural(items.len() - SHOWN, "cause");
        items.insert(SHOWN, format!("<details class=\"rest broken\">\n<summary>and {more} more</summary>\n"));
        items.push("</details>\n".to_owned());
    }
    format!(
        "<section id=\"causes\" aria-labelledby=\"causes-name\">\n\
         <h2 id=\"causes-name\">Causes <span class=\"count\">{}</span></h2>\n\
         <p class=\"note\">Failures of the same request with the same response are one cause, shown with one example. \
         Where these are too many to read, failures of the same kind are one.</p>\n\
         {}</section>\n",
        thousands(all.len()),
        items.concat()
    )
}

fn item(record: &Record, cause: &Cause, detail: Detail, open: bool, whole: bool) -> String {
    let clause = cause.clause();
    let exchange = cause.example().evidence.last().filter(|_| whole && detail.exchanges > 0);
    format!(
        "<details class=\"cause broken\" id=\"cause-{}\" data-verdict=\"{}\"{}>\n\
         <summary>{} <b>{}</b><br/>{}</summary>\n\
         <p>{} {}</p>\n{}{}{}{}</details>\n",
        cause.id,
        cause.verdict.word(),
        if open { " open=\"open\"" } else { "" },
        word(cause.verdict),
        size(cause),
        detail.html(&cause.title),
        link(clause),
        detail.html(&clause.statement),
        evidence::terms(cause.example(), detail),
        exchange.map_or(String::new(), |exchange| {
            evidence::exchange(exchange, true, &Focus::of(cause.example()), detail)
        }),
        evidence::again(record, cause.example(), detail),
        members(cause)
    )
}

/// How much it broke.
fn size(cause: &Cause) -> String {
    let clauses = cause.size();
    if cause.kinds.is_empty() {
        clauses
    } else {
        format!("{clauses} · {}", html(&name(&cause.kinds.join(", "))))
    }
}

/// Every clause of a cause, and the types on which it failed.
fn members(cause: &Cause) -> String {
    let mut kinds: HashMap<&ClauseId, Vec<&str>> = HashMap::new();
    for finished in &cause.scenarios {
        let Some((_, variant)) = finished.scenario.as_str().split_once('/') else { continue };
        finished.clauses.iter().for_each(|clause| kinds.entry(clause).or_default().push(variant));
    }
    let items = cause.clauses.iter().map(|clause| {
        let on = kinds
            .get(&clause.id)
            .map_or(String::new(), |kinds| format!(" · {}", html(&name(&kinds.join(", ")))));
        format!("<li>{} <span class=\"dim\">{}{on}</span></li>\n", link(clause), clause.level)
    });
    format!("<ul class=\"members\">\n{}</ul>\n", items.collect::<String>())
}

fn link(clause: &Clause) -> String {
    let id = name(clause.id.as_str());
    format!("<a href=\"#{}\">{}</a>", attribute(&id), html(&id))
}
