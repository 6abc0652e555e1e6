//! The page of a history: for each group of alike results a chart of every series, and tables with the same numbers.
//!
//! The newest group comes first. A page that would become too large lacks the charts of the oldest groups, and says so.

mod ticks;
mod trend_chart;

use std::io::{self, Write};

use model::load::history::{ResultGroup, Trend};
use model::load::micros_text;

use super::{SCRIPT, STYLE};
use crate::html::{Document, html, term};
use crate::load::compare::percent;
use crate::load::history::show::{apart, extent, point, trend_name};

/// The size, in bytes, that the page keeps below.
const LARGEST: usize = 4_500_000;

/// Writes the page.
pub fn write_history_page(groups: &[ResultGroup], tool: &str, out: &mut dyn Write) -> io::Result<()> {
    let page = Document { title: "load history", style: STYLE, script: Some(SCRIPT) };
    let results: usize = groups.iter().map(|group| group.entries.len()).sum();
    let parts = [
        page.head(),
        format!("<main>\n<h1>Load history</h1>\n<p class=\"note\">{}</p>\n", note(results)),
        sections(groups),
        format!("<footer>Written by {}.</footer>\n</main>\n", html(tool)),
        page.foot(),
    ];
    for part in parts {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

fn note(results: usize) -> String {
    let points = trend_chart::POINTS;
    format!(
        "{results} results. Each chart shows the median and the 99th percentile of every result. A dashed line is a change \
         point: chance hardly explains that the results before and behind it differ. The shaded band holds nine of ten \
         results between two change points. Where a line has more than {points} results, each of its points is the median \
         of several consecutive ones, never across a change point, and a faint line shows the greatest of them. The \
         results of other requests, hosts and flavours of servers have charts of their own, and are never compared."
    )
}

/// The sections, as long as there is room: first without charts, then only their number.
fn sections(groups: &[ResultGroup]) -> String {
    let mut newest: Vec<usize> = (0..groups.len()).collect();
    newest.sort_by_key(|at| std::cmp::Reverse(groups[*at].newest().map(|entry| entry.began)));
    let (mut written, mut left_out) = (String::new(), 0);
    for at in newest {
        let group = &groups[at];
        let trends = group.trends();
        let before = at.checked_sub(1).map(|at| &groups[at]);
        let texts = [head(group, before), trend_chart::charts(group, &trends), table(group, &trends)];
        let room = LARGEST.saturating_sub(written.len());
        if texts.iter().map(String::len).sum::<usize>() <= room {
            written.extend(texts);
        } else if texts[0].len() + texts[2].len() <= room {
            let [head, _, table] = texts;
            written.extend([
                head,
                "<p class=\"note\">Its charts are left out: the page is full.</p>\n".to_owned(),
                table,
            ]);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        written.push_str(&left_out_note(left_out));
    }
    written
}

fn left_out_note(groups: usize) -> String {
    format!("<p class=\"note\">{groups} older groups are left out: the page is full.</p>\n")
}

fn head(group: &ResultGroup, before: Option<&ResultGroup>) -> String {
    let unreliable = group.entries.iter().filter(|entry| entry.unreliable).count();
    let newest = group.newest();
    let of_newest = |of: fn(&model::load::history::HistoryEntry) -> String| newest.map_or(String::new(), of);
    let unreliable = if unreliable == 0 {
        String::new()
    } else {
        format!("{unreliable} results, left out because the generator was the bottleneck")
    };
    let terms = [
        term("results", &extent(group)),
        term("newest target", &of_newest(|entry| entry.target.release.clone())),
        term("measured with", &of_newest(|entry| entry.tool.clone())),
        term("workload digest", group.digest),
        term("unreliable", &unreliable),
        term("apart", &before.and_then(|before| apart(before, group)).unwrap_or_default()),
        term("warnings of the newest", &of_newest(|entry| entry.warnings.join("; "))),
    ];
    let title = format!("{} on {}", group.workload, group.place());
    format!("<h2>{}</h2>\n<dl>\n{}</dl>\n", html(&title), terms.concat())
}

/// The numbers of the charts, and every change point.
fn table(group: &ResultGroup, trends: &[Trend]) -> String {
    let rows: String = trends.iter().map(|trend| row(group, trend)).collect();
    if rows.is_empty() {
        return "<p class=\"note\">No number has enough values; measure for longer.</p>\n".to_owned();
    }
    let heads = ["last", "level", "level before", "change", "change points"];
    let heads = heads.map(|head| format!("<th>{head}</th>")).concat();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th>number</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn row(group: &ResultGroup, trend: &Trend) -> String {
    let levels = trend.levels();
    let (Some(last), Some(now)) = (trend.points.last(), levels.last()) else { return String::new() };
    let (before, change) = trend.changes.last().map_or(("·".to_owned(), "·".to_owned()), |change| {
        (micros_text(change.before), percent(now.median / change.before))
    });
    #[expect(clippy::cast_precision_loss, reason = "it is printed with three digits")]
    let last = micros_text(last.quantile.micros as f64);
    let points: Vec<String> = trend.changes.iter().rev().map(|change| point(group, trend, change)).collect();
    let cells = [last, micros_text(now.median), before, change, points.join(", ")];
    let cells = cells.map(|cell| format!("<td>{}</td>", html(&cell))).concat();
    format!("<tr><td>{}</td>{cells}</tr>\n", html(&trend_name(trend)))
}
