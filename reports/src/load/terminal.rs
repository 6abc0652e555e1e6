//! A load run for the terminal: tables, accounts, warnings, and the results of the thresholds.

use std::io::{self, Write};

use model::load::threshold::{DEFAULT_SLO, ThresholdVerdict};
use model::load::{LoadRun, PhaseName};
use unicode_width::UnicodeWidthStr;

use super::account::{account, host, labels};
use super::figures::plural;
use super::rows::{Rows, full_title, raised};
use super::tables;
use crate::escape::one_line;
use crate::page::{Ink, Page};
use crate::terminal::Look;
use crate::words::duration;

/// The rules that another client breaks if it creates, deletes or replaces objects of the run.
const BROKEN_BY_OTHERS: [&str; 4] = ["list-short", "repeated", "replaced", "unstored"];

/// Writes everything.
pub fn write_terminal(run: &LoadRun, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    let rows = Rows::of(run);
    head(&mut page, run);
    tables::requests(&mut page, &rows.requests, look);
    tables::times(&mut page, "delivery lag", &rows.lags, look);
    tables::times(&mut page, "also measured", &rows.others, look);
    books(&mut page, run);
    warnings(&mut page, &rows);
    breaches(&mut page, run);
    thresholds(&mut page, run);
    page.gap();
    conclusion(&mut page, run);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

fn head(page: &mut Page, run: &LoadRun) {
    let workload = &run.workload;
    let name = if workload.name.is_empty() { "load" } else { workload.name.as_str() };
    page.titled(Ink::Bold, &one_line(name), &workload.models);
    let target = format!("{} {}", run.target.address, run.target.release);
    let terms = [
        ("target", target.trim()),
        ("pace", workload.pace.as_str()),
        ("objects", workload.population.as_str()),
    ];
    for (name, value) in terms.into_iter().filter(|(_, value)| !value.is_empty()) {
        page.field(name, Ink::Plain, value);
    }
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
    if !run.labels.is_empty() {
        page.field("labels", Ink::Plain, &labels(run));
    }
    let host = host(&run.host);
    if !host.is_empty() {
        page.field("host", Ink::Plain, &host);
    }
    if let Some(why) = &run.partial {
        page.gap();
        page.titled(Ink::Red, "partial", why);
    }
    page.gap();
}

fn books(page: &mut Page, run: &LoadRun) {
    for (name, value) in account(run) {
        page.field(name, Ink::Plain, &value);
    }
    page.gap();
}

fn warnings(page: &mut Page, rows: &Rows) {
    for (warning, number) in rows.warnings.iter().zip(1..) {
        let mark = if warning.about.is_empty() { String::new() } else { format!(" {}", raised(&[number])) };
        let ink = if warning.grave { Ink::Red } else { Ink::Yellow };
        page.titled(ink, &format!("warning{mark}"), &warning.says);
    }
    page.gap();
}

fn breaches(page: &mut Page, run: &LoadRun) {
    for breach in &run.breaches {
        let times = plural(breach.count, "time");
        page.titled(Ink::Red, "broken", &format!("{} ({times})", breach.rule));
        page.field("expected", Ink::Plain, &breach.expected);
        page.field("got", Ink::Plain, &breach.actual);
        for line in &breach.evidence {
            page.paragraph(4, Ink::Dim, line);
        }
    }
    if run.breaches.iter().any(|breach| BROKEN_BY_OTHERS.contains(&breach.rule.as_str())) {
        let cause = "another client that changes objects in the namespaces of the run has the same effect";
        page.titled(Ink::Plain, "hint", cause);
    }
    page.gap();
}

fn thresholds(page: &mut Page, run: &LoadRun) {
    for judged in &run.thresholds {
        let ink = match judged.verdict {
            ThresholdVerdict::Met => Ink::Green,
            ThresholdVerdict::Missed => Ink::Red,
            ThresholdVerdict::Inconclusive => Ink::Magenta,
            ThresholdVerdict::NotJudged => Ink::Dim,
        };
        let word = format!("{:<13} ", judged.verdict.word());
        let text = format!("{}  {}", judged.threshold, judged.observed_text());
        let default = judged.preset.as_deref().filter(|preset| *preset == DEFAULT_SLO);
        let about = judged.about.as_ref().map(full_title).or_else(|| default.map(str::to_owned));
        let about = about.map_or(String::new(), |about| format!("  ({about})"));
        if word.len() + text.width() + about.width() <= page.width().unwrap_or(usize::MAX) {
            page.line(&[(ink, &word), (Ink::Plain, &text), (Ink::Dim, &about)]);
        } else {
            page.line(&[(ink, &word), (Ink::Plain, &text)]);
            page.paragraph(word.len(), Ink::Dim, about.trim_start());
        }
    }
}

fn conclusion(page: &mut Page, run: &LoadRun) {
    let ink = match run.verdict() {
        ThresholdVerdict::Met => Ink::Green,
        ThresholdVerdict::NotJudged => Ink::Plain,
        ThresholdVerdict::Inconclusive => Ink::Magenta,
        ThresholdVerdict::Missed => Ink::Red,
    };
    page.paragraph(0, ink, &run.reason());
}
