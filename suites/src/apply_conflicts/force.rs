//! What becomes of a conflict that is forced: of the value, and of who owned it.

use harness::{Context, Halt, Suite};

use crate::story::Story;
use crate::story::owner::{applier, expect_no_entry, owned_by, told, updater};
use crate::texts;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-force-overrides", force_overrides_what_another_owns)
        .on_every_shape()
        .scenario("apply-conflicts-force-transfers-ownership", what_is_forced_is_nobody_elses)
        .on_every_shape()
        .scenario("apply-conflicts-force-keeps-other-fields", what_is_not_forced_stays_its_owners)
        .on_every_shape()
        .scenario("apply-conflicts-force-removes-emptied-entry", who_has_lost_everything_is_gone)
        .on_every_shape()
        .scenario("apply-conflicts-force-without-conflict", force_needs_no_conflict)
        .on_every_shape()
        .scenario("apply-conflicts-force-does-not-steal-equal-values", what_is_forced_as_it_was_is_owned)
        .on_every_shape()
}

async fn force_overrides_what_another_owns(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn what_is_forced_is_nobody_elses(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[("a", "1")]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.merged("u", &story.texts([("c", "1")])).await?;

    let answer = story.ask(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    story.expect_owners(&answer, "a", &[applier("m2")])?;
    story.expect_owners(&answer, "b", &[applier("m1")])?;
    story.expect_owners(&answer, "c", &[updater("u")])
}

async fn what_is_not_forced_stays_its_owners(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;

    let answer = story.ask(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    story.expect_texts(&answer, &[("b", Some("1"))]).await?;
    story.expect_owners(&answer, "b", &[applier("m1")])
}

async fn who_has_lost_everything_is_gone(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.forcing("m2", &story.texts([("a", "2")]))).await?;

    answer.expect_status(&[200])?;
    expect_no_entry(&answer, applier("m1"))
}

async fn force_needs_no_conflict(cx: Context) -> Result<(), Halt> {
    let story = Story::new(&cx, cx.things().await?);
    let whole = texts::body(&story.things, story.name, &[("a", "1")]);

    for code in [201, 200] {
        let answer = story.ask(story.forcing("m1", &whole)).await?;

        answer.expect_status(&[code])?;
        story.expect_texts(&answer, &[("a", Some("1"))]).await?;
    }
    Ok(())
}

async fn what_is_forced_as_it_was_is_owned(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    let answer = story.ask(story.forcing("m2", &story.texts([("a", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1"))]).await?;
    let (object, path) = (answer.object()?, story.path_of_text("a"));
    // By the text, who forces owns it alone.
    if !owned_by(&object, applier("m1")).contains(&path) {
        cx.note("a forced apply of an equal value takes the field from who owned it");
    }
    let owned = owned_by(&object, applier("m2")).contains(&path);
    answer.expect(owned, format!("{path} owned by m2, at least"), told(&object))
}
