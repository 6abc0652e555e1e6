//! Merging of entries by the same manager.

use crate::apply_fixture::owner::{applier, entries, expect_no_entry, expect_owned, owners_text, updater};
use crate::prelude::*;

rows![
    managed_fields_no_empty_entry.own_kinds(),
    managed_fields_empty_object_stays_untracked.own_kinds(),
    managed_fields_one_entry_per_applier,
    managed_fields_sorted,
];

async fn managed_fields_no_empty_entry(fixture: ConfigMapApplyFixture) -> Checked {
    let empty = fixture.write_response(fixture.applying("m1", &json!({}))).await?;
    expect_no_entry(&empty, applier("m1"))?;

    fixture.applied("m1", &json!({ "data": { "a": "1" } })).await?;
    let again = fixture.write_response(fixture.applying("m1", &json!({}))).await?;

    expect_no_entry(&again, applier("m1"))
}

async fn managed_fields_empty_object_stays_untracked(fixture: ConfigMapApplyFixture) -> Checked {
    fixture.posted("p", &json!({})).await?;

    let merged = fixture.write_response(fixture.merging("u", &json!({ "data": { "a": "1" } }))).await?;
    let object = merged.object()?;
    if !entries(&object).is_empty() {
        expect_owned(&merged, updater("u"), &["f:data/f:a"])?;
    }
    let applied = fixture.write_response(fixture.applying("m1", &json!({ "data": { "b": "1" } }))).await?;

    expect_owned(&applied, applier("m1"), &["f:data/f:b"])?;
    applied.expect_values(&[("/data/a", json!("1")), ("/data/b", json!("1"))])
}

/// The number of apply entries of `m1`.
fn count(entries: &[Value]) -> usize {
    entries.iter().filter(|entry| entry["manager"] == "m1" && entry["operation"] == "Apply").count()
}

async fn managed_fields_one_entry_per_applier(fixture: Tracked) -> Checked {
    for key in ["a", "b", "c", "d", "e"] {
        let applied = fixture.write_response(fixture.applying("m1", &fixture.texts([(key, "1")]))).await?;

        let object = applied.object()?;
        applied.expect(count(entries(&object)) == 1, "one entry m1/Apply", owners_text(&object))?;
        fixture.expect_owned_texts(&applied, applier("m1"), &[key])?;
    }
    Ok(())
}

async fn managed_fields_sorted(fixture: Tracked) -> Checked {
    fixture.merged("a", &fixture.texts([("a", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;
    fixture.applied("m1", &fixture.texts([("c", "1")])).await?;

    let first = fixture.read().await?.object()?;
    for _ in 0..3 {
        let got = fixture.read().await?;
        let object = got.object()?;
        got.expect(entries(&object) == entries(&first), owners_text(&first), owners_text(&object))?;
        let operations: Vec<_> = entries(&object).iter().map(|entry| &entry["operation"]).collect();
        let sorted = operations.is_sorted_by_key(|operation| *operation == "Update");
        got.expect(sorted, "entries of applies before those of updates", owners_text(&object))?;
    }
    Ok(())
}
