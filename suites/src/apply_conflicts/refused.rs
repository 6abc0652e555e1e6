//! What of an apply is in the way of others, however these wrote it.

use harness::{Context, Halt, Suite};

use crate::story::Story;
use crate::story::conflict::expect_conflicts;
use crate::story::replicas::{FIELD, only};
use crate::story::text::{CREATOR, Way};
use crate::unchanged::expect_unchanged;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-value-owned-by-other", what_another_owns_is_not_overwritten)
        .on_every_shape()
        .scenario("apply-conflicts-shared-field-change", a_shared_field_is_not_changed_by_one_of_its_owners)
        .on_every_shape()
        .scenario("apply-conflicts-with-update-owner", what_was_written_in_any_way_is_in_the_way)
        .on_every_shape()
        .scenario("apply-conflicts-same-name-other-operation", one_name_for_two_ways_is_two_owners)
        .on_every_shape()
        .scenario("apply-conflicts-nothing-written", a_conflict_leaves_everything_as_it_was)
        .on_every_shape()
        .scenario("apply-conflicts-after-update-moved-owner", what_an_update_took_is_the_updaters)
        .on_every_shape()
        .scenario("apply-conflicts-stale-local-config-detected", an_applier_learns_that_its_field_was_taken)
        .on_every_shape()
        .scenario("apply-conflicts-transfer-private-manager-late", a_late_hand_over_is_a_conflict)
        .scenario("apply-conflicts-dry-run", a_dry_run_finds_conflicts)
        .on_every_shape()
}

async fn what_another_owns_is_not_overwritten(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m2", &story.texts([("a", "2")]))).await?;

    refused.expect_status(&[409])
}

async fn a_shared_field_is_not_changed_by_one_of_its_owners(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m2", &story.field_of_text("a"))])
}

async fn what_was_written_in_any_way_is_in_the_way(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]).await?;
    for (manager, way, key) in [("u", Way::Put, "b"), ("v", Way::Merge, "c"), ("w", Way::Json, "d")] {
        story.done(story.changing(way, manager, key, "2").await?).await?;
    }

    for (owner, key) in [(CREATOR, "a"), ("u", "b"), ("v", "c"), ("w", "d")] {
        let refused = story.ask(story.applying("m1", &story.texts([(key, "3")]))).await?;

        expect_conflicts(&refused, &[(owner, &story.field_of_text(key))])?;
    }
    Ok(())
}

async fn one_name_for_two_ways_is_two_owners(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.merged("m1", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m1", &story.field_of_text("a"))])
}

async fn a_conflict_leaves_everything_as_it_was(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let before = story.read().await?.written()?;

    let refused = story.ask(story.applying("m2", &story.texts([("a", "2"), ("b", "2")]))).await?;

    refused.expect_status(&[409])?;
    expect_unchanged(&story.things, story.name, &before).await
}

async fn what_an_update_took_is_the_updaters(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.merged("controller", &story.texts([("a", "2")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("controller", &story.field_of_text("a"))])
}

async fn an_applier_learns_that_its_field_was_taken(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.done(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("m2", &story.field_of_text("a"))])
}

async fn a_late_hand_over_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_paused_deployment(&cx).await?;
    story.applied("m1", &story.paused_deployment(Some(3))).await?;
    story.merged("hpa", &only(5)).await?;

    let refused = story.ask(story.applying("handover", &only(3))).await?;

    expect_conflicts(&refused, &[("hpa", FIELD)])
}

async fn a_dry_run_finds_conflicts(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let before = story.read().await?.written()?;
    let changed = story.texts([("a", "2")]);

    let refused = story.ask(story.applying("m2", &changed).query("dryRun", "All")).await?;
    let forced = story.ask(story.forcing("m2", &changed).query("dryRun", "All")).await?;

    expect_conflicts(&refused, &[("m1", &story.field_of_text("a"))])?;
    forced.expect_status(&[200])?;
    expect_unchanged(&story.things, story.name, &before).await
}
