//! Conflicts about what is written through the subresources status and scale.

use harness::{Context, Halt, Suite};

use crate::story::conflict::{causes, expect_conflicts};
use crate::story::owner::applier;
use crate::story::replicas::{FIELD, only};
use crate::story::{Story, through};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-status", a_status_is_owned_like_other_fields)
        .on_shapes_with_status()
        .scenario("apply-conflicts-scale-then-main", replicas_that_were_scaled_are_in_the_way)
        .on_shapes_with_status()
        .scenario("apply-conflicts-scale-apply", a_scale_that_is_applied_finds_who_owns_the_replicas)
        .on_shapes_with_status()
}

async fn a_status_is_owned_like_other_fields(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    let (x, y) = (story.things.status_change("x")?, story.things.status_change("y")?);
    story.done(through("status", story.applying("m1", &x))).await?;

    let refused = story.ask(through("status", story.applying("m2", &y))).await?;
    let forced = story.ask(through("status", story.forcing("m2", &y))).await?;

    let status = refused.expect_error(&[409], &["Conflict"])?;
    let named = |message: &str| message.contains(r#""m1""#);
    let named = causes(status).iter().any(|cause| cause["message"].as_str().is_some_and(named));
    refused.expect(named, "a cause that names m1", status["details"].to_string())?;
    forced.expect_status(&[200])
}

async fn replicas_that_were_scaled_are_in_the_way(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_scaled_thing(&cx).await?;
    story.done(through("scale", story.merging("s", &only(5)))).await?;

    let refused = story.ask(story.applying("m1", &story.scaled_thing())).await?;
    expect_conflicts(&refused, &[("s", FIELD)])?;
    story.ask(story.forcing("m1", &story.scaled_thing())).await?.expect_status(&[200])?;

    story.expect_replicas(1, &[applier("m1")]).await
}

async fn a_scale_that_is_applied_finds_who_owns_the_replicas(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_scaled_thing(&cx).await?;

    let refused = story.ask(story.applying_scale("co", 17)).await?;
    expect_conflicts(&refused, &[("m1", FIELD)])?;

    // Of custom types kube-apiserver breaks on a Scale that changes something.
    if !story.is_built_in() {
        return Ok(());
    }
    story.ask(story.applying_scale("co", 17).query("force", true)).await?.expect_status(&[200])?;
    story.expect_replicas(17, &[applier("co").through("scale")]).await
}
