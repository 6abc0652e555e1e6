//! Area `sequences`: random sequences of writes with and without preconditions, held step by step against a model of the
//! rules. What breaks one is told as the shortest sequence that shows it, and as commands that show it again.

mod draw;
mod play;
#[cfg(test)]
mod tests;

use harness::writes::Rule;
use harness::{Context, Halt, Suite};

use crate::random;
use draw::sequence;
use play::Writer;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let mut suite = Suite::new("sequences")
        .table(RULES, random_sequences_of_writes_keep)
        .on_every_shape()
        .scenario("sequence-generations", generations_count_changes_of_the_spec)
        .on_shapes_with_status();
    suite.scenarios.iter_mut().for_each(|scenario| scenario.full_only = true);
    suite
}

/// What is judged, clause by clause: each time of other sequences.
#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    ("sequence-outcomes",   Rule::Outcomes),
    ("sequence-refusals",   Rule::Refusals),
    ("sequence-contents",   Rule::Contents),
    ("sequence-versions",   Rule::Versions),
    ("sequence-no-ops",     Rule::NoOps),
    ("sequence-dry-runs",   Rule::DryRuns),
    ("sequence-deletions",  Rule::Deletions),
];

async fn random_sequences_of_writes_keep(cx: Context, rule: Rule) -> Result<(), Halt> {
    random::expect_no_difference(&mut Writer::new(&cx, rule).await?, sequence(), 1).await
}

async fn generations_count_changes_of_the_spec(cx: Context) -> Result<(), Halt> {
    random_sequences_of_writes_keep(cx, Rule::Generations).await
}
