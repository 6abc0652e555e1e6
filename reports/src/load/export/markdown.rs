//! Tables for a pull request.

use std::io::{self, Write};

use model::load::LoadRun;

use crate::load::account::labels;
use crate::load::figures::{count, rate};
use crate::load::rows::{QUANTILES, Row, Rows, full_title};
use crate::markdown::cell;

/// A section per result.
pub(super) fn write(runs: &[&LoadRun], out: &mut dyn Write) -> io::Result<()> {
    for (run, number) in runs.iter().zip(0..) {
        if number > 0 {
            writeln!(out)?;
        }
        section(run, out)?;
    }
    Ok(())
}

fn section(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    let rows = Rows::of(run);
    writeln!(out, "### {}: {}\n", cell(&run.workload.name), cell(&run.reason()))?;
    let server = format!("{} {}", run.target.address, run.target.release);
    let facts = [server.trim().to_owned(), format!("seed {}", run.seed), run.tool.clone(), labels(run)];
    let facts = facts.iter().filter(|fact| !fact.is_empty()).map(|fact| cell(fact));
    writeln!(out, "{}\n", facts.collect::<Vec<_>>().join(" · "))?;
    let head = QUANTILES.map(|(name, _)| format!(" {name} |")).concat();
    writeln!(out, "| | count | errors | rate |{head}\n|---|{}", "--:|".repeat(3 + QUANTILES.len()))?;
    for row in rows.requests.iter().chain(&rows.lags).chain(&rows.others) {
        writeln!(out, "{}", line(row))?;
    }
    if !rows.warnings.is_empty() {
        writeln!(out)?;
    }
    for (warning, number) in rows.warnings.iter().zip(1..) {
        writeln!(out, "{number}. Warning: {}", cell(&warning.says))?;
    }
    Ok(())
}

/// The numbers in brackets are those of the warnings below.
fn line(row: &Row) -> String {
    let series = row.series;
    let marks: Vec<String> = row.warnings.iter().map(|number| format!(" ({number})")).collect();
    let quantiles = row.quantiles.map(|known| known.map_or(String::new(), |known| cell(&known.to_string())));
    let amounts = [count(series.count), count(series.failed()), rate(row.rate)];
    let cells = amounts.into_iter().chain(quantiles);
    format!(
        "| {}{} | {} |",
        cell(&full_title(&series.key)),
        marks.concat(),
        cells.collect::<Vec<_>>().join(" | ")
    )
}
