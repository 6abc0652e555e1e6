//! Ownership of `spec.replicas` after writes through the scale subresource.

use crate::apply_fixture::on_subresource;
use crate::apply_fixture::owner::{applier, updater};
use crate::apply_fixture::replicas::only;
use crate::prelude::*;

rows![
    apply_ownership_scale_takes_replicas.with_status(),
    apply_ownership_scale_shared.with_status(),
    apply_ownership_scale_status_only.with_status(),
];

async fn apply_ownership_scale_takes_replicas(fixture: Scaled) -> Checked {
    fixture.send(on_subresource("scale", fixture.merging("s", &only(5)))).await?.expect_status(&[200])?;

    fixture.expect_replicas(5, &[updater("s").through("scale")]).await
}

async fn apply_ownership_scale_shared(cx: Context, fixture: Scaled) -> Checked {
    let read = cx.send(on_subresource("scale", Request::get(fixture.path()))).await?.written()?;
    let scale = read.with(&json!({ "spec": { "replicas": 7 } }))?;
    fixture.write(on_subresource("scale", fixture.putting("r", &scale))).await?;

    fixture.send(fixture.applying_scale("co", 7)).await?.expect_status(&[200])?;

    let owners = [updater("r").through("scale"), applier("co").through("scale")];
    fixture.expect_replicas(7, &owners).await
}

async fn apply_ownership_scale_status_only(fixture: Scaled) -> Checked {
    let status = json!({ "status": { "replicas": 42 } });

    fixture.send(on_subresource("scale", fixture.merging("s", &status))).await?.expect_status(&[200])?;

    fixture.expect_replicas(1, &[applier("m1")]).await
}
