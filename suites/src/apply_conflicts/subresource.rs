//! Conflicts with writes through the subresources status and scale.

use harness::Checked;

use crate::apply_fixture::conflict::{causes, expect_conflicts};
use crate::apply_fixture::owner::applier;
use crate::apply_fixture::replicas::{FIELD, only};
use crate::apply_fixture::through;
use crate::scenario::{CreatedByOther, Scaled};

rows![
    apply_conflicts_status.with_status(),
    apply_conflicts_scale_then_main.with_status(),
    apply_conflicts_scale_apply.with_status(),
];

async fn apply_conflicts_status(CreatedByOther(story): CreatedByOther) -> Checked {
    let (x, y) = (story.collection.status_change("x")?, story.collection.status_change("y")?);
    story.done(through("status", story.applying("m1", &x))).await?;

    let refused = story.ask(through("status", story.applying("m2", &y))).await?;
    let forced = story.ask(through("status", story.forcing("m2", &y))).await?;

    let status = refused.expect_error(&[409], &["Conflict"])?;
    let named = |message: &str| message.contains(r#""m1""#);
    let named = causes(status).iter().any(|cause| cause["message"].as_str().is_some_and(named));
    refused.expect(named, "a cause that names m1", status["details"].to_string())?;
    forced.expect_status(&[200])
}

async fn apply_conflicts_scale_then_main(Scaled(story): Scaled) -> Checked {
    story.done(through("scale", story.merging("s", &only(5)))).await?;

    let refused = story.ask(story.applying("m1", &story.scaled_thing())).await?;
    expect_conflicts(&refused, &[("s", FIELD)])?;
    story.ask(story.forcing("m1", &story.scaled_thing())).await?.expect_status(&[200])?;

    story.expect_replicas(1, &[applier("m1")]).await
}

async fn apply_conflicts_scale_apply(Scaled(story): Scaled) -> Checked {
    let refused = story.ask(story.applying_scale("co", 17)).await?;
    expect_conflicts(&refused, &[("m1", FIELD)])?;

    // Of custom types kube-apiserver breaks on a Scale that changes something.
    if !story.is_built_in() {
        return Ok(());
    }
    story.ask(story.applying_scale("co", 17).query("force", true)).await?.expect_status(&[200])?;
    story.expect_replicas(17, &[applier("co").through("scale")]).await
}
