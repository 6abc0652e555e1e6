//! Shared ownership of fields by several appliers.

use crate::apply_fixture::owner::{applier, updater};
use crate::apply_fixture::string_field::{CREATOR, Way};
use crate::apply_table::Expect::{Owned, Owners, Texts};
use crate::apply_table::{Case, apply, on_created_by_other};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![row!(apply_ownership_by_inclusion), row!(apply_ownership_reapply_after_removal)];
    [table(SHARED, Kinds::All, on_created_by_other), own].concat()
}

#[rustfmt::skip]
const SHARED: &[(&str, Case)] = &[
    ("apply-ownership-disjoint-appliers",
        (&[apply("m1", &[("a", "1")]), apply("m2", &[("b", "2")])], apply("m1", &[("a", "9")]),
        &[Texts(&[("a", Some("9")), ("b", Some("2"))]), Owned(applier("m1"), &["a"]), Owned(applier("m2"), &["b"])])),
    ("apply-ownership-shared-on-equal-value",
        (&[apply("m1", &[("a", "1")])], apply("m2", &[("a", "1")]), &[Owners("a", &[applier("m1"), applier("m2")])])),
    ("apply-ownership-give-up-shared",
        (&[apply("m1", &[("a", "1"), ("b", "1")]), apply("m2", &[("a", "1")])], apply("m1", &[("b", "1")]),
        &[Texts(&[("a", Some("1"))]), Owners("a", &[applier("m2")])])),
    ("apply-ownership-transfer-between-appliers",
        (&[apply("m1", &[("a", "1"), ("b", "1")]), apply("m2", &[("a", "1")]), apply("m1", &[("b", "1")])], apply("m2", &[("a", "2")]),
        &[Texts(&[("a", Some("2"))]), Owners("a", &[applier("m2")])])),
];

async fn apply_ownership_by_inclusion(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;

    let response = fixture.send(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_owners(&response, "a", &[updater(CREATOR), applier("m1")])
}

async fn apply_ownership_reapply_after_removal(fixture: CreatedByOther) -> Checked {
    let applying = || fixture.applying("m1", &fixture.texts([("a", "1"), ("b", "1")]));
    fixture.write(applying()).await?;

    for way in [Way::Merge, Way::Put] {
        fixture.write(fixture.removing(way, "u", "a").await?).await?;

        let response = fixture.send(applying()).await?;

        fixture.expect_texts(&response, &[("a", Some("1"))]).await?;
        fixture.expect_owners(&response, "a", &[applier("m1")])?;
    }
    Ok(())
}
