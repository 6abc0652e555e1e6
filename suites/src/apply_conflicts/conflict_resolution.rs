//! Conflict resolution without force.

use harness::{Checked, Context, Halt};

use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, updater};

rows![apply_conflicts_resolve_give_up, apply_conflicts_resolve_share];

/// An object of which `m1` wants a text that `u` has changed meanwhile, as it has been told.
async fn in_conflict(cx: &Context) -> Result<Story, Halt> {
    let story = Story::of_a_thing(cx, &[]).await?;
    let wanted = story.texts([("a", "1"), ("b", "1")]);
    story.applied("m1", &wanted).await?;
    story.merged("u", &story.texts([("a", "2")])).await?;
    story.ask(story.applying("m1", &wanted)).await?.expect_status(&[409])?;
    Ok(story)
}

async fn apply_conflicts_resolve_give_up(cx: Context) -> Checked {
    let story = in_conflict(&cx).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u")])
}

async fn apply_conflicts_resolve_share(cx: Context) -> Checked {
    let story = in_conflict(&cx).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "2"), ("b", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u"), applier("m1")])
}
