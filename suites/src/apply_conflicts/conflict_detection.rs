//! Conflict detection: applies of fields that another manager owns.

use harness::{Checked, Context};

use crate::apply_fixture::Story;
use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::replicas::{FIELD, only};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::scenario::CreatedByOther;
use crate::unchanged_object::expect_unchanged;

rows![
    apply_conflicts_value_owned_by_other,
    apply_conflicts_shared_field_change,
    apply_conflicts_with_update_owner,
    apply_conflicts_same_name_other_operation,
    apply_conflicts_nothing_written,
    apply_conflicts_after_update_moved_owner,
    apply_conflicts_stale_local_config_detected,
    apply_conflicts_transfer_private_manager_late.own_kinds(),
    apply_conflicts_dry_run,
];

async fn apply_conflicts_value_owned_by_other(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m2", &story.texts([("a", "2")]))).await?;

    refused.expect_status(&[409])
}

async fn apply_conflicts_shared_field_change(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m2", &story.field_of_text("a"))])
}

async fn apply_conflicts_with_update_owner(cx: Context) -> Checked {
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

async fn apply_conflicts_same_name_other_operation(CreatedByOther(story): CreatedByOther) -> Checked {
    story.merged("m1", &story.texts([("a", "1")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m1", &story.field_of_text("a"))])
}

async fn apply_conflicts_nothing_written(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let before = story.read().await?.written()?;

    let refused = story.ask(story.applying("m2", &story.texts([("a", "2"), ("b", "2")]))).await?;

    refused.expect_status(&[409])?;
    expect_unchanged(&story.collection, story.name, &before).await
}

async fn apply_conflicts_after_update_moved_owner(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.merged("controller", &story.texts([("a", "2")])).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("controller", &story.field_of_text("a"))])
}

async fn apply_conflicts_stale_local_config_detected(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.done(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("m2", &story.field_of_text("a"))])
}

async fn apply_conflicts_transfer_private_manager_late(cx: Context) -> Checked {
    let story = Story::of_a_paused_deployment(&cx).await?;
    story.applied("m1", &story.paused_deployment(Some(3))).await?;
    story.merged("hpa", &only(5)).await?;

    let refused = story.ask(story.applying("handover", &only(3))).await?;

    expect_conflicts(&refused, &[("hpa", FIELD)])
}

async fn apply_conflicts_dry_run(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let before = story.read().await?.written()?;
    let changed = story.texts([("a", "2")]);

    let refused = story.ask(story.applying("m2", &changed).query("dryRun", "All")).await?;
    let forced = story.ask(story.forcing("m2", &changed).query("dryRun", "All")).await?;

    expect_conflicts(&refused, &[("m1", &story.field_of_text("a"))])?;
    forced.expect_status(&[200])?;
    expect_unchanged(&story.collection, story.name, &before).await
}
