//! Who owns the number of replicas when it is written through the scale subresource.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use crate::story::owner::{applier, updater};
use crate::story::replicas::only;
use crate::story::{Story, through};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-ownership-scale-takes-replicas", a_scale_takes_the_replicas)
        .on_shapes_with_status()
        .scenario("apply-ownership-scale-shared", a_scale_that_is_applied_as_it_is_shares_the_replicas)
        .on_shapes_with_status()
        .scenario("apply-ownership-scale-status-only", a_scale_of_the_status_takes_nothing)
        .on_shapes_with_status()
}

async fn a_scale_takes_the_replicas(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_scaled_thing(&cx).await?;

    story.ask(through("scale", story.merging("s", &only(5)))).await?.expect_status(&[200])?;

    story.expect_replicas(5, &[updater("s").through("scale")]).await
}

async fn a_scale_that_is_applied_as_it_is_shares_the_replicas(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_scaled_thing(&cx).await?;
    let shown = cx.send(through("scale", Request::get(story.path()))).await?.written()?;
    let mut scale = shown.json().clone();
    scale["spec"]["replicas"] = 7.into();
    story.done(through("scale", story.putting("r", &scale))).await?;

    story.ask(story.applying_scale("co", 7)).await?.expect_status(&[200])?;

    let owners = [updater("r").through("scale"), applier("co").through("scale")];
    story.expect_replicas(7, &owners).await
}

async fn a_scale_of_the_status_takes_nothing(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_scaled_thing(&cx).await?;
    let status = json!({ "status": { "replicas": 42 } });

    story.ask(through("scale", story.merging("s", &status))).await?.expect_status(&[200])?;

    story.expect_replicas(1, &[applier("m1")]).await
}
