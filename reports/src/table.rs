//! The table of areas, and how all tables look.

use model::{Counts, Verdict};
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::formatting::AlignmentStrategy;
use tabled::settings::object::{Columns, Object, Rows};
use tabled::settings::{Alignment, Color, Padding, Style};
use unicode_width::UnicodeWidthStr;

use crate::escape::one_line;
use crate::record::Record;
use crate::verdict_style::VerdictStyle;
use crate::words::thousands;

/// Rows are areas and a total, columns are verdicts.
pub(crate) fn areas(record: &Record, width: usize, colour: bool) -> String {
    let total = record.tally.counts();
    let verdicts = columns(&total);
    let rows = rows(record, &total, &verdicts);
    let narrow = width_of(&rows, &verdicts) > width;
    let mut builder = Builder::default();
    builder.push_record(
        std::iter::once(String::new()).chain(verdicts.iter().map(|verdict| heading(*verdict, narrow))),
    );
    for row in rows {
        builder.push_record(row);
    }
    let mut table = without_lines(builder);
    table.with(AlignmentStrategy::PerLine).modify(Rows::first(), Alignment::bottom());
    if colour {
        paint(&mut table, record, &verdicts);
    }
    text(&table)
}

/// The verdicts with a column: a rare verdict only if it occurs.
pub(crate) fn columns(total: &Counts) -> Vec<Verdict> {
    Verdict::ALL.into_iter().filter(|verdict| !verdict.rare() || total.of(*verdict) > 0).collect()
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
fn width_of(rows: &[Vec<String>], verdicts: &[Verdict]) -> usize {
    let names = rows.iter().map(|row| row[0].width()).max().unwrap_or(0);
    names + verdicts.iter().map(|verdict| 2 + verdict.word().len()).sum::<usize>()
}

/// On a narrow terminal the longest words take two lines.
fn heading(verdict: Verdict, narrow: bool) -> String {
    match verdict {
        Verdict::NotSupported if narrow => "not\nsupported".to_owned(),
        Verdict::Inconclusive if narrow => "inconclu-\nsive".to_owned(),
        Verdict::KnownFailure if narrow => "known\nfailure".to_owned(),
        _ => verdict.word().to_owned(),
    }
}

fn rows(record: &Record, total: &Counts, verdicts: &[Verdict]) -> Vec<Vec<String>> {
    let row = |name: &str, counts: &Counts| -> Vec<String> {
        let shown = verdicts.iter().map(|verdict| match counts.of(*verdict) {
            0 => "·".to_owned(),
            count => thousands(count),
        });
        std::iter::once(one_line(name)).chain(shown).collect()
    };
    let areas = record.tally.areas();
    areas.iter().map(|(name, counts)| row(name, counts)).chain([row("total", total)]).collect()
}

fn paint(table: &mut Table, record: &Record, verdicts: &[Verdict]) {
    let areas = record.tally.areas();
    table.modify(Rows::first().intersect(Columns::new(1..)), dim());
    for (column, verdict) in verdicts.iter().enumerate() {
        let colour = match verdict {
            Verdict::Failed | Verdict::Flaky => Color::FG_RED,
            Verdict::Warning => Color::FG_YELLOW,
            Verdict::Inconclusive => Color::FG_MAGENTA,
            _ => Color::default(),
        };
        for (row, (_, counts)) in areas.iter().enumerate() {
            let ink = if counts.of(*verdict) == 0 { dim() } else { colour.clone() };
            table.modify(Rows::one(row + 1).intersect(Columns::one(column + 1)), ink);
        }
    }
    table.modify(Rows::last(), Color::BOLD);
}
