//! The page that leads to all areas.

use std::collections::HashSet;
use std::fmt::Write;

use harness::{Catalogue, ClauseId, Suite};
use reports::{Coverage, Row, Share};

const HEAD: &str = "\
# The rules, area by area

<!-- Made by `cargo ci docs` from suites/clauses. -->

What the published API rules ask of a server, in our own words. Each rule has a level (a violated `must` fails a run, a
violated `should` is a warning, a `may` is only reported as offered or not), its source, how it is asked over the API, and
one bug that a scenario for it must catch. A rule's name is its address here, and what `explain` and `run --clause` of
kube-assay take.

The columns count rules that a scenario asks about today, of those that can be asked over the API.

| area | must | should | may | all | cannot be asked |
|:-----|-----:|-------:|----:|----:|----------------:|
";

/// The whole page.
pub(super) fn markdown(catalogue: &Catalogue, suites: &[Suite]) -> String {
    let asked: HashSet<ClauseId> = suites::answered(suites).into_iter().map(ClauseId::from).collect();
    let coverage = Coverage::of_catalogue(catalogue, &asked);
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
    if share.observable == 0 { "–".to_owned() } else { format!("{} / {}", share.asked, share.observable) }
}
