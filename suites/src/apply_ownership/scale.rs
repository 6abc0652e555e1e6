//! Ownership of `spec.replicas` after writes through the scale subresource.

use harness::{Checked, Context, Request};
use serde_json::json;

use crate::apply_fixture::owner::{applier, updater};
use crate::apply_fixture::replicas::only;
use crate::apply_fixture::through;
use crate::scenario::Scaled;

rows![
    apply_ownership_scale_takes_replicas.with_status(),
    apply_ownership_scale_shared.with_status(),
    apply_ownership_scale_status_only.with_status(),
];

async fn apply_ownership_scale_takes_replicas(Scaled(story): Scaled) -> Checked {
    story.ask(through("scale", story.merging("s", &only(5)))).await?.expect_status(&[200])?;

    story.expect_replicas(5, &[updater("s").through("scale")]).await
}

async fn apply_ownership_scale_shared(cx: Context, Scaled(story): Scaled) -> Checked {
    let shown = cx.send(through("scale", Request::get(story.path()))).await?.written()?;
    let mut scale = shown.json().clone();
    scale["spec"]["replicas"] = 7.into();
    story.done(through("scale", story.putting("r", &scale))).await?;

    story.ask(story.applying_scale("co", 7)).await?.expect_status(&[200])?;

    let owners = [updater("r").through("scale"), applier("co").through("scale")];
    story.expect_replicas(7, &owners).await
}

async fn apply_ownership_scale_status_only(Scaled(story): Scaled) -> Checked {
    let status = json!({ "status": { "replicas": 42 } });

    story.ask(through("scale", story.merging("s", &status))).await?.expect_status(&[200])?;

    story.expect_replicas(1, &[applier("m1")]).await
}
