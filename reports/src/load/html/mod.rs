//! One page for people: tables and charts in a single file that needs no network and no fonts.
//!
//! It is complete without its script, which shows the values under the pointer and under a cursor that keys move.

mod chart;
mod course;
mod curves;
mod heat;
mod history;
mod markup;
mod paired;
mod server;
mod tables;

use std::io::{self, Write};

use model::load::{DurationKind, LoadRun, Warning};

use self::chart::Unit;
use self::course::{each_second, latencies};
use self::markup::verdict_class;
use super::account::{host, labels};
use super::rows::{Row, Rows, full_title};
use crate::html::{Document, Script, html, term};
use crate::words::duration;

pub use self::history::write_history_page;
pub use self::paired::write_paired_html;

/// The style of this page, in addition to the style of all pages.
const STYLE: &str = include_str!("load.css");

/// The script: values under the pointer or the cursor.
pub(crate) const SCRIPT: Script =
    Script { text: include_str!("load.js"), digest: "RHLpCEWO5kr41aQMOogYPx1bzF+tAO8lwjwfGBl1uHA=" };

/// Writes the page.
pub fn write_html(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let rows = Rows::of(run);
    let title = format!("{}: load report", run.workload.name);
    let page = Document { title: &title, style: STYLE, script: Some(SCRIPT) };
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
        server::section(run),
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
        term("run", &format!("{}, seed {}", run.run, run.seed)),
        term("host", &host(&run.host)),
        term("settings", &settings(run)),
    ];
    let known = [("labels", labels(run)), ("workload digest", workload.digest.clone())];
    let known = known.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| term(name, value));
    format!(
        "<h1>{}</h1>\n<p class=\"models\">{}</p>\n<p class=\"verdict {class}\">{}</p>\n{partial}<dl>\n{}{}</dl>\n",
        html(&workload.name),
        html(&workload.models),
        html(&run.reason()),
        terms.concat(),
        known.collect::<String>()
    )
}

fn settings(run: &LoadRun) -> String {
    let all = run.workload.settings.iter().map(|(name, value)| format!("{name} {value}"));
    all.collect::<Vec<_>>().join(", ")
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
    let both = || latencies.iter().chain(&lags).map(|row| (&row.series.key, full_title(&row.series.key)));
    let over_time = both().map(|(key, name)| course::of_series(run, key, &name));
    let heat_maps = both()
        .filter(|(key, _)| matches!(key.kind, DurationKind::Latency | DurationKind::LagIntended))
        .map(|(key, name)| heat::map(run, key, &name));
    [
        section(
            "Percentiles",
            "Each step to the right is ten times as rare. What is dashed is at least so much: it had not ended.",
            &[curves::percentiles("Latency", &latencies), curves::percentiles("Delivery lag", &lags)].concat(),
        ),
        section("Lag distribution", "How many deliveries had which lag.", &distributions.collect::<String>()),
        section(
            "Heat maps",
            "The darker a cell, the more attempts of that moment took that long.",
            &heat_maps.collect::<String>(),
        ),
        section(
            "Over time",
            "What is shaded does not count in the tables.",
            &over_time.chain(whole_run(run)).collect::<String>(),
        ),
    ]
    .concat()
}

/// The charts about all series together.
#[expect(clippy::cast_precision_loss, reason = "it is drawn on some hundred pixels")]
fn whole_run(run: &LoadRun) -> [String; 5] {
    let count = |title| (Unit::Count, title);
    [
        course::errors(run),
        course::of_seconds(run, "bytes of responses", (Unit::Bytes, "bytes per second"), |interval| {
            each_second(latencies(interval).map(|one| one.bytes).sum(), interval)
        }),
        course::of_seconds(run, "events of all watches", count("events per second"), |interval| {
            each_second(interval.events, interval)
        }),
        course::of_seconds(run, "deliveries that were pending", count("deliveries"), |interval| {
            interval.pending as f64
        }),
        course::of_seconds(run, "processors that the generator used", count("processors"), |interval| {
            interval.cpu as f64 / 1e3 / interval.length_ms.max(1) as f64
        }),
    ]
}

fn section(name: &str, note: &str, figures: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    format!("<h2>{name}</h2>\n<p class=\"note\">{note}</p>\n<div class=\"charts\">\n{figures}</div>\n")
}

fn foot(run: &LoadRun) -> String {
    format!(
        "<footer>Written by {}. Latency counts from when a request was meant to start; every attempt is counted.\
         </footer>\n",
        html(&run.tool)
    )
}
