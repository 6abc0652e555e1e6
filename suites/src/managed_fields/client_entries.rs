//! Entries of `managedFields` that a client writes.

use harness::{Checked, Exchange, Object};
use serde_json::{Value, json};

use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{
    applier, entries, expect_no_entry, expect_owns, expect_owns_none, told, updater,
};
use crate::scenario::{Tracked, Untracked};

rows![
    managed_fields_writable_by_put,
    managed_fields_writable_by_patch,
    managed_fields_malformed_update_ignored,
    managed_fields_post_with_entries,
    managed_fields_manager_name_validated_in_entries,
];

/// The entries of an object, that of `m1` under another name.
fn renamed(object: &Object, name: &str) -> Value {
    let mut all = entries(object).to_vec();
    for entry in all.iter_mut().filter(|entry| entry["manager"] == "m1") {
        entry["manager"] = name.into();
    }
    all.into()
}

/// What was owned by `m1` is owned by `m9`.
fn expect_renamed(story: &Story, answer: &Exchange) -> Checked {
    story.expect_owned_texts(answer, applier("m9"), &["a"])?;
    expect_no_entry(answer, applier("m1"))
}

async fn managed_fields_writable_by_put(Tracked(story): Tracked) -> Checked {
    let applied = story.applied("m1", &story.texts([("a", "1")])).await?;
    let mut whole = applied.json().clone();
    whole["metadata"]["managedFields"] = renamed(&applied, "m9");

    let put = story.ask(story.putting("u", &whole)).await?;

    expect_renamed(&story, &put)?;
    expect_renamed(&story, &*story.read().await?)
}

async fn managed_fields_writable_by_patch(Tracked(story): Tracked) -> Checked {
    let applied = story.applied("m1", &story.texts([("a", "1")])).await?;
    let list = renamed(&applied, "m9");
    let replace = json!([{ "op": "replace", "path": "/metadata/managedFields", "value": list }]);

    let edited = story.ask(story.editing("u", &replace)).await?;
    expect_renamed(&story, &edited)?;

    let back = json!({ "metadata": { "managedFields": entries(&applied) } });
    let merged = story.ask(story.merging("u", &back)).await?;
    story.expect_owned_texts(&merged, applier("m1"), &["a"])?;
    expect_no_entry(&merged, applier("m9"))
}

/// What an entry must not be: a field, and what stands there.
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

async fn managed_fields_malformed_update_ignored(Tracked(story): Tracked) -> Checked {
    story.applied("m1", &story.texts([("a", "1")])).await?;
    let version = story.collection.resource().api_version();

    for (number, (field, value)) in MALFORMED.into_iter().enumerate() {
        let text = number.to_string();
        let before = story.read().await?.written()?;
        let mut whole = story.now_with("b", &text).await?;
        whole["metadata"]["managedFields"] = json!([malformed(&version, field, value)]);

        let put = story.ask(story.putting("u", &whole)).await?;

        if !put.succeeded() {
            put.expect_refusal(&[400, 422])?;
            story.expect_unchanged(&before).await?;
            continue;
        }
        crate::apply_fixture::expect_value(&put, &story.text_at("b"), &text.into())?;
        for answer in [put, story.read().await?] {
            story.expect_owned_texts(&answer, applier("m1"), &["a"])?;
            let object = answer.object()?;
            let stored = entries(&object).iter().any(|entry| entry["manager"] == "x");
            answer.expect(!stored, "no entry of x, which was malformed", told(&object))?;
        }
    }
    Ok(())
}

async fn managed_fields_post_with_entries(Untracked(story): Untracked) -> Checked {
    let mut whole = story.whole(&[("a", "1")]);
    let place: Vec<_> = story.path_of_text("a").split('/').map(str::to_owned).collect();
    let tree = place.iter().rev().fold(json!({}), |below, step| json!({ step.as_str(): below }));
    let version = story.collection.resource().api_version();
    whole["metadata"]["managedFields"] = json!([{
        "manager": "z", "operation": "Apply", "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": tree,
    }]);

    let posted = story.ask(story.posting("p", &whole)).await?;

    posted.expect_status(&[201])?;
    let text = story.path_of_text("a");
    expect_owns(&posted, updater("p"), &[&text])?;
    expect_owns_none(&posted, applier("z"), &[&text])
}

async fn managed_fields_manager_name_validated_in_entries(Tracked(story): Tracked) -> Checked {
    let applied = story.applied("m1", &story.texts([("a", "1")])).await?;
    let mut whole = applied.json().clone();
    whole["metadata"]["managedFields"] = renamed(&applied, &"a".repeat(129));

    let put = story.ask(story.putting("u", &whole)).await?;

    put.expect_refusal(&[400, 422])?;
    story.expect_unchanged(&applied).await
}
