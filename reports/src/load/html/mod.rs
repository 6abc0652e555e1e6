//! One page for people: tables and charts in a single file that needs no network, no script and no fonts.

mod chart;
mod course;
mod curves;
mod markup;
mod tables;

use std::io::{self, Write};

use model::load::{DurationKind, LoadRun, Warning};

use self::markup::verdict_class;
use super::rows::{Row, Rows, full_title};
use crate::html::{Document, html, term};
use crate::words::duration;

/// The style of this page, in addition to the style of all pages.
const STYLE: &str = include_str!("load.css");

/// Writes the page.
pub fn write_html(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let rows = Rows::of(run);
    let title = format!("{}: load report", run.workload.name);
    let page = Document { title: &title, style: STYLE, script: None };
    let parts = [
        page.head(),
        "<main>\n".to_owned(),
        head(run),
        warnings(&rows.warnings),
        tables::breaches(run),
        tables::thresholds(run),
        tables::requests(&rows),
        tables::times("Delivery lag", &rows.lags),
        tables::times("Also measured", &rows.others),
        tables::books(run),
        charts(run, &rows),
        foot(run),
        "</main>\n".to_owned(),
        page.foot(),
    ];
    for part in parts {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

fn head(run: &LoadRun) -> String {
    let (workload, verdict) = (&run.workload, run.verdict());
    let class = verdict_class(verdict);
    let partial = run.partial.as_ref().map_or(String::new(), |why| {
        format!("<p class=\"verdict inconclusive\">The run is partial: {}</p>\n", html(why))
    });
    let terms = [
        term("target", &format!("{} {}", run.target.address, run.target.release)),
        term("pace", &workload.pace),
        term("population", &workload.population),
        term("measured", &format!("{} of {}", duration(run.measured()), duration(run.elapsed()))),
        term("began", &run.began.to_string()),
    ];
    format!(
        "<h1>{}</h1>\n<p class=\"models\">{}</p>\n<p class=\"verdict {class}\">{}</p>\n{partial}<dl>\n{}</dl>\n",
        html(&workload.name),
        html(&workload.models),
        html(&run.reason()),
        terms.concat()
    )
}

/// The warnings, with the numbers that mark the figures.
fn warnings(warnings: &[Warning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items = warnings.iter().zip(1..).map(|(warning, number)| {
        let grave = if warning.grave { " class=\"grave\"" } else { "" };
        let about = if warning.about.is_empty() { "The run as a whole: " } else { "" };
        format!("<li id=\"warning{number}\"{grave}>{about}{}</li>\n", html(&warning.says))
    });
    let items: String = items.collect();
    format!("<h2>Warnings</h2>\n<ol class=\"warnings\">\n{items}</ol>\n")
}

/// The marks of a row's warnings, linked to their sentences.
fn marks(row: &Row) -> String {
    let mark = |number: &usize| format!(" <a class=\"mark\" href=\"#warning{number}\">{number}</a>");
    row.warnings.iter().map(mark).collect()
}

fn charts(run: &LoadRun, rows: &Rows) -> String {
    let latencies: Vec<&Row> =
        rows.requests.iter().filter(|row| row.series.key.kind == DurationKind::Latency).collect();
    let lags: Vec<&Row> = rows.lags.iter().collect();
    let distributions = rows.lags.iter().zip(0..).map(|(row, colour)| curves::distribution(row, colour));
    let over_time = latencies.iter().chain(&lags).map(|row| {
        let key = &row.series.key;
        course::of_series(run, key, &full_title(key))
    });
    #[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
    let seconds = [
        course::of_seconds(run, "events a second, all watches", |interval| {
            interval.events as f64 * 1e3 / interval.length_ms.max(1) as f64
        }),
        course::of_seconds(run, "deliveries that were pending", |interval| interval.pending as f64),
        course::of_seconds(run, "processors that the generator used", |interval| {
            interval.cpu as f64 / 1e3 / interval.length_ms.max(1) as f64
        }),
    ];
    [
        section(
            "Percentiles",
            "Each step to the right is ten times as rare. What is dashed is at least so much: it had not ended.",
            &[curves::percentiles("Latency", &latencies), curves::percentiles("Delivery lag", &lags)].concat(),
        ),
        section("Lag distribution", "How many deliveries had which lag.", &distributions.collect::<String>()),
        section(
            "Over time",
            "What is shaded does not count in the tables.",
            &over_time.chain(seconds).collect::<String>(),
        ),
    ]
    .concat()
}

fn section(name: &str, note: &str, figures: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    format!("<h2>{name}</h2>\n<p class=\"note\">{note}</p>\n<div class=\"charts\">\n{figures}</div>\n")
}

fn foot(run: &LoadRun) -> String {
    let settings = run.workload.settings.iter().map(|(name, value)| term(name, value)).collect::<String>();
    format!(
        "<h2>Settings</h2>\n<dl>\n{}{settings}</dl>\n<footer>Written by {}. Latency counts from when a request was \
         meant to start; every attempt is counted.</footer>\n",
        [term("run", &run.run), term("seed", &run.seed.to_string())].concat(),
        html(&run.tool)
    )
}
