//! Annotations of GitHub Actions: commands that its runner finds in the output of a step.

use std::io::{self, Write};

use model::Verdict;

use crate::causes::{Cause, Causes};
use crate::conclusion;
use crate::escape::{clip, escape, one_line};
use crate::failure::fields;
use crate::record::Record;
use crate::words::plural;

/// The maximum number of annotations of each kind: GitHub drops the rest without notice.
const SHOWN: usize = 10;

/// The maximum length of the text on one cause, in characters.
const LONGEST: usize = 2_000;

/// How grave it is, as GitHub calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It fails the step.
    Error,
    /// It does not.
    Warning,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Error, Self::Warning];

    /// For a cause with this verdict; none for a failed `may` clause.
    fn of(verdict: Verdict, strict: bool) -> Option<Self> {
        match verdict {
            verdict if verdict.fails(strict) || verdict == Verdict::Inconclusive => Some(Self::Error),
            Verdict::Warning => Some(Self::Warning),
            _ => None,
        }
    }

    fn command(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A title and a text.
pub(crate) type Annotation = (String, String);

/// Writes a command for each cause of an error or a warning, up to the maximum.
pub(crate) fn write(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    Kind::ALL.into_iter().try_for_each(|kind| write_kind(kind, of_kind(record, kind), out))
}

/// Writes a command for each, up to the maximum.
pub(crate) fn write_kind(
    kind: Kind,
    mut annotations: Vec<Annotation>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let more = annotations.len().saturating_sub(SHOWN - 1);
    if more > 1 {
        annotations.truncate(SHOWN - 1);
        annotations.push(rest(more));
    }
    for (title, text) in annotations {
        writeln!(out, "::{} title={}::{}", kind.command(), property(&title), data(&text))?;
    }
    Ok(())
}

fn rest(more: usize) -> Annotation {
    (format!("and {} more", plural(more, "finding")), "The summary of this step tells of all.".to_owned())
}

fn of_kind(record: &Record, kind: Kind) -> Vec<Annotation> {
    let causes = Causes::of(record);
    let of_kind = causes
        .all()
        .iter()
        .filter(|cause| Kind::of(cause.verdict, record.strict()) == Some(kind) && !cause.outweighed(record));
    let mut annotations: Vec<Annotation> = of_kind.map(of_cause).collect();
    if kind == Kind::Error {
        let stale = record.tally.stale().iter();
        annotations.extend(stale.map(|stale| ("stale known failure".to_owned(), stale.to_string())));
        let warnings = conclusion::run_warnings(record).into_iter();
        annotations.extend(warnings.map(|warning| (Verdict::Inconclusive.word().to_owned(), warning)));
    }
    annotations
}

fn of_cause(cause: &Cause) -> Annotation {
    let (first, others) = (cause.clause(), cause.others());
    let lines = fields(cause.example()).into_iter().map(|(label, _, value)| format!("{label}: {value}"));
    let also: Vec<&str> = others.iter().map(|clause| clause.id.as_str()).collect();
    let also = (!also.is_empty()).then(|| format!("also: {}", also.join(", ")));
    let lines: Vec<String> = std::iter::once(first.statement.clone()).chain(lines).chain(also).collect();
    (format!("{}: {}{}", cause.verdict.word(), first.id, cause.and_more()), lines.join("\n"))
}

/// Text behind a command.
fn data(text: &str) -> String {
    escape(&clip(text, LONGEST)).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text in a command's property.
fn property(text: &str) -> String {
    data(&one_line(&clip(text, LONGEST))).replace(':', "%3A").replace(',', "%2C")
}
