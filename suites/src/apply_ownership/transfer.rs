//! How a user hands a number of replicas over to an autoscaler, step by step.

use harness::{Context, Halt, Suite};

use crate::story::Story;
use crate::story::conflict::expect_conflicts;
use crate::story::owner::{applier, expect_no_entry, updater};
use crate::story::replicas::{FIELD, expect_owners_of_replicas, only};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-ownership-transfer-too-early-resets", what_is_dropped_too_early_gets_its_default)
        .scenario("apply-ownership-transfer-after-conflict", what_is_dropped_after_a_conflict_stays)
        .scenario("apply-ownership-transfer-private-manager", what_a_second_manager_keeps_can_be_dropped)
        .scenario("apply-ownership-transfer-temporary-manager-removed", a_manager_that_owns_nothing_is_gone)
}

/// A Deployment that the user `m1` has applied with three replicas.
async fn of_three_replicas(cx: &Context) -> Result<Story, Halt> {
    let story = Story::of_a_paused_deployment(cx).await?;
    story.applied("m1", &story.paused_deployment(Some(3))).await?;
    Ok(story)
}

async fn what_is_dropped_too_early_gets_its_default(cx: Context) -> Result<(), Halt> {
    let story = of_three_replicas(&cx).await?;

    story.ask(story.applying("m1", &story.paused_deployment(None))).await?.expect_status(&[200])?;

    story.expect_replicas(1, &[]).await
}

async fn what_is_dropped_after_a_conflict_stays(cx: Context) -> Result<(), Halt> {
    let story = of_three_replicas(&cx).await?;
    story.merged("hpa", &only(5)).await?;

    let refused = story.ask(story.applying("m1", &story.paused_deployment(Some(3)))).await?;
    expect_conflicts(&refused, &[("hpa", FIELD)])?;
    story.ask(story.applying("m1", &story.paused_deployment(None))).await?.expect_status(&[200])?;

    story.expect_replicas(5, &[updater("hpa")]).await
}

async fn what_a_second_manager_keeps_can_be_dropped(cx: Context) -> Result<(), Halt> {
    let story = of_three_replicas(&cx).await?;

    let shared = story.ask(story.applying("handover", &only(3))).await?;
    expect_owners_of_replicas(&shared, &[applier("m1"), applier("handover")])?;
    story.ask(story.applying("m1", &story.paused_deployment(None))).await?.expect_status(&[200])?;

    story.expect_replicas(3, &[applier("handover")]).await
}

async fn a_manager_that_owns_nothing_is_gone(cx: Context) -> Result<(), Halt> {
    let story = of_three_replicas(&cx).await?;
    story.applied("handover", &only(3)).await?;
    story.applied("m1", &story.paused_deployment(None)).await?;

    let answer = story.ask(story.merging("hpa", &only(5))).await?;

    expect_no_entry(&answer, applier("handover"))?;
    story.expect_replicas(5, &[updater("hpa")]).await
}
