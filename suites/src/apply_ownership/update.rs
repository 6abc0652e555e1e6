//! Ownership after writes other than applies.

use crate::apply_fixture::owner::{
    applier, expect_no_entry, expect_owned, expect_owners, expect_owns, updater,
};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::prelude::*;
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
    let fixture = ApplyFixture::of_a_thing(&cx, &[]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    let answer = fixture.ask(fixture.changing(way, "u", "a", "2").await?).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&answer, "a", &[updater("u")])?;
    fixture.expect_owners(&answer, "b", &[applier("m1")])
}

async fn apply_ownership_moves_on_strategic_merge_patch(cx: Context) -> Checked {
    a_changed_field_moves_to_who_changes_it(cx, Way::Strategic).await
}

async fn apply_ownership_unchanged_value_not_claimed_by_update(
    CreatedByOther(fixture): CreatedByOther,
) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    for (manager, way) in [("u", Way::Put), ("v", Way::Merge), ("w", Way::Json)] {
        let answer = fixture.ask(fixture.changing(way, manager, "a", "1").await?).await?;

        expect_no_entry(&answer, updater(manager))?;
        fixture.expect_owners(&answer, "a", &[applier("m1")])?;
    }
    Ok(())
}

async fn apply_ownership_post_creator_owns(cx: Context) -> Checked {
    let fixture = ApplyFixture::new(&cx, cx.collection_under_test().await?);
    let mut whole = string_map::body(&fixture.collection, fixture.name, &[("a", "1"), ("b", "1")]);
    whole["metadata"]["labels"]["colour"] = json!("red");

    let answer = fixture.ask(fixture.posting(CREATOR, &whole)).await?;

    let [a, b] = ["a", "b"].map(|key| fixture.path_of_text(key));
    expect_owns(&answer, updater(CREATOR), &[&a, &b, "f:metadata/f:labels/f:colour"])
}

async fn apply_ownership_update_leaves_other_fields(CreatedByOther(fixture): CreatedByOther) -> Checked {
    let mut fields = fixture.texts([("a", "1"), ("b", "1")]);
    fields["metadata"]["labels"] = json!({ "colour": "red" });
    fixture.applied("m1", &fields).await?;

    let answer = fixture.ask(fixture.merging("u", &fixture.texts([("a", "2")]))).await?;

    expect_owned(&answer, updater("u"), &[&fixture.path_of_text("a")])?;
    fixture.expect_owners(&answer, "b", &[applier("m1")])?;
    expect_owners(&answer, "f:metadata/f:labels/f:colour", &[applier("m1")])
}
