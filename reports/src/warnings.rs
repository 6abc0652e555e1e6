//! Warnings about a run: circumstances that make its result weaker.

use model::{Clause, Level};

use crate::record::Record;
use crate::words::{plural, thousands};

/// The share of `must` clauses skipped because of the server's version that calls for a warning: one in this number.
const ONE_IN: usize = 10;

/// All warnings about a run, a sentence each.
pub(crate) fn of(record: &Record) -> Vec<String> {
    skipped_by_version(record).into_iter().collect()
}

/// A server that names a version of its own instead of Kubernetes' silences every newer clause.
fn skipped_by_version(record: &Record) -> Option<String> {
    let version = record.tally.started()?.target.version?;
    let musts =
        || record.tally.clauses().iter().filter(|clause| clause.observable() && clause.level == Level::Must);
    let newer = |clause: &&Clause| clause.since.is_some_and(|since| since > version);
    let (skipped, all) = (musts().filter(newer).count(), musts().count());
    (skipped * ONE_IN > all).then(|| {
        format!(
            "{} of {} are skipped because they are newer than {version}, the version that the server is judged by; \
             --release sets another version",
            thousands(skipped),
            plural(all, "must clause")
        )
    })
}
