//! Conflict resolution without force.

use crate::apply_fixture::owner::{Owner, applier, updater};
use crate::apply_table::Texts;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(RESOLUTIONS, Kinds::All, a_conflict_is_resolved)
}

/// The second apply of `m1` after its conflict with `u` about `a`, and the owners of `a` then.
const RESOLUTIONS: &[(&str, (Texts, &[Owner]))] = &[
    ("apply-conflicts-resolve-give-up", (&[("b", "1")], &[updater("u")])),
    ("apply-conflicts-resolve-share", (&[("a", "2"), ("b", "1")], &[updater("u"), applier("m1")])),
];

async fn a_conflict_is_resolved(cx: Context, (texts, owners): (Texts, &[Owner])) -> Checked {
    let fixture = CreatedByOther::arrange(&cx).await?;
    let wanted = fixture.texts([("a", "1"), ("b", "1")]);
    fixture.applied("m1", &wanted).await?;
    fixture.merged("u", &fixture.texts([("a", "2")])).await?;
    fixture.send(fixture.applying("m1", &wanted)).await?.expect_status(&[409])?;

    let response = fixture.send(fixture.applying("m1", &fixture.texts(texts.iter().copied()))).await?;

    fixture.expect_texts(&response, &[("a", Some("2"))]).await?;
    fixture.expect_owners(&response, "a", owners)
}
