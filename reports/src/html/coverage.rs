//! The share of the clauses in scope that have a scenario.

use super::markup::html;
use super::name;
use crate::coverage::{Coverage, Row};
use crate::record::Record;

/// The table, and the clauses without a scenario.
pub(super) fn table(record: &Record) -> String {
    let coverage = Coverage::of_run(record);
    let rows: String = coverage.areas.iter().chain([&coverage.total]).map(row).collect();
    let heads = ["area", "must", "should", "may", "all", "%", "not observable"];
    let heads = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    format!(
        "<section id=\"coverage\" aria-labelledby=\"coverage-name\">\n<h2 id=\"coverage-name\">Coverage</h2>\n\
         <p class=\"note\">Observable clauses with a scenario, of all observable clauses.</p>\n\
         <div class=\"scroll\" role=\"region\" aria-labelledby=\"coverage-name\" tabindex=\"0\">\n<table>\n\
         <thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n{}</section>\n",
        without_scenario(&coverage)
    )
}

fn row(row: &Row) -> String {
    let shares = row.levels.iter().chain([&row.all]).map(|share| format!("<td>{}</td>", share.cell()));
    format!(
        "<tr><th scope=\"row\">{}</th>{}<td>{} %</td><td>{}</td></tr>\n",
        html(&name(&row.area)),
        shares.collect::<String>(),
        row.all.percent(),
        row.unobservable
    )
}

fn without_scenario(coverage: &Coverage) -> String {
    if coverage.total.without_scenario.is_empty() {
        return String::new();
    }
    let areas = coverage.areas.iter().filter(|row| !row.without_scenario.is_empty()).map(|row| {
        let ids: Vec<String> = row
            .without_scenario
            .iter()
            .map(|id| format!("<code>{}</code>", html(&name(id.as_str()))))
            .collect();
        format!("<li>{}: {}</li>\n", html(&name(&row.area)), ids.join(", "))
    });
    format!("<h3>Without a scenario</h3>\n<ul>\n{}</ul>\n", areas.collect::<String>())
}
