//! Transfer of `spec.replicas` from a user to an autoscaler.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, expect_no_entry, updater};
use crate::apply_fixture::replicas::{FIELD, expect_owners_of_replicas, only};
use crate::prelude::*;

rows![
    apply_ownership_transfer_too_early_resets.own_kinds(),
    apply_ownership_transfer_after_conflict.own_kinds(),
    apply_ownership_transfer_private_manager.own_kinds(),
    apply_ownership_transfer_temporary_manager_removed.own_kinds(),
];

/// A Deployment of three replicas, applied by the user `m1`.
async fn of_three_replicas(cx: &Context) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::of_a_paused_deployment(cx).await?;
    fixture.applied("m1", &fixture.paused_deployment(Some(3))).await?;
    Ok(fixture)
}

/// `m1` applies the Deployment without `spec.replicas`.
async fn give_up_replicas(fixture: &ApplyFixture) -> Checked {
    fixture.send(fixture.applying("m1", &fixture.paused_deployment(None))).await?.expect_status(&[200])
}

async fn apply_ownership_transfer_too_early_resets(cx: Context) -> Checked {
    let fixture = of_three_replicas(&cx).await?;

    give_up_replicas(&fixture).await?;

    fixture.expect_replicas(1, &[]).await
}

async fn apply_ownership_transfer_after_conflict(cx: Context) -> Checked {
    let fixture = of_three_replicas(&cx).await?;
    fixture.merged("hpa", &only(5)).await?;

    let refused = fixture.send(fixture.applying("m1", &fixture.paused_deployment(Some(3)))).await?;
    expect_conflicts(&refused, &[("hpa", FIELD)])?;
    give_up_replicas(&fixture).await?;

    fixture.expect_replicas(5, &[updater("hpa")]).await
}

async fn apply_ownership_transfer_private_manager(cx: Context) -> Checked {
    let fixture = of_three_replicas(&cx).await?;

    let shared = fixture.send(fixture.applying("handover", &only(3))).await?;
    expect_owners_of_replicas(&shared, &[applier("m1"), applier("handover")])?;
    give_up_replicas(&fixture).await?;

    fixture.expect_replicas(3, &[applier("handover")]).await
}

async fn apply_ownership_transfer_temporary_manager_removed(cx: Context) -> Checked {
    let fixture = of_three_replicas(&cx).await?;
    fixture.applied("handover", &only(3)).await?;
    fixture.applied("m1", &fixture.paused_deployment(None)).await?;

    let response = fixture.send(fixture.merging("hpa", &only(5))).await?;

    expect_no_entry(&response, applier("handover"))?;
    fixture.expect_replicas(5, &[updater("hpa")]).await
}
