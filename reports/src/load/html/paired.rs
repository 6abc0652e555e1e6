//! The page of pairs of load runs: the conclusion, the sentences, and the table.

use std::io::{self, Write};

use super::STYLE;
use crate::html::{Document, html, term};
use crate::load::paired::{HEAD, PairedReport, conclusion, row, sentences};
use crate::page::Ink;
use crate::words::duration;

/// Writes the page.
pub fn write_paired_html(report: &PairedReport, out: &mut dyn Write) -> io::Result<()> {
    let page = Document { title: "load comparison", style: STYLE, script: None };
    let parts = [
        page.head(),
        "<main>\n<h1>Load comparison</h1>\n".to_owned(),
        head(report),
        found(report),
        table(report),
        "</main>\n".to_owned(),
        page.foot(),
    ];
    for part in parts {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

fn head(report: &PairedReport) -> String {
    let (ink, text) = conclusion(report);
    let class = match ink {
        Ink::Red => "missed",
        Ink::Green => "met",
        Ink::Magenta => "inconclusive",
        _ => "not-measured",
    };
    let terms = [
        term("base", report.servers.0),
        term("new", report.servers.1),
        term("pairs", &format!("{} of {}", report.measured, report.pairs)),
        term("each run measured", &duration(report.length)),
    ];
    format!("<p class=\"verdict {class}\">{}</p>\n<dl>\n{}</dl>\n", html(&text), terms.concat())
}

fn found(report: &PairedReport) -> String {
    let items: Vec<String> =
        sentences(report).iter().map(|sentence| format!("<li>{}</li>\n", html(sentence))).collect();
    if items.is_empty() {
        String::new()
    } else {
        format!("<h2>Changes</h2>\n<ul>\n{}</ul>\n", items.concat())
    }
}

fn table(report: &PairedReport) -> String {
    if report.changes.is_empty() {
        return String::new();
    }
    let heads = HEAD.map(|head| format!("<th>{head}</th>")).concat();
    let line = |change| {
        let cells = row(report, change).map(|cell| format!("<td>{}</td>", html(&cell))).concat();
        format!("<tr>{cells}</tr>\n")
    };
    let rows = report.changes.iter().map(line).collect::<Vec<_>>().concat();
    format!(
        "<h2>Numbers</h2>\n<div class=\"scroll\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\
         </table></div>\n"
    )
}
