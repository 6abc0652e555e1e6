//! Several appliers of one object: what each of them owns, and what they own together.

use harness::{Context, Halt, Suite};

use crate::story::Story;
use crate::story::owner::{applier, expect_owned, updater};
use crate::story::text::{CREATOR, Way};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-ownership-disjoint-appliers", appliers_of_different_fields_do_not_disturb_each_other)
        .on_every_shape()
        .scenario("apply-ownership-by-inclusion", an_applied_field_is_owned_though_it_had_its_value)
        .on_every_shape()
        .scenario("apply-ownership-shared-on-equal-value", a_field_applied_alike_is_shared)
        .on_every_shape()
        .scenario("apply-ownership-give-up-shared", a_shared_field_that_one_gives_up_stays_the_others)
        .on_every_shape()
        .scenario("apply-ownership-transfer-between-appliers", a_field_passes_from_one_applier_to_another)
        .on_every_shape()
        .scenario("apply-ownership-reapply-after-removal", what_was_removed_is_applied_again)
        .on_every_shape()
}

async fn appliers_of_different_fields_do_not_disturb_each_other(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.applied("m2", &story.texts([("b", "2")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "9")]))).await?;

    story.expect_texts(&answer, &[("a", Some("9")), ("b", Some("2"))]).await?;
    expect_owned(&answer, applier("m1"), &[&story.path_of_text("a")])?;
    expect_owned(&answer, applier("m2"), &[&story.path_of_text("b")])
}

async fn an_applied_field_is_owned_though_it_had_its_value(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[("a", "1")]).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    story.expect_owners(&answer, "a", &[updater(CREATOR), applier("m1")])
}

async fn a_field_applied_alike_is_shared(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("a", "1")]))).await?;

    story.expect_owners(&answer, "a", &[applier("m1"), applier("m2")])
}

async fn a_shared_field_that_one_gives_up_stays_the_others(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1"))]).await?;
    story.expect_owners(&answer, "a", &[applier("m2")])
}

async fn a_field_passes_from_one_applier_to_another(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;
    story.applied("m1", &story.texts([("b", "1")])).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("a", "2")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[applier("m2")])
}

async fn what_was_removed_is_applied_again(cx: Context) -> Result<(), Halt> {
    let removals = [Way::Merge, Way::Put];
    let story = Story::of_a_thing(&cx, &[]).await?;
    let applying = || story.applying("m1", &story.texts([("a", "1"), ("b", "1")]));
    story.done(applying()).await?;

    for way in removals {
        story.done(story.removing(way, "u", "a").await?).await?;

        let answer = story.ask(applying()).await?;

        story.expect_texts(&answer, &[("a", Some("1"))]).await?;
        story.expect_owners(&answer, "a", &[applier("m1")])?;
    }
    Ok(())
}
