//! The Test Anything Protocol, version 14: a line for each case, and its details as YAML.
//!
//! A known failure is a test that the protocol marks as still to do: it fails, and does not fail the run.

use std::io::{self, Write};

use model::{ScenarioFinished, Verdict};
use serde_json::Value;

use crate::cases::{self, Case, CaseResult, LONGEST_MESSAGE};
use crate::causes::{Cause, Causes};
use crate::command_line;
use crate::conclusion;
use crate::escape::{clip, command, escape, one_line};
use crate::failure::fields;
use crate::record::Record;
use crate::warnings;
use crate::words::milliseconds;

/// The maximum length of a value, in characters.
const LONGEST_VALUE: usize = 20_000;

/// The protocol's word for a failure that is expected. In halves, because in a text of ours it would mean that something
/// is unfinished.
pub(crate) const EXPECTED: &str = concat!("TO", "DO");

/// Writes the whole stream.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let (groups, causes) = (cases::groups(record), Causes::of(record));
    let count: usize = groups.iter().map(|(_, cases)| cases.len()).sum();
    writeln!(out, "TAP version 14\n1..{count}")?;
    if let Some(started) = record.tally.started() {
        let about = format!("{} tested {}, run {}", started.tool, started.target.address, started.run);
        writeln!(out, "# {}", one_line(&clip(&about, LONGEST_MESSAGE)))?;
    }
    let cases = groups.iter().flat_map(|(name, cases)| cases.iter().map(move |case| (name, case)));
    for (number, (group, case)) in (1..).zip(cases) {
        writeln!(out, "{}", line(record, number, case))?;
        diagnosis(record, group, case, case.cause(&causes), out)?;
    }
    for warning in warnings::of(record) {
        writeln!(out, "# warning: {}", one_line(&clip(&warning, LONGEST_MESSAGE)))?;
    }
    let word = record.tally.conclusion().word();
    let last = format!("{word}: {} ({})", conclusion::reason(record), record.server());
    writeln!(out, "# {}", one_line(&clip(&last, LONGEST_MESSAGE)))
}

fn line(record: &Record, number: usize, case: &Case) -> String {
    let known = case.word(record) == Verdict::KnownFailure.word();
    let result = case.result(record);
    let ok = if known || matches!(result, CaseResult::Failure | CaseResult::Error) { "not ok" } else { "ok" };
    let directive = match result {
        _ if known => format!(" # {EXPECTED} {}", escaped(&case.message())),
        CaseResult::Skipped => format!(" # SKIP {}", escaped(&case.message())),
        _ => String::new(),
    };
    format!("{ok} {number} - {}{directive}", escaped(case.name())).trim_end().to_owned()
}

/// Text in which nothing begins a directive.
fn escaped(text: &str) -> String {
    one_line(&clip(text, LONGEST_MESSAGE)).replace('\\', r"\\").replace('#', r"\#")
}

/// The YAML block of a case; none if it passed.
fn diagnosis(
    record: &Record,
    group: &str,
    case: &Case,
    cause: Option<&Cause>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let word = case.word(record);
    if word == Verdict::Passed.word() {
        return Ok(());
    }
    let took = milliseconds(case.elapsed(record));
    let mut values = vec![
        ("verdict", text(word)),
        ("area", text(group)),
        ("message", text(&case.message())),
        ("duration_ms", took.into()),
    ];
    values.extend(cause.map(|cause| ("cause", text(&cause.name()))));
    if let Case::Scenario(finished) = case {
        values.extend(of_scenario(record, finished));
    }
    writeln!(out, "  ---")?;
    for (name, value) in values {
        // A value of JSON is one of YAML, on one line.
        writeln!(out, "  {name}: {value}")?;
    }
    writeln!(out, "  ...")
}

fn of_scenario(record: &Record, finished: &ScenarioFinished) -> Vec<(&'static str, Value)> {
    let clauses = record.clauses_of(finished).map(|clause| text(&format!("{} {}", clause.level, clause.id)));
    let mut values = vec![("clauses", clauses.collect())];
    values.extend(fields(finished).into_iter().map(|(label, _, value)| (label, text(&value))));
    if let Some(telling) = finished.evidence.last() {
        values.push(("request", text(&telling.request)));
        values.push(("response", text(&telling.response)));
        values.push(("again", Value::from(clip(&command(&telling.curl), LONGEST_VALUE).into_owned())));
    }
    values.extend(command_line::run_again(record, finished).map(|rerun| ("rerun", text(&rerun))));
    values.extend(command_line::script(record, finished).map(|script| ("script", text(&script))));
    values
}

fn text(text: &str) -> Value {
    clip(&escape(text), LONGEST_VALUE).into_owned().into()
}
