//! Forced conflicts: the new value, the new owner, and the previous owner.

use crate::apply_fixture::owner::{applier, owned_by, owners_text, updater};
use crate::apply_table::Expect::{Code, Owned, Owners, Texts};
use crate::apply_table::{Case, apply, force, on_created_by_other};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(apply_conflicts_force_transfers_ownership),
        row!(apply_conflicts_force_without_conflict),
        row!(apply_conflicts_force_does_not_steal_equal_values),
    ];
    [table(FORCED, Kinds::All, on_created_by_other), own].concat()
}

#[rustfmt::skip]
const FORCED: &[(&str, Case)] = &[
    ("apply-conflicts-force-overrides",
        (&[apply("m1", &[("a", "1")])], force("m2", &[("a", "2")]), &[Texts(&[("a", Some("2"))])])),
    ("apply-conflicts-force-keeps-other-fields",
        (&[apply("m1", &[("a", "1"), ("b", "1")])], force("m2", &[("a", "2")]), &[Texts(&[("b", Some("1"))]), Owners("b", &[applier("m1")])])),
    ("apply-conflicts-force-removes-emptied-entry",
        (&[apply("m1", &[("a", "1")])], force("m2", &[("a", "2")]), &[Code(200), Owned(applier("m1"), &[])])),
];

async fn apply_conflicts_force_transfers_ownership(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.merged("u", &fixture.texts([("c", "1")])).await?;

    let response = fixture.send(fixture.forcing("m2", &fixture.texts([("a", "2")]))).await?;

    let owners = [("a", applier("m2")), ("b", applier("m1")), ("c", updater("u"))];
    owners.into_iter().try_for_each(|(key, owner)| fixture.expect_owners(&response, key, &[owner]))
}

async fn apply_conflicts_force_without_conflict(fixture: ApplyFixture) -> Checked {
    for code in [201, 200] {
        let response = fixture.send(fixture.forcing("m1", &fixture.whole(&[("a", "1")]))).await?;

        response.expect_status(&[code])?;
        fixture.expect_texts(&response, &[("a", Some("1"))]).await?;
    }
    Ok(())
}

async fn apply_conflicts_force_does_not_steal_equal_values(cx: Context, fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let response = fixture.send(fixture.forcing("m2", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_texts(&response, &[("a", Some("1"))]).await?;
    let (object, path) = (response.object()?, fixture.path_of_text("a"));
    // By the text, m2 owns the field alone.
    if !owned_by(&object, applier("m1")).contains(&path) {
        cx.note("a forced apply of an equal value removes the field from its previous owner");
    }
    let owned = owned_by(&object, applier("m2")).contains(&path);
    response.expect(owned, format!("m2 among the owners of {path}"), owners_text(&object))
}
