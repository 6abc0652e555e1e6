//! Shared ownership of fields by several appliers.

use crate::apply_fixture::owner::{applier, expect_owned, updater};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::prelude::*;

rows![
    apply_ownership_disjoint_appliers,
    apply_ownership_by_inclusion,
    apply_ownership_shared_on_equal_value,
    apply_ownership_give_up_shared,
    apply_ownership_transfer_between_appliers,
    apply_ownership_reapply_after_removal,
];

async fn apply_ownership_disjoint_appliers(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "2")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "9")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("9")), ("b", Some("2"))]).await?;
    expect_owned(&answer, applier("m1"), &[&fixture.path_of_text("a")])?;
    expect_owned(&answer, applier("m2"), &[&fixture.path_of_text("b")])
}

async fn apply_ownership_by_inclusion(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_owners(&answer, "a", &[updater(CREATOR), applier("m1")])
}

async fn apply_ownership_shared_on_equal_value(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m2", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_owners(&answer, "a", &[applier("m1"), applier("m2")])
}

async fn apply_ownership_give_up_shared(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("1"))]).await?;
    fixture.expect_owners(&answer, "a", &[applier("m2")])
}

async fn apply_ownership_transfer_between_appliers(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m1", &fixture.texts([("b", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m2", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&answer, "a", &[applier("m2")])
}

async fn apply_ownership_reapply_after_removal(cx: Context) -> Checked {
    let removals = [Way::Merge, Way::Put];
    let fixture = ApplyFixture::of_a_thing(&cx, &[]).await?;
    let applying = || fixture.applying("m1", &fixture.texts([("a", "1"), ("b", "1")]));
    fixture.done(applying()).await?;

    for way in removals {
        fixture.done(fixture.removing(way, "u", "a").await?).await?;

        let answer = fixture.ask(applying()).await?;

        fixture.expect_texts(&answer, &[("a", Some("1"))]).await?;
        fixture.expect_owners(&answer, "a", &[applier("m1")])?;
    }
    Ok(())
}
