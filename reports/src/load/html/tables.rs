//! The page's tables: the same figures as on a terminal.

use model::load::LoadRun;

use super::marks;
use super::markup::verdict_class;
use crate::html::{html, term};
use crate::load::account::account;
use crate::load::figures::{bytes, count, rate};
use crate::load::rows::{QUANTILES, Row, Rows, error_classes, full_title, label};

/// Requests: how many, and how fast.
pub(super) fn requests(rows: &Rows) -> String {
    let lines: String = rows.requests.iter().map(|row| line(row, &amounts(row))).collect();
    table("Requests", &["count", "errors", "rate", "bytes"], &lines)
}

/// Only how fast.
pub(super) fn times(name: &str, rows: &[Row]) -> String {
    let lines: String = rows.iter().map(|row| line(row, "")).collect();
    table(name, &[], &lines)
}

fn table(name: &str, amounts: &[&str], lines: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let heads = amounts.iter().copied().chain(QUANTILES.map(|(name, _)| name));
    let heads = heads.map(|head| format!("<th>{head}</th>")).collect::<Vec<_>>().concat();
    format!(
        "<h2>{name}</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th></th>{heads}</tr></thead>\n\
         <tbody>\n{lines}</tbody></table></div>\n"
    )
}

fn line(row: &Row, amounts: &str) -> String {
    let class = if row.part { " class=\"part\"" } else { "" };
    let values = row.quantiles.iter().map(|one| one.map_or("·".to_owned(), |one| html(&one.to_string())));
    let values = values.map(|value| format!("<td>{value}</td>")).collect::<Vec<_>>().concat();
    format!("<tr><td{class}>{}{}</td>{amounts}{values}</tr>\n", html(label(row).trim_start()), marks(row))
}

fn amounts(row: &Row) -> String {
    if row.part {
        return "<td></td>".repeat(4);
    }
    let series = row.series;
    let errors = match series.failed() {
        0 if series.conflicts > 0 => format!("· ({} conflicts)", count(series.conflicts)),
        0 => "·".to_owned(),
        failed => {
            format!("<span class=\"missed\">{}</span> ({})", count(failed), html(&error_classes(series)))
        }
    };
    format!(
        "<td>{}</td><td>{errors}</td><td>{}</td><td>{}</td>",
        count(series.count),
        rate(row.rate),
        bytes(series.bytes)
    )
}

/// The thresholds and their results.
pub(super) fn thresholds(run: &LoadRun) -> String {
    let rows = run.thresholds.iter().map(|judged| {
        let class = verdict_class(judged.verdict);
        let about = judged.about.as_ref().map_or(String::new(), |about| {
            format!(" <span class=\"note\">{}</span>", html(&full_title(about)))
        });
        let preset = judged.preset.as_ref().map_or(String::new(), |preset| format!("{}: ", html(preset)));
        format!(
            "<tr><td class=\"text\">{preset}{}</td><td class=\"{class}\">{}</td><td class=\"text\">{}{about}</td></tr>\n",
            html(&judged.threshold.to_string()),
            judged.verdict.word(),
            html(&judged.observed_text())
        )
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("<h2>Thresholds</h2>\n<div class=\"scroll\"><table><tbody>\n{rows}</tbody></table></div>\n")
}

/// The errors of the server.
pub(super) fn breaches(run: &LoadRun) -> String {
    let items = run.breaches.iter().map(|breach| {
        let evidence = breach.evidence.iter().map(|line| format!("<pre>{}</pre>", html(line)));
        let evidence = evidence.collect::<Vec<_>>().concat();
        format!(
            "<li><strong class=\"missed\">{}</strong>, {} times: expected {}, got {}{evidence}</li>\n",
            html(&breach.rule),
            count(breach.count),
            html(&breach.expected),
            html(&breach.actual)
        )
    });
    let items: String = items.collect();
    if items.is_empty() {
        items
    } else {
        format!("<h2>Broken rules</h2>\n<ul class=\"breaches\">\n{items}</ul>\n")
    }
}

/// The planned requests and their results.
pub(super) fn books(run: &LoadRun) -> String {
    // The server has a section of its own.
    let accounts = account(run).into_iter().filter(|(name, _)| *name != "server");
    let terms: String = accounts.map(|(name, description)| term(name, &description)).collect();
    format!("<h2>Accounts</h2>\n<dl>\n{terms}</dl>\n")
}
