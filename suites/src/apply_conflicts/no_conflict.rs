//! Applies that conflict with no other manager.

use crate::apply_fixture::owner::{entries, entry_of, updater};
use crate::apply_fixture::string_field::Way;
use crate::apply_table::Expect::{Code, Texts};
use crate::apply_table::{Case, apply, merge, on_created_by_other};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(apply_conflicts_defaulted_field_is_free).own_kinds(),
        row!(apply_conflicts_none_for_unowned_field),
        row!(apply_conflicts_update_never_conflicts),
    ];
    [table(NO_CONFLICT, Kinds::All, on_created_by_other), own].concat()
}

#[rustfmt::skip]
const NO_CONFLICT: &[(&str, Case)] = &[
    ("apply-conflicts-none-for-own-field",
        (&[apply("m1", &[("a", "1")])], apply("m1", &[("a", "2")]), &[Texts(&[("a", Some("2"))])])),
    ("apply-conflicts-none-for-equal-value",
        (&[merge("u", &[("a", "1")])], apply("m1", &[("a", "1")]), &[Texts(&[("a", Some("1"))])])),
    ("apply-conflicts-none-for-dropping",
        (&[apply("m1", &[("a", "1"), ("b", "1")]), apply("m2", &[("a", "1")])], apply("m1", &[("b", "1")]), &[Code(200)])),
];

async fn apply_conflicts_defaulted_field_is_free(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "mode": "x" } })).await?;

    let response = fixture.send(fixture.applying("m2", &json!({ "spec": { "size": 5 } }))).await?;

    response.expect_value("/spec/size", &json!(5))
}

async fn apply_conflicts_none_for_unowned_field(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let merged = fixture.merged("u", &fixture.texts([("b", "1")])).await?;
    let index = entries(&merged).iter().position(|entry| Some(entry) == entry_of(&merged, updater("u")));
    let path = format!("/metadata/managedFields/{}", index.unwrap_or_default());
    fixture.write(fixture.editing("w", &json!([{ "op": "remove", "path": path }]))).await?;

    let response = fixture.send(fixture.applying("m2", &fixture.texts([("b", "2")]))).await?;

    fixture.expect_texts(&response, &[("b", Some("2"))]).await
}

async fn apply_conflicts_update_never_conflicts(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;

    for (manager, way, key) in [("u", Way::Put, "a"), ("v", Way::Merge, "b"), ("w", Way::Json, "c")] {
        let response = fixture.send(fixture.changing(way, manager, key, "2").await?).await?;

        fixture.expect_texts(&response, &[(key, Some("2"))]).await?;
    }
    Ok(())
}
