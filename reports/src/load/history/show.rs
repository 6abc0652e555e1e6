//! A history for a person: for each group of alike results, the level of every number and its change points.

use std::io::{self, Write};

use model::load::history::{LevelChange, ResultGroup, Trend};
use model::load::micros_text;

use super::{dated, day};
use crate::escape::one_line;
use crate::load::compare::percent;
use crate::load::figures::plural;
use crate::load::grid::grid;
use crate::load::rows::full_title;
use crate::page::{Ink, Page};
use crate::terminal::Look;

/// The newest change points of a number; the page has all of them.
const SHOWN: usize = 3;

/// Writes a table for each group.
pub fn write_history(groups: &[ResultGroup], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    for (at, group) in groups.iter().enumerate() {
        head(&mut page, group);
        let before = at.checked_sub(1).map(|at| &groups[at]);
        if let Some(why) = before.and_then(|before| apart(before, group)) {
            page.field("apart", Ink::Yellow, &why);
        }
        page.gap();
        table(&mut page, group, look);
    }
    if groups.is_empty() {
        page.paragraph(0, Ink::Magenta, "the store has no results");
    }
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

fn head(page: &mut Page, group: &ResultGroup) {
    page.titled(Ink::Bold, &one_line(group.workload), &group.place());
    page.field("results", Ink::Plain, &extent(group));
    let unreliable = group.entries.iter().filter(|entry| entry.unreliable).count();
    if unreliable > 0 {
        let text = format!("{unreliable} left out, because the generator was the bottleneck");
        page.field("unreliable", Ink::Yellow, &text);
    }
}

/// `30, from c00 of 2026-10-26 to c29 of 2026-11-25`
pub(in crate::load) fn extent(group: &ResultGroup) -> String {
    let ends = group.entries.first().zip(group.entries.last());
    ends.map_or("0".to_owned(), |(first, last)| match group.entries.len() {
        1 => format!("1, {}", dated(first)),
        count => format!("{count}, from {} to {}", dated(first), dated(last)),
    })
}

/// Why the results of two groups of one workload are not compared.
pub(in crate::load) fn apart(before: &ResultGroup, group: &ResultGroup) -> Option<String> {
    let what = match () {
        () if before.workload != group.workload => return None,
        () if before.digest != group.digest => "of other requests",
        () if before.flavour != group.flavour => "of another flavour of server",
        () => "from another class of host",
    };
    let count = plural(before.entries.len() as u64, "result");
    Some(format!("not compared with the {count} above, which are {what}"))
}

fn table(page: &mut Page, group: &ResultGroup, look: Look) {
    let trends = group.trends();
    let rows: Vec<Vec<String>> = trends.iter().filter_map(|trend| row(group, trend)).collect();
    if rows.is_empty() {
        page.paragraph(2, Ink::Dim, "no number has enough values; measure for longer");
    } else {
        page.block(&grid(&["", "last", "baseline", "change", "change points"], &rows, look.colour));
    }
    page.gap();
}

fn row(group: &ResultGroup, trend: &Trend) -> Option<Vec<String>> {
    let (last, levels) = (trend.points.last()?, trend.levels());
    let now = levels.last()?;
    let (baseline, change) = match trend.changes.last() {
        Some(change) => (change.before, percent(now.median / change.before)),
        None => (now.median, "·".to_owned()),
    };
    let points = trend.changes.iter().rev().take(SHOWN).map(|change| point(group, trend, change));
    let mut points: Vec<String> = points.collect();
    if trend.changes.len() > SHOWN {
        points.push(format!("{} earlier", trend.changes.len() - SHOWN));
    }
    #[expect(clippy::cast_precision_loss, reason = "it is printed with three digits")]
    let last = micros_text(last.quantile.micros as f64);
    Some(vec![trend_name(trend), last, micros_text(baseline), change, points.join(", ")])
}

/// `LIST configmaps namespace, latency p99`
pub(in crate::load) fn trend_name(trend: &Trend) -> String {
    one_line(&format!("{} {}", full_title(&trend.series), trend.measure.name()))
}

/// `+20.1 % at c16 of 2026-11-11`
pub(in crate::load) fn point(group: &ResultGroup, trend: &Trend, change: &LevelChange) -> String {
    let first = group.entries[trend.points[change.point].result];
    let tools = if change.tools.is_some() { " (another kube-assay)" } else { "" };
    let name = first.name();
    one_line(&format!("{} at {name} of {}{tools}", percent(change.ratio()), day(first.began)))
}
