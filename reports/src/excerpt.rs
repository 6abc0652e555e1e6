//! A part of a run on the terminal: some clauses, with all that is known of them.

use std::collections::HashSet;
use std::io::{self, Write};

use model::{Clause, Event, Verdict, matches};

use crate::Reporter;
use crate::failure;
use crate::failures::in_one_line;
use crate::page::{Ink, Page};
use crate::record::Record;
use crate::results::last_line;
use crate::terminal::Look;
use crate::words::{plural, thousands};

/// The selected clauses. An empty list selects all.
#[derive(Debug, Clone, Default)]
pub struct Excerpt {
    /// Patterns of clauses or scenarios.
    pub clauses: Vec<String>,
    /// Areas.
    pub areas: Vec<String>,
    /// Verdicts on a clause, or on one of its scenarios.
    pub verdicts: Vec<Verdict>,
}

impl Excerpt {
    /// Refuses a pattern or an area that nothing in the run has: a typing error must not look like a run without failures.
    fn check(&self, record: &Record) -> io::Result<()> {
        let clauses = || record.tally.clauses().iter();
        let patterns =
            self.clauses.iter().filter(|pattern| !clauses().any(|one| named(record, one, pattern)));
        let areas = self.areas.iter().filter(|area| !clauses().any(|clause| clause.area == **area));
        let unknown: Vec<String> = patterns
            .map(|pattern| format!("no clause or scenario of this run matches {pattern:?}"))
            .chain(areas.map(|area| format!("this run has no area {area:?}")))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, unknown.join("; ")))
    }

    fn holds(&self, record: &Record, clause: &Clause) -> bool {
        let by_name =
            self.clauses.is_empty() || self.clauses.iter().any(|pattern| named(record, clause, pattern));
        by_name
            && (self.areas.is_empty() || self.areas.contains(&clause.area))
            && !self.verdicts_of(record, clause).is_empty()
    }

    /// The selected verdicts among that of a clause and those of its scenarios.
    fn verdicts_of(&self, record: &Record, clause: &Clause) -> Vec<Verdict> {
        let all = self.verdicts.is_empty();
        let is = |verdict: &Verdict| {
            record.tally.verdict(clause) == *verdict
                || is_explained(*verdict)
                    && failure::scenarios_with_verdict(record, clause, *verdict).next().is_some()
        };
        let selected = |verdict: &Verdict| all || self.verdicts.contains(verdict);
        Verdict::ALL.into_iter().filter(|verdict| selected(verdict) && is(verdict)).collect()
    }
}

/// Whether a pattern names a clause, or one of its scenarios.
fn named(record: &Record, clause: &Clause, pattern: &str) -> bool {
    let mut scenarios = record.tally.scenarios_of(&clause.id);
    matches(pattern, clause.id.as_str())
        || scenarios.any(|finished| matches(pattern, finished.scenario.as_str()))
}

/// Whether a verdict has evidence to show.
fn is_explained(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Passed | Verdict::Skipped)
}

/// Writes the selected clauses, and the conclusion of the whole run.
#[derive(Debug)]
pub struct ExcerptReport<W> {
    excerpt: Excerpt,
    look: Look,
    out: W,
    record: Record,
}

impl<W: Write> ExcerptReport<W> {
    /// Writes to `out`.
    pub fn new(excerpt: Excerpt, look: Look, out: W) -> Self {
        Self { excerpt, look, out, record: Record::default() }
    }

    fn page(&self) -> Page {
        let (record, mut page) = (&self.record, Page::new(self.look.width, self.look.colour));
        let (mut shown, mut explained) = (0, HashSet::new());
        for clause in record.tally.clauses().iter().filter(|clause| self.excerpt.holds(record, clause)) {
            shown += 1;
            for verdict in self.excerpt.verdicts_of(record, clause) {
                if is_explained(verdict) {
                    failure::explain(&mut page, record, verdict, clause, &mut explained);
                } else {
                    let text = record.reason(clause).unwrap_or(&clause.statement);
                    in_one_line(&mut page, verdict, clause, text);
                }
            }
        }
        page.gap();
        let all = plural(record.tally.clauses().len(), "clause");
        page.line(&[(Ink::Dim, &format!("{} of {all} of this run", thousands(shown)))]);
        page.gap();
        last_line(&mut page, record);
        page
    }
}

impl<W: Write> Reporter for ExcerptReport<W> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.excerpt.check(&self.record)?;
        let text = self.page().into_text();
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}
