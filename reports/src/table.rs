//! The table of areas, and how all tables look.

use harness::Counts;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::formatting::AlignmentStrategy;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Color, Padding, Style};
use unicode_width::UnicodeWidthStr;

use crate::escape::one_line;
use crate::mark::Mark;
use crate::record::Record;
use crate::words::thousands;

/// Rows are areas and a total, columns are marks.
pub(crate) fn areas(record: &Record, width: usize, colour: bool) -> String {
    let total = record.tally.counts();
    let marks = columns(&total);
    let rows = rows(record, &total, &marks);
    let narrow = width_of(&rows, &marks) > width;
    let mut builder = Builder::default();
    builder
        .push_record(std::iter::once(String::new()).chain(marks.iter().map(|mark| heading(*mark, narrow))));
    for row in rows {
        builder.push_record(row);
    }
    let mut table = without_lines(builder);
    table.with(AlignmentStrategy::PerLine).modify(Rows::first(), Alignment::bottom());
    if colour {
        paint(&mut table, record, &marks);
    }
    text(&table)
}

/// The marks that have a column: what is rare only if there is any.
pub(crate) fn columns(total: &Counts) -> Vec<Mark> {
    Mark::ALL.into_iter().filter(|mark| !mark.rare() || mark.count(total) > 0).collect()
}

/// A table without lines: names to the left, numbers to the right.
pub(crate) fn without_lines(builder: Builder) -> Table {
    let mut table = builder.build();
    table
        .with(Style::empty())
        .with(Padding::new(2, 0, 0, 0))
        .modify(Columns::first(), Padding::zero())
        .modify(Columns::new(1..), Alignment::right());
    table
}

/// Its lines, without blanks at their ends.
pub(crate) fn text(table: &Table) -> String {
    let lines: Vec<String> = table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// Greyed out.
pub(crate) fn dim() -> Color {
    Color::new("\u{1b}[2m", "\u{1b}[22m")
}

/// How wide the table is with every heading on one line.
fn width_of(rows: &[Vec<String>], marks: &[Mark]) -> usize {
    let names = rows.iter().map(|row| row[0].width()).max().unwrap_or(0);
    names + marks.iter().map(|mark| 2 + mark.word().len()).sum::<usize>()
}

/// On a narrow terminal the longest words take two lines.
fn heading(mark: Mark, narrow: bool) -> String {
    match mark {
        Mark::NotOffered if narrow => "not\noffered".to_owned(),
        Mark::Undetermined if narrow => "undeter-\nmined".to_owned(),
        _ => mark.word().to_owned(),
    }
}

fn rows(record: &Record, total: &Counts, marks: &[Mark]) -> Vec<Vec<String>> {
    let row = |name: &str, counts: &Counts| -> Vec<String> {
        let shown = marks.iter().map(|mark| match mark.count(counts) {
            0 => "·".to_owned(),
            count => thousands(count),
        });
        std::iter::once(one_line(name)).chain(shown).collect()
    };
    let areas = record.tally.areas();
    areas.iter().map(|(name, counts)| row(name, counts)).chain([row("total", total)]).collect()
}

fn paint(table: &mut Table, record: &Record, marks: &[Mark]) {
    let areas = record.tally.areas();
    table.modify(Rows::first().intersect(Columns::new(1..)), dim());
    for (column, mark) in marks.iter().enumerate() {
        let colour = match mark {
            Mark::Violated | Mark::Flaky => Color::FG_RED,
            Mark::Warned => Color::FG_YELLOW,
            Mark::Undetermined => Color::FG_MAGENTA,
            _ => Color::default(),
        };
        for (row, (_, counts)) in areas.iter().enumerate() {
            let ink = if mark.count(counts) == 0 { dim() } else { colour.clone() };
            table.modify(Rows::one(row + 1).intersect(Columns::one(column + 1)), ink);
        }
    }
    table.modify(Rows::last(), Color::BOLD);
}
