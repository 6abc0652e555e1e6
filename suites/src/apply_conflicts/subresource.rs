//! Conflicts with writes through the subresources status and scale.

use crate::apply_fixture::conflict::{causes, expect_conflicts};
use crate::apply_fixture::on_subresource;
use crate::apply_fixture::owner::applier;
use crate::apply_fixture::replicas::{FIELD, only};
use crate::prelude::*;

rows![
    apply_conflicts_status.with_status(),
    apply_conflicts_scale_then_main.with_status(),
    apply_conflicts_scale_apply.with_status(),
];

async fn apply_conflicts_status(fixture: CreatedByOther) -> Checked {
    let (x, y) = (fixture.collection.status_change("x")?, fixture.collection.status_change("y")?);
    fixture.write(on_subresource("status", fixture.applying("m1", &x))).await?;

    let refused = fixture.send(on_subresource("status", fixture.applying("m2", &y))).await?;
    let forced = fixture.send(on_subresource("status", fixture.forcing("m2", &y))).await?;

    let status = refused.expect_error(&[409], &["Conflict"])?;
    let named = |message: &str| message.contains(r#""m1""#);
    let named = causes(status).iter().any(|cause| cause["message"].as_str().is_some_and(named));
    refused.expect(named, "a cause with m1 in its message", status["details"].to_string())?;
    forced.expect_status(&[200])
}

async fn apply_conflicts_scale_then_main(fixture: Scaled) -> Checked {
    fixture.write(on_subresource("scale", fixture.merging("s", &only(5)))).await?;

    let refused = fixture.send(fixture.applying("m1", &fixture.scaled_thing())).await?;
    expect_conflicts(&refused, &[("s", FIELD)])?;
    fixture.send(fixture.forcing("m1", &fixture.scaled_thing())).await?.expect_status(&[200])?;

    fixture.expect_replicas(1, &[applier("m1")]).await
}

async fn apply_conflicts_scale_apply(fixture: Scaled) -> Checked {
    let refused = fixture.send(fixture.applying_scale("co", 17)).await?;
    expect_conflicts(&refused, &[("m1", FIELD)])?;

    // kube-apiserver fails to apply a Scale that changes a custom resource.
    if !fixture.is_built_in() {
        return Ok(());
    }
    fixture.send(fixture.applying_scale("co", 17).query("force", true)).await?.expect_status(&[200])?;
    fixture.expect_replicas(17, &[applier("co").through("scale")]).await
}
