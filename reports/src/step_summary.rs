//! The summary of a step in GitHub Actions: the conclusion, the table, and the failures, as Markdown.

use std::fmt::Write as _;
use std::io::{self, Write};

use model::{Clause, Counts, Outcome, ScenarioFinished};

use crate::causes::{Cause, Causes};
use crate::command_line;
use crate::conclusion;
use crate::escape::{clip, command};
use crate::failure::fields;
use crate::markdown::{block, cell, code};
use crate::record::Record;
use crate::table;
use crate::warnings;
use crate::words::{duration, plural, thousands};

/// The maximum number of explained causes: GitHub refuses a summary of more than a mebibyte.
const EXPLAINED: usize = 40;

/// The maximum number of further clauses that a cause names.
const NAMED: usize = 60;

/// The maximum length of a name: clauses have short names.
const LONGEST_ID: usize = 100;

/// The maximum length of a text, in characters.
const LONGEST: usize = 2_000;

/// Writes the summary.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    out.write_all([head(record), areas(record), failures(record), stale(record)].concat().as_bytes())
}

fn head(record: &Record) -> String {
    let word = record.tally.conclusion().word();
    let target = record.tally.started().map_or(String::new(), |_| {
        format!(
            "{}, {}, {}\n\n",
            cell(&record.server()),
            plural(record.tally.executed(), "scenario"),
            duration(record.elapsed())
        )
    });
    let mut warnings = String::new();
    for warning in warnings::of(record) {
        // Writing to a string cannot fail.
        let _ = write!(warnings, "**Warning:** {}\n\n", cell(&warning));
    }
    format!("## kube-assay: {word}\n\n{}\n\n{warnings}{target}", cell(&conclusion::reason(record)))
}

/// The same table as on a terminal.
fn areas(record: &Record) -> String {
    let total = record.tally.counts();
    let verdicts = table::columns(&total);
    let row = |name: &str, counts: &Counts| {
        let counts = verdicts.iter().map(|verdict| format!(" {} |", thousands(counts.of(*verdict))));
        format!("| {name} |{}\n", counts.collect::<String>())
    };
    let heads: Vec<&str> = verdicts.iter().map(|verdict| verdict.word()).collect();
    let heads = heads.join(" | ");
    let rows = record.tally.areas();
    let rows: String = rows.iter().map(|(name, counts)| row(&cell(&clip(name, LONGEST)), counts)).collect();
    format!(
        "| area | {heads} |\n|:--|{}\n{rows}{}\n",
        "--:|".repeat(verdicts.len()),
        row("**total**", &total)
    )
}

/// The causes of failures and warnings, the gravest first, each with its example.
fn failures(record: &Record) -> String {
    let causes = Causes::of(record);
    let mut text: String = causes.of_faults().take(EXPLAINED).map(|cause| failure(record, cause)).collect();
    let more = causes.of_faults().count().saturating_sub(EXPLAINED);
    if more > 0 {
        let _ = writeln!(text, "And {}: see report.html.\n", plural(more, "cause"));
    }
    text
}

fn failure(record: &Record, cause: &Cause) -> String {
    let clause = cause.clause();
    format!(
        "<details><summary>{} <code>{}</code> ({}, {}){}</summary>\n\n{}\n\n{}{}</details>\n\n",
        cause.verdict.word(),
        crate::html::html(&code(&clip(clause.id.as_str(), LONGEST))),
        clause.level,
        crate::html::html(&code(&clip(&clause.area, LONGEST))),
        cause.and_more(),
        cell(&clip(&clause.statement, LONGEST)),
        scenario(record, cause.example()),
        also(&cause.others())
    )
}

/// The other clauses of a cause.
fn also(others: &[&Clause]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let mut named: Vec<String> = others
        .iter()
        .take(NAMED)
        .map(|clause| format!("`{}`", code(&clip(clause.id.as_str(), LONGEST_ID))))
        .collect();
    if others.len() > NAMED {
        named.push(format!("and {} more", others.len() - NAMED));
    }
    format!("Also: {}\n\n", named.join(", "))
}

/// Expected, actual, and the commands that send the request and run the scenario again.
fn scenario(record: &Record, finished: &ScenarioFinished) -> String {
    let lines = fields(finished).into_iter().map(|(label, _, value)| format!("{label}: {value}"));
    let mut text = block("", &clip(&lines.collect::<Vec<_>>().join("\n"), LONGEST));
    if let (Some(telling), Outcome::Failed { .. }) = (finished.evidence.last(), &finished.outcome) {
        let again = command(&telling.curl);
        if again.chars().count() <= LONGEST {
            text.push_str(&block("sh", &again));
        }
    }
    let commands = [command_line::run_again(record, finished), command_line::script(record, finished)];
    text.extend(commands.iter().flatten().map(|again| block("sh", &command(again))));
    text.push('\n');
    text
}

fn stale(record: &Record) -> String {
    let lines = record
        .tally
        .stale()
        .iter()
        .map(|stale| format!("- stale known failure: {}\n", cell(&clip(&stale.to_string(), LONGEST))));
    lines.collect()
}
