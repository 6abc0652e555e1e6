//! Forced conflicts: the new value, the new owner, and the previous owner.

use crate::apply_fixture::owner::{applier, expect_no_entry, owned_by, told, updater};
use crate::prelude::*;
use crate::string_map;

rows![
    apply_conflicts_force_overrides,
    apply_conflicts_force_transfers_ownership,
    apply_conflicts_force_keeps_other_fields,
    apply_conflicts_force_removes_emptied_entry,
    apply_conflicts_force_without_conflict,
    apply_conflicts_force_does_not_steal_equal_values,
];

async fn apply_conflicts_force_overrides(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn apply_conflicts_force_transfers_ownership(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.merged("u", &fixture.texts([("c", "1")])).await?;

    let answer = fixture.ask(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_owners(&answer, "a", &[applier("m2")])?;
    fixture.expect_owners(&answer, "b", &[applier("m1")])?;
    fixture.expect_owners(&answer, "c", &[updater("u")])
}

async fn apply_conflicts_force_keeps_other_fields(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    let answer = fixture.ask(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_texts(&answer, &[("b", Some("1"))]).await?;
    fixture.expect_owners(&answer, "b", &[applier("m1")])
}

async fn apply_conflicts_force_removes_emptied_entry(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    answer.expect_status(&[200])?;
    expect_no_entry(&answer, applier("m1"))
}

async fn apply_conflicts_force_without_conflict(cx: Context) -> Checked {
    let fixture = ApplyFixture::new(&cx, cx.collection_under_test().await?);
    let whole = string_map::body(&fixture.collection, fixture.name, &[("a", "1")]);

    for code in [201, 200] {
        let answer = fixture.ask(fixture.forcing("m1", &whole)).await?;

        answer.expect_status(&[code])?;
        fixture.expect_texts(&answer, &[("a", Some("1"))]).await?;
    }
    Ok(())
}

async fn apply_conflicts_force_does_not_steal_equal_values(
    cx: Context,
    CreatedByOther(fixture): CreatedByOther,
) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.forcing("m2", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("1"))]).await?;
    let (object, path) = (answer.object()?, fixture.path_of_text("a"));
    // By the text, who forces owns it alone.
    if !owned_by(&object, applier("m1")).contains(&path) {
        cx.note("a forced apply of an equal value takes the field from who owned it");
    }
    let owned = owned_by(&object, applier("m2")).contains(&path);
    answer.expect(owned, format!("{path} owned by m2, at least"), told(&object))
}
