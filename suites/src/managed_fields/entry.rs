//! The fields of an entry of `managedFields`.

use super::write_method::Way;
use crate::apply_fixture::owner::{applier, entries, expect_owns_none, paths, told, updater};
use crate::prelude::*;

rows![
    managed_fields_entry_manager,
    managed_fields_entry_operation_apply,
    managed_fields_entry_operation_update,
    managed_fields_entry_operation_follows_last_change,
    managed_fields_entry_api_version,
    managed_fields_entry_fields_type,
    managed_fields_entry_fields_v1,
];

/// The answer shows an entry that has this path, and says this of itself.
fn expect_said(answer: &Exchange, path: &str, field: &str, value: &str) -> Checked {
    let object = answer.object()?;
    let entry = entries(&object).iter().find(|entry| paths(&entry["fieldsV1"]).contains(path));
    let said = entry.map_or(&Value::Null, |entry| &entry[field]);
    let actual = format!("{field} {said}; {}", told(&object));
    answer.expect(said == value, format!("an entry of {path} with {field} {value:?}"), actual)
}

/// After a write in each of these ways the entry of what was written says this of itself.
async fn expect_always_said(cx: &Context, ways: &[Way], field: &str, value: &str) -> Checked {
    let fixture = ApplyFixture::of_a_tracked_thing(cx).await?;
    for way in ways {
        let written = fixture.wrote(way.writes(&fixture).await?.query("fieldManager", "m")).await?;
        expect_said(&written, &fixture.path_of_text(way.key()), field, value)?;
    }
    Ok(())
}

async fn managed_fields_entry_manager(Tracked(fixture): Tracked) -> Checked {
    let applied = fixture.wrote(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    expect_said(&applied, &fixture.path_of_text("a"), "manager", "m1")
}

async fn managed_fields_entry_operation_apply(Tracked(fixture): Tracked) -> Checked {
    let applied = fixture.wrote(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    expect_said(&applied, &fixture.path_of_text("a"), "operation", "Apply")
}

async fn managed_fields_entry_operation_update(cx: Context) -> Checked {
    expect_always_said(&cx, &Way::UPDATES, "operation", "Update").await
}

async fn managed_fields_entry_operation_follows_last_change(Tracked(fixture): Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let merged = fixture.wrote(fixture.merging("m1", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_owned_texts(&merged, updater("m1"), &["a"])?;
    expect_owns_none(&merged, applier("m1"), &[&fixture.path_of_text("a")])
}

async fn managed_fields_entry_api_version(cx: Context) -> Checked {
    let version = cx.collection_under_test().await?.resource().api_version();
    expect_always_said(&cx, &Way::ALL, "apiVersion", &version).await
}

async fn managed_fields_entry_fields_type(cx: Context) -> Checked {
    expect_always_said(&cx, &Way::ALL, "fieldsType", "FieldsV1").await
}

async fn managed_fields_entry_fields_v1(Tracked(fixture): Tracked) -> Checked {
    let mut fields = fixture.texts([("a", "1")]);
    fields["metadata"]["labels"] = json!({ "l": "x" });

    let applied = fixture.wrote(fixture.applying("m1", &fields)).await?;

    let object = applied.object()?;
    let entry = crate::apply_fixture::owner::entry_of(&object, applier("m1"));
    let tree = entry.map_or(&Value::Null, |entry| &entry["fieldsV1"]);
    for at in ["/metadata/labels/l".to_owned(), fixture.text_at("a")] {
        let leaf = tree.pointer(&at.replace('/', "/f:"));
        let expected = format!("{{}} at {} in fieldsV1", at.replace('/', "/f:"));
        applied.expect(leaf == Some(&json!({})), expected, tree.to_string())?;
    }
    Ok(())
}
