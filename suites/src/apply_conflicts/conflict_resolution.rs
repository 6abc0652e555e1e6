//! Conflict resolution without force.

use crate::apply_fixture::owner::{applier, updater};
use crate::prelude::*;

rows![apply_conflicts_resolve_give_up, apply_conflicts_resolve_share];

/// An object of which `m1` wants a text that `u` has changed meanwhile, as it has been told.
async fn in_conflict(cx: &Context) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::of_a_thing(cx, &[]).await?;
    let wanted = fixture.texts([("a", "1"), ("b", "1")]);
    fixture.applied("m1", &wanted).await?;
    fixture.merged("u", &fixture.texts([("a", "2")])).await?;
    fixture.ask(fixture.applying("m1", &wanted)).await?.expect_status(&[409])?;
    Ok(fixture)
}

async fn apply_conflicts_resolve_give_up(cx: Context) -> Checked {
    let fixture = in_conflict(&cx).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&answer, "a", &[updater("u")])
}

async fn apply_conflicts_resolve_share(cx: Context) -> Checked {
    let fixture = in_conflict(&cx).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "2"), ("b", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&answer, "a", &[updater("u"), applier("m1")])
}
