//! Three-way merge: applied configuration, previous configuration, live object.

use super::spec;
use crate::apply_table::Expect::Texts;
use crate::apply_table::{Case, apply, on_tracked};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(apply_merge_combines_with_live),
        row!(apply_merge_never_applied_items_kept),
        row!(apply_merge_dropped_item_with_foreign_subfields_removed).own_kinds(),
    ];
    [table(MERGED, Kinds::All, on_tracked), own].concat()
}

/// The object has the string field `kept` from the beginning.
const KEPT: (&str, Option<&str>) = ("kept", Some("yes"));

#[rustfmt::skip]
const MERGED: &[(&str, Case)] = &[
    ("apply-merge-request-wins",
        (&[apply("m1", &[("a", "1"), ("b", "1")])], apply("m1", &[("a", "2"), ("b", "1")]), &[Texts(&[("a", Some("2")), ("b", Some("1")), KEPT])])),
    ("apply-merge-missing-items-removed",
        (&[apply("m1", &[("a", "1"), ("b", "1"), ("c", "1")])], apply("m1", &[("b", "1")]), &[Texts(&[("a", None), ("b", Some("1")), ("c", None), KEPT])])),
    ("apply-merge-superset-removes-nothing",
        (&[apply("m1", &[("a", "1")])], apply("m1", &[("a", "1"), ("b", "1")]), &[Texts(&[("a", Some("1")), ("b", Some("1")), KEPT])])),
    ("apply-merge-removal-is-per-manager",
        (&[apply("m1", &[("a", "1")]), apply("m2", &[("b", "1")])], apply("m2", &[("c", "1")]), &[Texts(&[("a", Some("1")), ("b", None), ("c", Some("1")), KEPT])])),
];

async fn apply_merge_combines_with_live(fixture: Tracked) -> Checked {
    fixture.merged("u", &fixture.texts([("a", "1")])).await?;
    fixture.merged("u", &json!({ "metadata": { "annotations": { "noted": "yes" } } })).await?;

    let response = fixture.send(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    fixture.expect_texts(&response, &[("a", Some("1")), ("b", Some("1")), KEPT]).await?;
    response.expect_value("/metadata/annotations/noted", &json!("yes"))
}

async fn apply_merge_never_applied_items_kept(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("b", "1")])).await?;

    let response = fixture.send(fixture.applying("m1", &json!({}))).await?;

    fixture.expect_texts(&response, &[("b", None), KEPT]).await
}

async fn apply_merge_dropped_item_with_foreign_subfields_removed(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &spec("rules", json!([{ "name": "a", "value": "1" }]))).await?;
    fixture.merged("u", &spec("rules", json!([{ "name": "a", "value": "1", "note": "x" }]))).await?;

    let response = fixture.send(fixture.applying("m1", &spec("rules", json!([{ "name": "b" }])))).await?;

    response.expect_value("/spec/rules", &json!([{ "name": "b" }]))
}
