//! `report.html`: one page for people, which opens from a disk and needs no network.
//!
//! It is complete without its script, which only filters. It shares its parts with the page of a load run.

mod causes;
mod clauses;
mod coverage;
mod detail;
mod document;
mod evidence;
mod markup;
mod overview;

use std::io::{self, Write};

use model::Verdict;

use self::detail::Detail;
pub(crate) use self::document::{Document, Script};
pub(crate) use self::markup::{attribute, html, term};
use crate::causes::Causes;
use crate::escape::{clip, one_line};
use crate::record::Record;
use crate::verdict_style::VerdictStyle;

/// The style of this page, in addition to the style of all pages.
const STYLE: &str = include_str!("report.css");

/// The script: search, open, copy.
pub(crate) const SCRIPT: Script =
    Script { text: include_str!("report.js"), digest: "6YkWDmnM87sbIYGNbSD9CaSMMty6oWytHov1Q0tYRIE=" };

/// Writes the page, with as much of the exchanges as there is room for.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::new();
    let causes = Causes::of(record);
    for detail in Detail::ALL {
        page = of(record, &causes, detail);
        if !detail.is_too_large(page.len()) {
            break;
        }
    }
    out.write_all(page.as_bytes())
}

fn of(record: &Record, causes: &Causes, detail: Detail) -> String {
    let address = record.tally.started().map_or("", |started| &started.target.address);
    let title = format!("{}: {address}", record.tally.conclusion().word());
    let page = Document { title: &title, style: STYLE, script: Some(SCRIPT) };
    [
        page.head(),
        overview::head(record),
        "<main>\n".to_owned(),
        causes::list(record, causes, detail),
        overview::areas(record),
        clauses::list(record, detail),
        coverage::table(record),
        "</main>\n".to_owned(),
        overview::foot(record),
        page.foot(),
    ]
    .concat()
}

/// A verdict in its colour.
fn word(verdict: Verdict) -> String {
    format!("<span class=\"{}\">{}</span>", verdict.ink().class(), verdict.word())
}

/// The maximum length of a name: areas and clauses have short names.
const LONGEST_NAME: usize = 200;

/// A name from a recording, as the filter knows it.
fn name(text: &str) -> String {
    one_line(&clip(text, LONGEST_NAME))
}
