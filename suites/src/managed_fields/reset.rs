//! Entries after `managedFields` were cleared.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, entries, expect_no_entry, expect_owns, updater};
use crate::prelude::*;

rows![
    managed_fields_clear_then_other_changes_owned,
    managed_fields_cleared_object_untracked,
    managed_fields_before_first_apply,
];

/// A merge patch that clears `managedFields`.
fn reset() -> Value {
    json!({ "metadata": { "managedFields": [{}] } })
}

async fn managed_fields_clear_then_other_changes_owned(cx: Context, fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    let mut change = fixture.texts([("a", "2")]);
    change["metadata"]["managedFields"] = reset()["metadata"]["managedFields"].clone();

    let merged = fixture.send(fixture.merging("u", &change)).await?;

    for response in [&merged, &fixture.read().await?] {
        fixture.expect_texts(response, &[("a", Some("2")), ("b", Some("1"))]).await?;
        expect_no_entry(response, applier("m1"))?;
    }
    if entries(&merged.object()?).is_empty() {
        cx.note("the manager of a reset does not own the fields that the same request changes");
        return Ok(());
    }
    expect_owns(&merged, updater("u"), &[&fixture.path_of_text("a")])
}

async fn managed_fields_cleared_object_untracked(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;
    fixture.merged("u", &reset()).await?;

    let merged = fixture.send(fixture.merging("u", &fixture.texts([("a", "3")]))).await?;

    fixture.expect_texts(&merged, &[("a", Some("3"))]).await?;
    expect_no_entry(&merged, applier("m1"))?;
    if entries(&merged.object()?).is_empty() {
        return Ok(());
    }
    expect_owns(&merged, updater("u"), &[&fixture.path_of_text("a")])
}

/// The owner of fields from before the first entry.
const BEFORE: &str = "before-first-apply";

async fn managed_fields_before_first_apply(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    fixture.merged("u", &reset()).await?;

    let refused = fixture.send(fixture.applying("m1", &fixture.texts([("a", "2")]))).await?;
    expect_conflicts(&refused, &[(BEFORE, &fixture.field_of_text("a"))])?;

    let applied = fixture.send(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;
    fixture.expect_owned_texts(&applied, applier("m1"), &["a"])?;
    expect_owns(&applied, updater(BEFORE), &[&fixture.path_of_text("a"), &fixture.path_of_text("kept")])
}
