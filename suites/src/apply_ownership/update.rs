//! Ownership after writes other than applies.

use harness::{Checked, Context, Kinds, Row, table};
use serde_json::json;

use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{
    applier, expect_no_entry, expect_owned, expect_owners, expect_owns, updater,
};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::scenario::CreatedByOther;
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    [
        table(MOVES, Kinds::All, a_changed_field_moves_to_who_changes_it),
        vec![
            row!(apply_ownership_moves_on_strategic_merge_patch).own_kinds(),
            row!(apply_ownership_unchanged_value_not_claimed_by_update),
            row!(apply_ownership_post_creator_owns),
            row!(apply_ownership_update_leaves_other_fields),
        ],
    ]
    .concat()
}

#[rustfmt::skip]
const MOVES: &[(&str, Way)] = &[
    ("apply-ownership-moves-on-put",         Way::Put),
    ("apply-ownership-moves-on-merge-patch", Way::Merge),
    ("apply-ownership-moves-on-json-patch",  Way::Json),
];

async fn a_changed_field_moves_to_who_changes_it(cx: Context, way: Way) -> Checked {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;

    let answer = story.ask(story.changing(way, "u", "a", "2").await?).await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await?;
    story.expect_owners(&answer, "a", &[updater("u")])?;
    story.expect_owners(&answer, "b", &[applier("m1")])
}

async fn apply_ownership_moves_on_strategic_merge_patch(cx: Context) -> Checked {
    a_changed_field_moves_to_who_changes_it(cx, Way::Strategic).await
}

async fn apply_ownership_unchanged_value_not_claimed_by_update(
    CreatedByOther(story): CreatedByOther,
) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;

    for (manager, way) in [("u", Way::Put), ("v", Way::Merge), ("w", Way::Json)] {
        let answer = story.ask(story.changing(way, manager, "a", "1").await?).await?;

        expect_no_entry(&answer, updater(manager))?;
        story.expect_owners(&answer, "a", &[applier("m1")])?;
    }
    Ok(())
}

async fn apply_ownership_post_creator_owns(cx: Context) -> Checked {
    let story = Story::new(&cx, cx.collection_under_test().await?);
    let mut whole = string_map::body(&story.collection, story.name, &[("a", "1"), ("b", "1")]);
    whole["metadata"]["labels"]["colour"] = json!("red");

    let answer = story.ask(story.posting(CREATOR, &whole)).await?;

    let [a, b] = ["a", "b"].map(|key| story.path_of_text(key));
    expect_owns(&answer, updater(CREATOR), &[&a, &b, "f:metadata/f:labels/f:colour"])
}

async fn apply_ownership_update_leaves_other_fields(CreatedByOther(story): CreatedByOther) -> Checked {
    let mut fields = story.texts([("a", "1"), ("b", "1")]);
    fields["metadata"]["labels"] = json!({ "colour": "red" });
    story.applied("m1", &fields).await?;

    let answer = story.ask(story.merging("u", &story.texts([("a", "2")]))).await?;

    expect_owned(&answer, updater("u"), &[&story.path_of_text("a")])?;
    story.expect_owners(&answer, "b", &[applier("m1")])?;
    expect_owners(&answer, "f:metadata/f:labels/f:colour", &[applier("m1")])
}
