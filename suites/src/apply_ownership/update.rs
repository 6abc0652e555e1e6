//! What writes other than applies do to ownership.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::story::Story;
use crate::story::owner::{applier, expect_no_entry, expect_owned, expect_owners, expect_owns, updater};
use crate::story::text::{CREATOR, Way};
use crate::texts;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .table(MOVES, a_changed_field_moves_to_who_changes_it)
        .on_every_shape()
        .scenario(
            "apply-ownership-moves-on-strategic-merge-patch",
            a_strategic_merge_patch_takes_what_it_changes,
        )
        .scenario(
            "apply-ownership-unchanged-value-not-claimed-by-update",
            an_update_takes_nothing_that_it_leaves,
        )
        .on_every_shape()
        .scenario("apply-ownership-post-creator-owns", who_creates_an_object_owns_its_fields)
        .on_every_shape()
        .scenario("apply-ownership-update-leaves-other-fields", an_update_takes_nothing_but_what_it_changes)
        .on_every_shape()
}

#[rustfmt::skip]
const MOVES: &[(&str, Way)] = &[
    ("apply-ownership-moves-on-put",         Way::Put),
    ("apply-ownership-moves-on-merge-patch", Way::Merge),
    ("apply-ownership-moves-on-json-patch",  Way::Json),
];

async fn a_changed_field_moves_to_who_changes_it(cx: Context, way: Way) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;

    let answer = story.ask(story.changing(way, "u", "a", "2").await?).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u")])?;
    story.expect_owners(&answer, "b", &[applier("m1")])
}

async fn a_strategic_merge_patch_takes_what_it_changes(cx: Context) -> Result<(), Halt> {
    a_changed_field_moves_to_who_changes_it(cx, Way::Strategic).await
}

async fn an_update_takes_nothing_that_it_leaves(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1")])).await?;

    for (manager, way) in [("u", Way::Put), ("v", Way::Merge), ("w", Way::Json)] {
        let answer = story.ask(story.changing(way, manager, "a", "1").await?).await?;

        expect_no_entry(&answer, updater(manager))?;
        story.expect_owners(&answer, "a", &[applier("m1")])?;
    }
    Ok(())
}

async fn who_creates_an_object_owns_its_fields(cx: Context) -> Result<(), Halt> {
    let story = Story::new(&cx, cx.things().await?);
    let mut whole = texts::body(&story.things, story.name, &[("a", "1"), ("b", "1")]);
    whole["metadata"]["labels"]["colour"] = json!("red");

    let answer = story.ask(story.posting(CREATOR, &whole)).await?;

    let [a, b] = ["a", "b"].map(|key| story.path_of_text(key));
    expect_owns(&answer, updater(CREATOR), &[&a, &b, "f:metadata/f:labels/f:colour"])
}

async fn an_update_takes_nothing_but_what_it_changes(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    let mut fields = story.texts([("a", "1"), ("b", "1")]);
    fields["metadata"]["labels"] = json!({ "colour": "red" });
    story.applied("m1", &fields).await?;

    let answer = story.ask(story.merging("u", &story.texts([("a", "2")]))).await?;

    expect_owned(&answer, updater("u"), &[&story.path_of_text("a")])?;
    story.expect_owners(&answer, "b", &[applier("m1")])?;
    expect_owners(&answer, "f:metadata/f:labels/f:colour", &[applier("m1")])
}
