//! Pairs of load runs on the terminal.

use std::io::{self, Write};

use super::{HEAD, PairedReport, conclusion, row, sentences};
use crate::load::grid::grid;
use crate::page::{Ink, Page};
use crate::terminal::Look;

/// Writes the table, a sentence for each number that changed, and the conclusion.
pub fn write_paired(report: &PairedReport, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    if !report.changes.is_empty() {
        let rows: Vec<Vec<String>> =
            report.changes.iter().map(|change| row(report, change).to_vec()).collect();
        page.block(&grid(&HEAD, &rows, look.colour));
        page.gap();
    }
    for sentence in sentences(report) {
        page.paragraph(0, Ink::Plain, &sentence);
    }
    page.gap();
    let (ink, text) = conclusion(report);
    page.paragraph(0, ink, &text);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}
