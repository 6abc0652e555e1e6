//! A table of numbers without lines: names to the left, numbers to the right.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};

use crate::table::{dim, text, without_lines};

/// Lays out a head and rows with as many escaped cells.
pub(super) fn grid(head: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    let mut builder = Builder::default();
    builder.push_record(head.iter().copied());
    for row in rows {
        builder.push_record(row);
    }
    let mut table = without_lines(builder);
    if colour {
        table.modify(Rows::first().intersect(Columns::new(1..)), dim());
    }
    text(&table)
}

/// How wide the widest line is.
pub(super) fn width(text: &str) -> usize {
    text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap_or(0)
}
