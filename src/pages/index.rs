//! The index page of all areas.

use std::collections::HashSet;
use std::fmt::Write;

use harness::{Catalogue, ClauseId, Suite};
use reports::{Coverage, Row, Share};

const HEAD: &str = "\
# The rules, area by area

<!-- Made by `cargo ci docs` from suites/clauses. -->

The clauses of the published API rules, in our own words. Each clause has a level, its source, a way to test it over the
API, and one bug that its scenarios must catch. A failed `must` clause fails a run, a failed `should` clause is a warning,
and a failed `may` clause means that the server does not support a feature. The id of a clause is its anchor on these
pages, and the argument of `explain` and `run --clause`.

The columns count clauses with a scenario, of all clauses that are observable over the API.

| area | must | should | may | all | not observable |
|:-----|-----:|-------:|----:|----:|---------------:|
";

/// The whole page.
pub(super) fn markdown(catalogue: &Catalogue, suites: &[Suite]) -> String {
    let with_scenario: HashSet<ClauseId> =
        suites::tested_clauses(suites).into_iter().map(ClauseId::from).collect();
    let coverage = Coverage::of_catalogue(catalogue, &with_scenario);
    let mut page = HEAD.to_owned();
    for row in &coverage.areas {
        page.push_str(&line(&format!("[{0}]({0}.md)", row.area), row));
    }
    page.push_str(&line("all", &coverage.total));
    page
}

fn line(name: &str, row: &Row) -> String {
    let mut line = format!("| {name} |");
    for share in row.levels.iter().chain([&row.all]) {
        // Writing to a string cannot fail.
        let _ = write!(line, " {} |", cell(*share));
    }
    let _ = writeln!(line, " {} |", row.unobservable);
    line
}

fn cell(share: Share) -> String {
    if share.observable == 0 {
        "–".to_owned()
    } else {
        format!("{} / {}", share.with_scenario, share.observable)
    }
}
