//! Area `apply-sequences`: random sequences of applies, updates and merge patches, checked against a model.

mod generator;
mod player;
#[cfg(test)]
mod tests;

use harness::Suite;
use harness::applies::{AppliedType, ApplyRule};

use crate::prelude::*;
use crate::random;
use generator::sequence;
use player::Managers;

pub(crate) fn suite() -> Suite {
    let rows = table(RULES, Kinds::Own, random_sequences_of_applies_keep);
    Suite::new("apply-sequences", [rows.into_iter().map(Row::full_only).collect()])
}

/// The rule of each clause. Each scenario generates sequences of its own.
#[rustfmt::skip]
const RULES: &[(&str, ApplyRule)] = &[
    ("apply-sequence-outcomes",  ApplyRule::Outcomes),
    ("apply-sequence-conflicts", ApplyRule::Conflicts),
    ("apply-sequence-refusals",  ApplyRule::Refusals),
    ("apply-sequence-values",    ApplyRule::Values),
    ("apply-sequence-owners",    ApplyRule::Owners),
];

/// Each of the two types has one half of the time.
async fn random_sequences_of_applies_keep(cx: Context, rule: ApplyRule) -> Checked {
    let of_config_maps = AppliedType::config_map();
    let mut managers = Managers::new(&cx, cx.configmaps().await?, of_config_maps.clone(), rule);
    random::expect_no_difference(&mut managers, sequence(&of_config_maps), 2).await?;
    let gizmos = match cx.gizmos().await {
        Err(Halt::Skipped(why)) => {
            cx.note(why);
            return Ok(());
        }
        gizmos => gizmos?,
    };
    let of_gizmos = AppliedType::gizmo(gizmos.resource());
    let mut managers = Managers::new(&cx, gizmos, of_gizmos.clone(), rule);
    random::expect_no_difference(&mut managers, sequence(&of_gizmos), 1).await
}
