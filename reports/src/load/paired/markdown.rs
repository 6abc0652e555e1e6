//! Pairs of load runs for a pull request.

use std::io::{self, Write};

use super::{HEAD, PairedReport, conclusion, row, sentences};
use crate::markdown::cell;

/// Writes the conclusion, the sentences and the table.
pub fn write_paired_markdown(report: &PairedReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n", cell(&conclusion(report).1))?;
    for sentence in sentences(report) {
        writeln!(out, "- {}", cell(&sentence))?;
    }
    if !report.changes.is_empty() {
        let head = HEAD.map(|name| format!(" {name} |")).concat();
        writeln!(out, "\n|{head}\n|---|{}---|", "--:|".repeat(HEAD.len() - 2))?;
    }
    for change in report.changes {
        let cells = row(report, change).map(|text| format!(" {} |", cell(&text))).concat();
        writeln!(out, "|{cells}")?;
    }
    out.flush()
}
