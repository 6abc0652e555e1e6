//! Entries of `managedFields` that a client writes.

use crate::apply_fixture::owner::{
    applier, entries, expect_no_entry, expect_owns, expect_owns_none, owners_text, updater,
};
use crate::prelude::*;

rows![
    managed_fields_writable_by_put,
    managed_fields_writable_by_patch,
    managed_fields_malformed_update_ignored,
    managed_fields_post_with_entries,
    managed_fields_manager_name_validated_in_entries,
];

/// The entries of an object, with another manager in place of `m1`.
fn renamed(object: &Object, name: &str) -> Value {
    let mut all = entries(object).to_vec();
    for entry in all.iter_mut().filter(|entry| entry["manager"] == "m1") {
        entry["manager"] = name.into();
    }
    all.into()
}

/// `m9` owns the fields of `m1`.
fn expect_renamed(fixture: &ApplyFixture, response: &Exchange) -> Checked {
    fixture.expect_owned_texts(response, applier("m9"), &["a"])?;
    expect_no_entry(response, applier("m1"))
}

async fn managed_fields_writable_by_put(fixture: Tracked) -> Checked {
    let applied = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let whole = applied.with(&json!({ "metadata": { "managedFields": renamed(&applied, "m9") } }))?;

    let put = fixture.send(fixture.putting("u", &whole)).await?;

    expect_renamed(&fixture, &put)?;
    expect_renamed(&fixture, &*fixture.read().await?)
}

async fn managed_fields_writable_by_patch(fixture: Tracked) -> Checked {
    let applied = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let list = renamed(&applied, "m9");
    let replace = json!([{ "op": "replace", "path": "/metadata/managedFields", "value": list }]);

    let edited = fixture.send(fixture.editing("u", &replace)).await?;
    expect_renamed(&fixture, &edited)?;

    let back = json!({ "metadata": { "managedFields": entries(&applied) } });
    let merged = fixture.send(fixture.merging("u", &back)).await?;
    fixture.expect_owned_texts(&merged, applier("m1"), &["a"])?;
    expect_no_entry(&merged, applier("m9"))
}

/// Fields of an entry with invalid values.
const MALFORMED: [(&str, &str); 5] = [
    ("operation", r#""Bogus""#),
    ("apiVersion", "null"),
    ("fieldsType", "null"),
    ("fieldsType", r#""FieldsV0""#),
    ("fieldsV1", r#"{ "data": {} }"#),
];

fn malformed(version: &str, field: &str, value: &str) -> Value {
    let mut entry = json!({
        "manager": "x", "operation": "Update", "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": {},
    });
    entry[field] = serde_json::from_str(value).unwrap_or_default();
    if entry[field].is_null() {
        entry.as_object_mut().and_then(|entry| entry.shift_remove(field));
    }
    entry
}

async fn managed_fields_malformed_update_ignored(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let version = fixture.collection.resource().api_version();

    for (number, (field, value)) in MALFORMED.into_iter().enumerate() {
        let text = number.to_string();
        let before = fixture.read().await?.written()?;
        let mut change = fixture.texts([("b", text.as_str())]);
        change["metadata"]["managedFields"] = json!([malformed(&version, field, value)]);
        let whole = before.with(&change)?;

        let put = fixture.send(fixture.putting("u", &whole)).await?;

        if !put.succeeded() {
            put.expect_rejection(&[400, 422])?;
            fixture.expect_unchanged(&before).await?;
            continue;
        }
        put.expect_value(&fixture.text_at("b"), &text.into())?;
        for response in [put, fixture.read().await?] {
            fixture.expect_owned_texts(&response, applier("m1"), &["a"])?;
            let object = response.object()?;
            let stored = entries(&object).iter().any(|entry| entry["manager"] == "x");
            response.expect(!stored, "no entry of x, which is malformed", owners_text(&object))?;
        }
    }
    Ok(())
}

async fn managed_fields_post_with_entries(fixture: Untracked) -> Checked {
    let mut whole = fixture.whole(&[("a", "1")]);
    let place: Vec<_> = fixture.path_of_text("a").split('/').map(str::to_owned).collect();
    let tree = place.iter().rev().fold(json!({}), |below, step| json!({ step.as_str(): below }));
    let version = fixture.collection.resource().api_version();
    whole["metadata"]["managedFields"] = json!([{
        "manager": "z", "operation": "Apply", "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": tree,
    }]);

    let posted = fixture.send(fixture.posting("p", &whole)).await?;

    posted.expect_status(&[201])?;
    let text = fixture.path_of_text("a");
    expect_owns(&posted, updater("p"), &[&text])?;
    expect_owns_none(&posted, applier("z"), &[&text])
}

async fn managed_fields_manager_name_validated_in_entries(fixture: Tracked) -> Checked {
    let applied = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    let list = renamed(&applied, &"a".repeat(129));
    let whole = applied.with(&json!({ "metadata": { "managedFields": list } }))?;

    let put = fixture.send(fixture.putting("u", &whole)).await?;

    put.expect_rejection(&[400, 422])?;
    fixture.expect_unchanged(&applied).await
}
