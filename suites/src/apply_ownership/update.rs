//! Ownership after writes other than applies.

use crate::apply_fixture::owner::{
    applier, expect_no_entry, expect_owned, expect_owners, expect_owns, updater,
};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(MOVES, Kinds::All, a_changed_field_moves_to_its_writer),
        table(STRATEGIC_MOVES, Kinds::Own, a_changed_field_moves_to_its_writer),
        vec![
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

/// Custom resources have no strategic merge patches.
const STRATEGIC_MOVES: &[(&str, Way)] = &[("apply-ownership-moves-on-strategic-merge-patch", Way::Strategic)];

async fn a_changed_field_moves_to_its_writer(cx: Context, way: Way) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    let response = fixture.send(fixture.changing(way, "u", "a", "2").await?).await?;

    fixture.expect_texts(&response, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&response, "a", &[updater("u")])?;
    fixture.expect_owners(&response, "b", &[applier("m1")])
}

async fn apply_ownership_unchanged_value_not_claimed_by_update(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    for (manager, way) in [("u", Way::Put), ("v", Way::Merge), ("w", Way::Json)] {
        let response = fixture.send(fixture.changing(way, manager, "a", "1").await?).await?;

        expect_no_entry(&response, updater(manager))?;
        fixture.expect_owners(&response, "a", &[applier("m1")])?;
    }
    Ok(())
}

async fn apply_ownership_post_creator_owns(fixture: ApplyFixture) -> Checked {
    let mut whole = fixture.whole(&[("a", "1"), ("b", "1")]);
    whole["metadata"]["labels"]["colour"] = json!("red");

    let response = fixture.send(fixture.posting(CREATOR, &whole)).await?;

    let [a, b] = ["a", "b"].map(|key| fixture.path_of_text(key));
    expect_owns(&response, updater(CREATOR), &[&a, &b, "f:metadata/f:labels/f:colour"])
}

async fn apply_ownership_update_leaves_other_fields(fixture: CreatedByOther) -> Checked {
    let mut fields = fixture.texts([("a", "1"), ("b", "1")]);
    fields["metadata"]["labels"] = json!({ "colour": "red" });
    fixture.applied("m1", &fields).await?;

    let response = fixture.send(fixture.merging("u", &fixture.texts([("a", "2")]))).await?;

    expect_owned(&response, updater("u"), &[&fixture.path_of_text("a")])?;
    fixture.expect_owners(&response, "b", &[applier("m1")])?;
    expect_owners(&response, "f:metadata/f:labels/f:colour", &[applier("m1")])
}
