//! A load run for a person: tables, books, doubts, and what became of the thresholds.

use std::io::{self, Write};

use harness::load::threshold::Verdict;
use harness::load::{LoadRun, PhaseName};

use super::account::account;
use super::figures::{bytes, count, rate};
use super::grid::{grid, width};
use super::rows::{QUANTILES, Row, Rows, kind, label, raised, title};
use crate::escape::one_line;
use crate::page::{Ink, Page};
use crate::terminal::Look;
use crate::words::{duration, plural};

/// Writes everything.
pub fn write_terminal(run: &LoadRun, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    let rows = Rows::of(run);
    head(&mut page, run);
    requests(&mut page, &rows.requests, look);
    times(&mut page, "delivery lag", &rows.lags, look);
    times(&mut page, "also measured", &rows.others, look);
    books(&mut page, run);
    doubts(&mut page, &rows);
    breaches(&mut page, run);
    thresholds(&mut page, run);
    page.gap();
    judgement(&mut page, run);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

fn head(page: &mut Page, run: &LoadRun) {
    let workload = &run.workload;
    page.titled(Ink::Bold, &one_line(&workload.name), &workload.models);
    page.field("target", Ink::Plain, &format!("{} {}", run.target.address, run.target.release));
    page.field("pace", Ink::Plain, &workload.pace);
    page.field("population", Ink::Plain, &workload.population);
    let phases = run.phases.iter().filter(|phase| phase.name != PhaseName::Measure);
    let beside: Vec<String> = phases
        .map(|phase| {
            let length = phase.to_ms.saturating_sub(phase.from_ms);
            format!("{} {}", phase.name.word(), duration(std::time::Duration::from_millis(length)))
        })
        .collect();
    let beside = if beside.is_empty() { String::new() } else { format!(" ({})", beside.join(", ")) };
    page.field("measured", Ink::Plain, &format!("{}{beside}", duration(run.measured())));
    page.field("run", Ink::Plain, &format!("{}, seed {}, {}", run.run, run.seed, run.tool));
    if let Some(why) = &run.partial {
        page.gap();
        page.titled(Ink::Red, "partial", why);
    }
    page.gap();
}

/// One table where it fits, and two where it does not: how much, and how fast.
fn requests(page: &mut Page, rows: &[Row], look: Look) {
    if rows.is_empty() {
        return;
    }
    let cells = |row: &Row| [vec![name(row)], amounts(row), percentiles(row)].concat();
    let head =
        [&["requests", "count", "errors", "rate", "bytes"][..], &QUANTILES.map(|(name, _)| name)].concat();
    let whole = grid(&head, &rows.iter().map(cells).collect::<Vec<_>>(), look.colour);
    if width(&whole) <= look.width {
        page.block(&whole);
    } else {
        let cells = |row: &Row| [vec![name(row)], amounts(row)].concat();
        let amounts: Vec<Vec<String>> = rows.iter().filter(|row| !row.part).map(cells).collect();
        page.block(&grid(&["requests", "count", "errors", "rate", "bytes"], &amounts, look.colour));
        page.gap();
        times(page, "latency", rows, look);
    }
    for row in rows.iter().filter(|row| !row.part && !row.series.errors.is_empty()) {
        let classes = row.series.errors.iter().map(|(class, number)| format!("{class} × {}", count(*number)));
        let classes = classes.collect::<Vec<_>>().join(", ");
        page.paragraph(2, Ink::Dim, &format!("errors of {}: {classes}", title(&row.series.key)));
    }
    page.gap();
}

fn times(page: &mut Page, title: &str, rows: &[Row], look: Look) {
    if rows.is_empty() {
        return;
    }
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| [vec![name(row)], percentiles(row)].concat()).collect();
    let head = [&[title][..], &QUANTILES.map(|(name, _)| name)].concat();
    page.block(&grid(&head, &cells, look.colour));
    page.gap();
}

fn name(row: &Row) -> String {
    let label = label(row);
    if row.doubts.is_empty() { label } else { format!("{label} {}", raised(&row.doubts)) }
}

fn amounts(row: &Row) -> Vec<String> {
    if row.part {
        return vec![String::new(); 4];
    }
    let series = row.series;
    let errors = if series.failed() == 0 { "·".to_owned() } else { count(series.failed()) };
    vec![count(series.count), errors, rate(row.rate), bytes(series.bytes)]
}

fn percentiles(row: &Row) -> Vec<String> {
    row.quantiles.iter().map(|one| one.map_or("·".to_owned(), |one| one.to_string())).collect()
}

fn books(page: &mut Page, run: &LoadRun) {
    for (name, says) in account(run) {
        page.field(name, Ink::Plain, &says);
    }
    page.gap();
}

fn doubts(page: &mut Page, rows: &Rows) {
    for (doubt, number) in rows.doubts.iter().zip(1..) {
        let mark = if doubt.about.is_empty() { String::new() } else { format!(" {}", raised(&[number])) };
        let ink = if doubt.grave { Ink::Red } else { Ink::Yellow };
        page.titled(ink, &format!("doubt{mark}"), &doubt.says);
    }
    page.gap();
}

fn breaches(page: &mut Page, run: &LoadRun) {
    for breach in &run.breaches {
        page.titled(
            Ink::Red,
            "broken",
            &format!("{} ({})", breach.rule, plural(usize::try_from(breach.count).unwrap_or(0), "time")),
        );
        page.field("expected", Ink::Plain, &breach.expected);
        page.field("got", Ink::Plain, &breach.actual);
        for line in &breach.evidence {
            page.paragraph(4, Ink::Dim, line);
        }
    }
    page.gap();
}

fn thresholds(page: &mut Page, run: &LoadRun) {
    for judged in &run.thresholds {
        let ink = match judged.verdict {
            Verdict::Met => Ink::Green,
            Verdict::Missed => Ink::Red,
            Verdict::Undetermined => Ink::Magenta,
            Verdict::Unasked => Ink::Dim,
        };
        let text = judged.threshold.to_string();
        let seen = match (&judged.about, judged.verdict) {
            (_, Verdict::Unasked) => String::new(),
            (Some(about), _) => format!("  {} ({})", judged.seen(), title_of(about)),
            (None, _) => format!("  {}", judged.seen()),
        };
        let word = format!("{:<13} ", judged.verdict.word());
        page.line(&[(ink, &word), (Ink::Plain, &text), (Ink::Dim, &seen)]);
    }
}

fn title_of(key: &harness::load::SeriesKey) -> String {
    format!("{}, {}", title(key), kind(key.kind))
}

fn judgement(page: &mut Page, run: &LoadRun) {
    let ink = match run.verdict() {
        Verdict::Met | Verdict::Unasked => Ink::Green,
        Verdict::Undetermined => Ink::Magenta,
        Verdict::Missed => Ink::Red,
    };
    page.line(&[(ink, &run.because())]);
}
