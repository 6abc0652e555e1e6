//! What GitHub Actions shows of a step: the judgement, the table, and the failures, as Markdown.

use std::fmt::Write as _;
use std::io::{self, Write};

use harness::{Clause, Counts, Outcome, ScenarioFinished};

use crate::escape::{clip, command};
use crate::failure::fields;
use crate::judgement;
use crate::mark::Mark;
use crate::markdown::{block, cell, code};
use crate::record::Record;
use crate::table;
use crate::warnings;
use crate::words::{duration, plural, thousands};

/// As many clauses are explained; GitHub takes a mebibyte from a step, and nothing of what is larger.
const EXPLAINED: usize = 40;

/// What one text holds at most, in characters.
const LONGEST: usize = 2_000;

/// Writes the summary.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    out.write_all([head(record), areas(record), failures(record), stale(record)].concat().as_bytes())
}

fn head(record: &Record) -> String {
    let word = judgement::word(record.tally.judgement());
    let asked = record.tally.started().map_or(String::new(), |_| {
        format!(
            "{}, {}, {}\n\n",
            cell(&record.server()),
            plural(record.tally.asked(), "scenario"),
            duration(record.elapsed())
        )
    });
    let warnings: String =
        warnings::of(record).iter().map(|warning| format!("**Warning:** {}\n\n", cell(warning))).collect();
    format!("## kube-assay: {word}\n\n{}\n\n{warnings}{asked}", cell(&judgement::because(record)))
}

/// The same table as on a terminal.
fn areas(record: &Record) -> String {
    let total = record.tally.counts();
    let marks = table::columns(&total);
    let row = |name: &str, counts: &Counts| {
        let counts = marks.iter().map(|mark| format!(" {} |", thousands(mark.count(counts))));
        format!("| {name} |{}\n", counts.collect::<String>())
    };
    let heads: Vec<&str> = marks.iter().map(|mark| mark.word()).collect();
    let heads = heads.join(" | ");
    let rows = record.tally.areas();
    let rows: String = rows.iter().map(|(name, counts)| row(&cell(&clip(name, LONGEST)), counts)).collect();
    format!("| area | {heads} |\n|:--|{}\n{rows}{}\n", "--:|".repeat(marks.len()), row("**total**", &total))
}

/// The clauses that call for a reader, the gravest first, each with what shows it.
fn failures(record: &Record) -> String {
    let broken: Vec<(Mark, &Clause)> = Mark::gravest_first()
        .into_iter()
        .filter(|mark| *mark != Mark::NotOffered)
        .flat_map(|mark| record.marked(mark).into_iter().map(move |clause| (mark, clause)))
        .filter(|(_, clause)| record.tally.scenarios_of(&clause.id).any(ScenarioFinished::troubled))
        .collect();
    let mut text: String =
        broken.iter().take(EXPLAINED).map(|(mark, clause)| failure(record, *mark, clause)).collect();
    let more = broken.len().saturating_sub(EXPLAINED);
    if more > 0 {
        let _ = writeln!(text, "And {}: see report.html.\n", plural(more, "clause"));
    }
    text
}

fn failure(record: &Record, mark: Mark, clause: &Clause) -> String {
    let mut text = format!(
        "<details><summary>{} <code>{}</code> ({}, {})</summary>\n\n{}\n\n",
        mark.word(),
        crate::html::html(&code(&clip(clause.id.as_str(), LONGEST))),
        clause.level,
        crate::html::html(&code(&clip(&clause.area, LONGEST))),
        cell(&clip(&clause.statement, LONGEST))
    );
    if let Some(finished) = record.tally.scenarios_of(&clause.id).find(|finished| finished.troubled()) {
        text.push_str(&scenario(finished));
    }
    text.push_str("</details>\n\n");
    text
}

/// What was legal, what came, and the command that shows it again.
fn scenario(finished: &ScenarioFinished) -> String {
    let said = fields(finished).into_iter().map(|(label, _, says)| format!("{label}: {says}"));
    let mut text = block("", &clip(&said.collect::<Vec<_>>().join("\n"), LONGEST));
    if let (Some(telling), Outcome::Failed { .. }) = (finished.evidence.last(), &finished.outcome) {
        let again = command(&telling.curl);
        if again.chars().count() <= LONGEST {
            text.push_str(&block("sh", &again));
        }
    }
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
