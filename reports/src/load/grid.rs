//! A table of numbers without lines: names to the left, numbers to the right.

use tabled::builder::Builder;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Color, Padding, Style};

/// Lays out a head and rows of as many cells, harmless already.
pub(super) fn grid(head: &[&str], rows: &[Vec<String>], colour: bool) -> String {
    let mut builder = Builder::default();
    builder.push_record(head.iter().copied());
    for row in rows {
        builder.push_record(row);
    }
    let mut table = builder.build();
    table
        .with(Style::empty())
        .with(Padding::new(2, 0, 0, 0))
        .modify(Columns::first(), Padding::zero())
        .modify(Columns::new(1..), Alignment::right());
    if colour {
        let dim = Color::new("\u{1b}[2m", "\u{1b}[22m");
        table.modify(Rows::first().intersect(Columns::new(1..)), dim);
    }
    let lines: Vec<String> = table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// How wide the widest line is.
pub(super) fn width(text: &str) -> usize {
    text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap_or(0)
}
