//! Area `sequences`: random sequences of writes with and without preconditions, held step by step against a model of the
//! rules. What breaks one is told as the shortest sequence that shows it, and as commands that show it again.

mod draw;
mod play;
mod shrink;
#[cfg(test)]
mod tests;

use harness::writes::{Rule, script};
use harness::{Context, Halt, Suite};

use play::{Finding, Player};

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
    let mut player = Player::new(&cx, rule).await?;

    let found = shrink::shortest(&mut player, cx.seed(), cx.time_left()).await?;

    found.map_or(Ok(()), |finding| Err(told(&cx, &player, &finding)))
}

async fn generations_count_changes_of_the_spec(cx: Context) -> Result<(), Halt> {
    random_sequences_of_writes_keep(cx, Rule::Generations).await
}

/// The shortest sequence, in words and as commands.
fn told(cx: &Context, player: &Player, finding: &Finding) -> Halt {
    let Finding { difference, steps, exchange } = finding;
    cx.script(script(&player.things.scene(), steps, difference));
    let lines: Vec<_> =
        steps.iter().enumerate().map(|(index, told)| format!("{}. {}", index + 1, told.step)).collect();
    let again =
        format!("play it again with --profile full --seed {} --clause {}", cx.run_seed(), cx.scenario());
    let actual = format!("{}, after\n{}\n({again})", difference.actual, lines.join("\n"));
    cx.failed(difference.expected.clone(), actual, Some(*exchange))
}
