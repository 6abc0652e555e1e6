//! The server's own metrics, beside ours.

use model::load::{
    DurationKind, LoadRun, Quantile, Series, SeriesKey, ServerHistogram, ServerMetrics, micros_text,
};

use crate::html::{html, term};
use crate::load::account::server;
use crate::load::figures::count;

/// Tables of the server's histograms, or the reason why there are none.
pub(super) fn section(run: &LoadRun) -> String {
    let (Some(text), found) = (server(run), &run.server_metrics) else { return String::new() };
    let tables = found.as_ref().map_or(String::new(), |found| tables(run, found));
    format!("<h2>The server's own metrics</h2>\n<dl>\n{}</dl>\n{tables}", term("server", &text))
}

fn tables(run: &LoadRun, found: &ServerMetrics) -> String {
    let requests: Vec<[String; 8]> = found.requests.iter().map(|one| request(run, one)).collect();
    let time = |one: &ServerHistogram| row(one, micros_text);
    let length = |one: &ServerHistogram| row(one, |length| format!("{}", (length * 10.0).round() / 10.0));
    let rows = |of: &[ServerHistogram]| of.iter().map(time).collect::<Vec<_>>();
    [
        table(
            "requests, beside our service times",
            ["count", "mean", "p50", "p99", "our count", "our p50", "our p99"],
            &requests,
        ),
        table("requests to etcd", HEADS, &rows(&found.etcd)),
        table("wait in a queue of priority and fairness", HEADS, &rows(&found.queue_wait)),
        table(
            "length of that queue, in requests",
            HEADS,
            &found.queue_length.iter().map(length).collect::<Vec<_>>(),
        ),
    ]
    .concat()
}

const HEADS: [&str; 4] = ["count", "mean", "p50", "p99"];

fn row(one: &ServerHistogram, text: impl Fn(f64) -> String) -> [String; 5] {
    // Without a bound: above the greatest one.
    let at_most = |bound: Option<f64>| bound.map_or("·".to_owned(), |bound| format!("≤ {}", text(bound)));
    let mean = one.mean.map_or("·".to_owned(), &text);
    [one.name.clone(), count(one.count), mean, at_most(one.p50), at_most(one.p99)]
}

/// A request of the server, and the same one as we measured it.
fn request(run: &LoadRun, one: &ServerHistogram) -> [String; 8] {
    let [name, number, mean, p50, p99] = row(one, micros_text);
    let ours = ours(run, &one.name);
    let at = |q: f64| {
        let value = ours.as_ref().and_then(|ours| ours.quantile(q));
        value.map_or("·".to_owned(), |value: Quantile| value.to_string())
    };
    let count = ours.as_ref().map_or("·".to_owned(), |ours| count(ours.count));
    [name, number, mean, p50, p99, count, at(0.5), at(0.99)]
}

/// Our service times of the requests with this verb, resource and scope, in all their forms.
fn ours(run: &LoadRun, name: &str) -> Option<Series> {
    let named = |key: &SeriesKey| format!("{} {} {}", key.verb, key.resource, key.scope) == name;
    let mut all = run.of_kind(DurationKind::Service).filter(|series| named(&series.key));
    let mut sum = all.next()?.clone();
    all.for_each(|series| sum.add(series));
    Some(sum)
}

fn table<const HEAD: usize, const CELLS: usize>(
    name: &str,
    heads: [&str; HEAD],
    rows: &[[String; CELLS]],
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heads = heads.map(|head| format!("<th>{head}</th>")).concat();
    let line = |cells: &[String; CELLS]| {
        let cells = cells.each_ref().map(|cell| format!("<td>{}</td>", html(cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let rows: String = rows.iter().map(line).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr><th>{name}</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\
         </table></div>\n"
    )
}
