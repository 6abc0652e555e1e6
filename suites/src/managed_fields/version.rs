//! Entries of writes through several API versions.

use crate::apply_fixture::custom_type::Definition;
use crate::apply_fixture::owner::{
    applier, entries, entry_of, expect_no_entry, expect_owned, owners_text, paths, updater,
};
use crate::prelude::*;

rows![
    managed_fields_entry_api_version_not_converted_on_read.own_kinds(),
    managed_fields_update_entries_per_version.own_kinds(),
    managed_fields_obsolete_version_dropped.own_kinds(),
    managed_fields_update_error_keeps_entries.own_kinds(),
];

/// A type served in two versions, and the fixture of one object through each of them.
async fn two_versions(cx: &Context) -> Result<(Definition, ApplyFixture, ApplyFixture), Halt> {
    let text = json!({ "type": "string" });
    let definition = Definition::new(cx, &["v1", "v2"], &json!({ "a": text, "b": text, "c": text }))?;
    let definition = definition.defined().await?;
    let (v1, v2) = (definition.fixture("v1").await?, definition.fixture("v2").await?);
    Ok((definition, v1, v2))
}

fn spec(field: &str, text: &str) -> Value {
    json!({ "spec": { field: text } })
}

async fn managed_fields_entry_api_version_not_converted_on_read(cx: Context) -> Checked {
    let (_, v1, v2) = two_versions(&cx).await?;
    v1.applied("m1", &spec("a", "1")).await?;

    let got = v2.read().await?;

    let object = got.object()?;
    let entry = entry_of(&object, applier("m1"));
    let version = entry.map_or(&Value::Null, |entry| &entry["apiVersion"]);
    let written = v1.collection.resource().api_version();
    got.expect(
        *version == written,
        format!("an entry of m1/Apply with apiVersion {written}"),
        version.to_string(),
    )?;
    expect_owned(&got, applier("m1"), &["f:spec/f:a"])
}

async fn managed_fields_update_entries_per_version(cx: Context) -> Checked {
    let (_, v1, v2) = two_versions(&cx).await?;
    v1.applied("m1", &spec("a", "1")).await?;

    v1.merged("u", &spec("b", "1")).await?;
    let merged = v2.send(v2.merging("u", &spec("c", "1"))).await?;

    for (fixture, path) in [(v1, "f:spec/f:b"), (v2, "f:spec/f:c")] {
        let (object, version) = (merged.object()?, fixture.collection.resource().api_version());
        let owned = entries(&object).iter().filter(|entry| {
            entry["manager"] == "u" && entry["operation"] == "Update" && entry["apiVersion"] == version
        });
        let owned: Vec<_> = owned.flat_map(|entry| paths(&entry["fieldsV1"])).collect();
        merged.expect(
            owned == [path],
            format!("an entry of u/Update with apiVersion {version} for {path}"),
            owners_text(&object),
        )?;
    }
    Ok(())
}

/// An object with entries of two versions, of which the first is no longer served.
async fn with_a_removed_version(cx: &Context) -> Result<ApplyFixture, Halt> {
    let (definition, v1, v2) = two_versions(cx).await?;
    v1.applied("m1", &spec("a", "1")).await?;
    v2.applied("m2", &spec("b", "1")).await?;
    definition.give_up_first_version().await?;
    Ok(v2)
}

/// Notes the entries after a write to an object with an entry of a removed version.
fn note(cx: &Context, response: &Exchange, write: &str) {
    let entries = response.object().map_or_else(|_| response.brief(), |object| owners_text(&object));
    cx.note(format!("{write} after the removal of the version of an entry: {entries}"));
}

async fn managed_fields_obsolete_version_dropped(cx: Context) -> Checked {
    let fixture = with_a_removed_version(&cx).await?;

    let applied = fixture.send(fixture.applying("late", &spec("c", "1"))).await?;

    note(&cx, &applied, "an apply");
    if applied.succeeded() {
        expect_no_entry(&applied, applier("m1"))?;
        return expect_owned(&applied, applier("late"), &["f:spec/f:c"]);
    }
    // In kube-apiserver, such an apply fails until another write.
    applied.expect_status(&[500])?;
    fixture.send(fixture.merging("late", &spec("c", "1"))).await?.expect_status(&[200])?;
    let again = fixture.send(fixture.applying("late", &spec("c", "1"))).await?;
    expect_owned(&again, applier("late"), &["f:spec/f:c"])
}

async fn managed_fields_update_error_keeps_entries(cx: Context) -> Checked {
    let fixture = with_a_removed_version(&cx).await?;

    let merged = fixture.send(fixture.merging("late", &spec("c", "1"))).await?;

    merged.expect_value("/spec/c", &json!("1"))?;
    fixture.read().await?.expect_value("/spec/c", &json!("1"))?;
    note(&cx, &merged, "an update");
    let object = merged.object()?;
    if entries(&object).is_empty() { Ok(()) } else { expect_owned(&merged, updater("late"), &["f:spec/f:c"]) }
}
