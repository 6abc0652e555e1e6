//! How an applier gets out of a conflict without force.

use harness::{Context, Halt, Suite};

use crate::story::Story;
use crate::story::owner::{applier, updater};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-resolve-give-up", a_field_in_conflict_can_be_given_up)
        .on_every_shape()
        .scenario("apply-conflicts-resolve-share", a_field_in_conflict_can_be_shared)
        .on_every_shape()
}

/// An object of which `m1` wants a text that `u` has changed meanwhile, as it has been told.
async fn in_conflict(cx: &Context) -> Result<Story, Halt> {
    let story = Story::of_a_thing(cx, &[]).await?;
    let wanted = story.texts([("a", "1"), ("b", "1")]);
    story.applied("m1", &wanted).await?;
    story.merged("u", &story.texts([("a", "2")])).await?;
    story.ask(story.applying("m1", &wanted)).await?.expect_status(&[409])?;
    Ok(story)
}

async fn a_field_in_conflict_can_be_given_up(cx: Context) -> Result<(), Halt> {
    let story = in_conflict(&cx).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u")])
}

async fn a_field_in_conflict_can_be_shared(cx: Context) -> Result<(), Halt> {
    let story = in_conflict(&cx).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "2"), ("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u"), applier("m1")])
}
