//! Applies that conflict with nobody.

use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{entries, entry_of, updater};
use crate::apply_fixture::string_field::Way;
use crate::prelude::*;

rows![
    apply_conflicts_defaulted_field_is_free.own_kinds(),
    apply_conflicts_none_for_own_field,
    apply_conflicts_none_for_equal_value,
    apply_conflicts_none_for_unowned_field,
    apply_conflicts_none_for_dropping,
    apply_conflicts_update_never_conflicts,
];

async fn apply_conflicts_defaulted_field_is_free(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "mode": "x" } })).await?;

    let answer = fixture.ask(fixture.applying("m2", &json!({ "spec": { "size": 5 } }))).await?;

    expect_value(&answer, "/spec/size", &json!(5))
}

async fn apply_conflicts_none_for_own_field(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn apply_conflicts_none_for_equal_value(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.merged("u", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("1"))]).await
}

async fn apply_conflicts_none_for_unowned_field(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let shown = fixture.merged("u", &fixture.texts([("b", "1")])).await?;
    let index = entries(&shown).iter().position(|entry| Some(entry) == entry_of(&shown, updater("u")));
    let path = format!("/metadata/managedFields/{}", index.unwrap_or_default());
    fixture.done(fixture.editing("w", &json!([{ "op": "remove", "path": path }]))).await?;

    let answer = fixture.ask(fixture.applying("m2", &fixture.texts([("b", "2")]))).await?;

    fixture.expect_texts(&answer, &[("b", Some("2"))]).await
}

async fn apply_conflicts_none_for_dropping(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    answer.expect_status(&[200])
}

async fn apply_conflicts_update_never_conflicts(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;

    for (manager, way, key) in [("u", Way::Put, "a"), ("v", Way::Merge, "b"), ("w", Way::Json, "c")] {
        let answer = fixture.ask(fixture.changing(way, manager, key, "2").await?).await?;

        fixture.expect_texts(&answer, &[(key, Some("2"))]).await?;
    }
    Ok(())
}
