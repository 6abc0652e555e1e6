//! Entries after `managedFields` were cleared.

use harness::{Checked, Context};
use serde_json::json;

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, entries, expect_no_entry, expect_owns, updater};
use crate::scenario::Tracked;

rows![
    managed_fields_clear_then_other_changes_owned,
    managed_fields_cleared_object_untracked,
    managed_fields_before_first_apply,
];

/// What takes all records away.
fn reset() -> serde_json::Value {
    json!({ "metadata": { "managedFields": [{}] } })
}

async fn managed_fields_clear_then_other_changes_owned(cx: Context, Tracked(story): Tracked) -> Checked {
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    let mut change = story.texts([("a", "2")]);
    change["metadata"]["managedFields"] = reset()["metadata"]["managedFields"].clone();

    let merged = story.ask(story.merging("u", &change)).await?;

    for answer in [&merged, &story.read().await?] {
        story.expect_texts(answer, &[("a", Some("2")), ("b", Some("1"))]).await?;
        expect_no_entry(answer, applier("m1"))?;
    }
    if entries(&merged.object()?).is_empty() {
        cx.note("who changes something in the same request as a reset does not own it");
        return Ok(());
    }
    expect_owns(&merged, updater("u"), &[&story.path_of_text("a")])
}

async fn managed_fields_cleared_object_untracked(Tracked(story): Tracked) -> Checked {
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;
    story.merged("u", &reset()).await?;

    let merged = story.ask(story.merging("u", &story.texts([("a", "3")]))).await?;

    story.expect_texts(&merged, &[("a", Some("3"))]).await?;
    expect_no_entry(&merged, applier("m1"))?;
    if entries(&merged.object()?).is_empty() {
        return Ok(());
    }
    expect_owns(&merged, updater("u"), &[&story.path_of_text("a")])
}

/// Who owns what was there before anything was recorded.
const BEFORE: &str = "before-first-apply";

async fn managed_fields_before_first_apply(Tracked(story): Tracked) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    story.merged("u", &reset()).await?;

    let refused = story.ask(story.applying("m1", &story.texts([("a", "2")]))).await?;
    expect_conflicts(&refused, &[(BEFORE, &story.field_of_text("a"))])?;

    let applied = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;
    story.expect_owned_texts(&applied, applier("m1"), &["a"])?;
    expect_owns(&applied, updater(BEFORE), &[&story.path_of_text("a"), &story.path_of_text("kept")])
}
