//! Conflict detection: applies of fields that another manager owns.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::replicas::{FIELD, only};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::apply_table::Expect::{Code, Conflicts, Unchanged};
use crate::apply_table::{Case, apply, force, merge, on_created_by_other};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(apply_conflicts_with_update_owner),
        row!(apply_conflicts_transfer_private_manager_late).own_kinds(),
        row!(apply_conflicts_dry_run),
    ];
    [table(CONFLICTS, Kinds::All, on_created_by_other), own].concat()
}

#[rustfmt::skip]
const CONFLICTS: &[(&str, Case)] = &[
    ("apply-conflicts-value-owned-by-other",
        (&[apply("m1", &[("a", "1")])], apply("m2", &[("a", "2")]), &[Code(409)])),
    ("apply-conflicts-shared-field-change",
        (&[apply("m1", &[("a", "1")]), apply("m2", &[("a", "1")])], apply("m1", &[("a", "2")]), &[Conflicts(&[("m2", "a")])])),
    ("apply-conflicts-same-name-other-operation",
        (&[merge("m1", &[("a", "1")])], apply("m1", &[("a", "2")]), &[Conflicts(&[("m1", "a")])])),
    ("apply-conflicts-nothing-written",
        (&[apply("m1", &[("a", "1")])], apply("m2", &[("a", "2"), ("b", "2")]), &[Code(409), Unchanged])),
    ("apply-conflicts-after-update-moved-owner",
        (&[apply("m1", &[("a", "1")]), merge("controller", &[("a", "2")])], apply("m1", &[("a", "1")]), &[Conflicts(&[("controller", "a")])])),
    ("apply-conflicts-stale-local-config-detected",
        (&[apply("m1", &[("a", "1")]), force("m2", &[("a", "2")])], apply("m1", &[("a", "1")]), &[Conflicts(&[("m2", "a")])])),
];

async fn apply_conflicts_with_update_owner(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]).await?;
    for (manager, way, key) in [("u", Way::Put, "b"), ("v", Way::Merge, "c"), ("w", Way::Json, "d")] {
        fixture.write(fixture.changing(way, manager, key, "2").await?).await?;
    }

    for (owner, key) in [(CREATOR, "a"), ("u", "b"), ("v", "c"), ("w", "d")] {
        let refused = fixture.send(fixture.applying("m1", &fixture.texts([(key, "3")]))).await?;

        expect_conflicts(&refused, &[(owner, &fixture.field_of_text(key))])?;
    }
    Ok(())
}

async fn apply_conflicts_transfer_private_manager_late(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_paused_deployment(&cx).await?;
    fixture.applied("m1", &fixture.paused_deployment(Some(3))).await?;
    fixture.merged("hpa", &only(5)).await?;

    let refused = fixture.send(fixture.applying("handover", &only(3))).await?;

    expect_conflicts(&refused, &[("hpa", FIELD)])
}

async fn apply_conflicts_dry_run(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let before = fixture.read().await?.written()?;
    let changed = fixture.texts([("a", "2")]);

    let refused = fixture.send(fixture.applying("m2", &changed).query("dryRun", "All")).await?;
    let forced = fixture.send(fixture.forcing("m2", &changed).query("dryRun", "All")).await?;

    expect_conflicts(&refused, &[("m1", &fixture.field_of_text("a"))])?;
    forced.expect_status(&[200])?;
    fixture.expect_unchanged(&before).await
}
