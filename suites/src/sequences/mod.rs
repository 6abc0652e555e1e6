//! Area `sequences`: random sequences of writes, checked against a model.

mod generator;
mod player;
#[cfg(test)]
mod tests;

use harness::Suite;
use harness::writes::WriteRule;

use crate::prelude::*;
use crate::random;
use generator::sequence;
use player::Writer;

pub(crate) fn suite() -> Suite {
    let rows = table(RULES, Kinds::All, random_sequence);
    let generations = row!(sequence_generations).with_status();
    Suite::new("sequences", [rows.into_iter().chain([generations]).map(Row::full_only).collect()])
}

/// The rule of each clause. Each scenario generates sequences of its own.
#[rustfmt::skip]
const RULES: &[(&str, WriteRule)] = &[
    ("sequence-outcomes",   WriteRule::Outcomes),
    ("sequence-refusals",   WriteRule::Refusals),
    ("sequence-contents",   WriteRule::Contents),
    ("sequence-versions",   WriteRule::Versions),
    ("sequence-no-ops",     WriteRule::NoOps),
    ("sequence-dry-runs",   WriteRule::DryRuns),
    ("sequence-deletions",  WriteRule::Deletions),
];

async fn random_sequence(cx: Context, rule: WriteRule) -> Checked {
    random::expect_no_difference(&mut Writer::new(&cx, rule).await?, sequence(), 1).await
}

async fn sequence_generations(cx: Context) -> Checked {
    random_sequence(cx, WriteRule::Generations).await
}
