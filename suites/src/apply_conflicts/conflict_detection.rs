//! Conflict detection: applies of fields that another manager owns.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::replicas::{FIELD, only};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::prelude::*;
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

async fn apply_conflicts_value_owned_by_other(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.ask(fixture.applying("m2", &fixture.texts([("a", "2")]))).await?;

    refused.expect_status(&[409])
}

async fn apply_conflicts_shared_field_change(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m2", &fixture.field_of_text("a"))])
}

async fn apply_conflicts_with_update_owner(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]).await?;
    for (manager, way, key) in [("u", Way::Put, "b"), ("v", Way::Merge, "c"), ("w", Way::Json, "d")] {
        fixture.done(fixture.changing(way, manager, key, "2").await?).await?;
    }

    for (owner, key) in [(CREATOR, "a"), ("u", "b"), ("v", "c"), ("w", "d")] {
        let refused = fixture.ask(fixture.applying("m1", &fixture.texts([(key, "3")]))).await?;

        expect_conflicts(&refused, &[(owner, &fixture.field_of_text(key))])?;
    }
    Ok(())
}

async fn apply_conflicts_same_name_other_operation(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.merged("m1", &fixture.texts([("a", "1")])).await?;

    let refused = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "2")]))).await?;

    expect_conflicts(&refused, &[("m1", &fixture.field_of_text("a"))])
}

async fn apply_conflicts_nothing_written(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let before = fixture.read().await?.written()?;

    let refused = fixture.ask(fixture.applying("m2", &fixture.texts([("a", "2"), ("b", "2")]))).await?;

    refused.expect_status(&[409])?;
    expect_unchanged(&fixture.collection, fixture.name, &before).await
}

async fn apply_conflicts_after_update_moved_owner(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.merged("controller", &fixture.texts([("a", "2")])).await?;

    let refused = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("controller", &fixture.field_of_text("a"))])
}

async fn apply_conflicts_stale_local_config_detected(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.done(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    let refused = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    expect_conflicts(&refused, &[("m2", &fixture.field_of_text("a"))])
}

async fn apply_conflicts_transfer_private_manager_late(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_paused_deployment(&cx).await?;
    fixture.applied("m1", &fixture.paused_deployment(Some(3))).await?;
    fixture.merged("hpa", &only(5)).await?;

    let refused = fixture.ask(fixture.applying("handover", &only(3))).await?;

    expect_conflicts(&refused, &[("hpa", FIELD)])
}

async fn apply_conflicts_dry_run(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let before = fixture.read().await?.written()?;
    let changed = fixture.texts([("a", "2")]);

    let refused = fixture.ask(fixture.applying("m2", &changed).query("dryRun", "All")).await?;
    let forced = fixture.ask(fixture.forcing("m2", &changed).query("dryRun", "All")).await?;

    expect_conflicts(&refused, &[("m1", &fixture.field_of_text("a"))])?;
    forced.expect_status(&[200])?;
    expect_unchanged(&fixture.collection, fixture.name, &before).await
}
