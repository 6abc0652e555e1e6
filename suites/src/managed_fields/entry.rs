//! The fields of an entry of `managedFields`.

use super::write_method::Way;
use crate::apply_fixture::owner::{
    applier, entries, entry_of, expect_owns_none, owners_text, paths, updater,
};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(managed_fields_entry_operation_follows_last_change),
        row!(managed_fields_entry_api_version),
        row!(managed_fields_entry_fields_v1),
    ];
    [table(FIELDS, Kinds::All, entries_have), own].concat()
}

/// Ways to write, and a field of the entry of each write.
type Entry = (&'static [Way], &'static str, &'static str);

#[rustfmt::skip]
const FIELDS: &[(&str, Entry)] = &[
    ("managed-fields-entry-manager",          (&[Way::Apply], "manager",    "m")),
    ("managed-fields-entry-operation-apply",  (&[Way::Apply], "operation",  "Apply")),
    ("managed-fields-entry-operation-update", (&Way::UPDATES, "operation",  "Update")),
    ("managed-fields-entry-fields-type",      (&Way::ALL,     "fieldsType", "FieldsV1")),
];

async fn entries_have(cx: Context, (ways, field, value): Entry) -> Checked {
    expect_entries(&cx, ways, field, value).await
}

/// After a write in each of these ways, the entry of the written field has this value of a field.
async fn expect_entries(cx: &Context, ways: &[Way], field: &str, value: &str) -> Checked {
    let fixture = ApplyFixture::of_a_tracked_thing(cx).await?;
    for way in ways {
        let written = fixture.write_response(way.writes(&fixture).await?.query("fieldManager", "m")).await?;
        let (object, path) = (written.object()?, fixture.path_of_text(way.key()));
        let entry = entries(&object).iter().find(|entry| paths(&entry["fieldsV1"]).contains(&path));
        let actual = entry.map_or(&Value::Null, |entry| &entry[field]);
        let expected = format!("an entry of {path} with {field} {value:?}");
        written.expect(actual == value, expected, format!("{field} {actual}; {}", owners_text(&object)))?;
    }
    Ok(())
}

async fn managed_fields_entry_operation_follows_last_change(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

    let merged = fixture.write_response(fixture.merging("m1", &fixture.texts([("a", "2")]))).await?;

    fixture.expect_owned_texts(&merged, updater("m1"), &["a"])?;
    expect_owns_none(&merged, applier("m1"), &[&fixture.path_of_text("a")])
}

async fn managed_fields_entry_api_version(cx: Context) -> Checked {
    let version = cx.collection_under_test().await?.resource().api_version();
    expect_entries(&cx, &Way::ALL, "apiVersion", &version).await
}

async fn managed_fields_entry_fields_v1(fixture: Tracked) -> Checked {
    let mut fields = fixture.texts([("a", "1")]);
    fields["metadata"]["labels"] = json!({ "l": "x" });

    let applied = fixture.write_response(fixture.applying("m1", &fields)).await?;

    let object = applied.object()?;
    let entry = entry_of(&object, applier("m1"));
    let tree = entry.map_or(&Value::Null, |entry| &entry["fieldsV1"]);
    for at in ["/metadata/labels/l".to_owned(), fixture.text_at("a")] {
        let leaf = tree.pointer(&at.replace('/', "/f:"));
        let expected = format!("{{}} at {} in fieldsV1", at.replace('/', "/f:"));
        applied.expect(leaf == Some(&json!({})), expected, tree.to_string())?;
    }
    Ok(())
}
