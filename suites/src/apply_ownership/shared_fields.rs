//! Shared ownership of fields by several appliers.

use harness::{Checked, Context};

use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_owned, updater};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::scenario::CreatedByOther;

rows![
    apply_ownership_disjoint_appliers,
    apply_ownership_by_inclusion,
    apply_ownership_shared_on_equal_value,
    apply_ownership_give_up_shared,
    apply_ownership_transfer_between_appliers,
    apply_ownership_reapply_after_removal,
];

async fn apply_ownership_disjoint_appliers(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.applied("m2", &story.texts([("b", "2")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "9")]))).await?;

    story.expect_texts(&answer, &[("a", Some("9")), ("b", Some("2"))]).await?;
    expect_owned(&answer, applier("m1"), &[&story.path_of_text("a")])?;
    expect_owned(&answer, applier("m2"), &[&story.path_of_text("b")])
}

async fn apply_ownership_by_inclusion(cx: Context) -> Checked {
    let story = Story::of_a_thing(&cx, &[("a", "1")]).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    story.expect_owners(&answer, "a", &[updater(CREATOR), applier("m1")])
}

async fn apply_ownership_shared_on_equal_value(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("a", "1")]))).await?;

    story.expect_owners(&answer, "a", &[applier("m1"), applier("m2")])
}

async fn apply_ownership_give_up_shared(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1"))]).await?;
    story.expect_owners(&answer, "a", &[applier("m2")])
}

async fn apply_ownership_transfer_between_appliers(CreatedByOther(story): CreatedByOther) -> Checked {
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.applied("m2", &story.texts([("a", "1")])).await?;
    story.applied("m1", &story.texts([("b", "1")])).await?;

    let answer = story.ask(story.applying("m2", &story.texts([("a", "2")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[applier("m2")])
}

async fn apply_ownership_reapply_after_removal(cx: Context) -> Checked {
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
