//! `managedFields` after each method of writing.

use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{applier, entries, expect_no_entry, paths, told, updater};
use crate::apply_fixture::string_field::Way;
use crate::prelude::*;

rows![
    managed_fields_put_updates,
    managed_fields_apply_updates,
    managed_fields_patch_updates,
    managed_fields_removed_field_leaves_all_entries,
    managed_fields_ownership_only_change_bumps_resource_version,
    managed_fields_ownership_only_change_keeps_generation.own_kinds(),
];

async fn managed_fields_put_updates(Tracked(fixture): Tracked) -> Checked {
    let put = fixture.ask(fixture.putting("u", &fixture.now_with("a", "1").await?)).await?;

    for answer in [put, fixture.read().await?] {
        fixture.expect_owned_texts(&answer, updater("u"), &["a"])?;
    }
    Ok(())
}

async fn managed_fields_apply_updates(Tracked(fixture): Tracked) -> Checked {
    for key in ["a", "b"] {
        let applied = fixture.ask(fixture.applying("m1", &fixture.texts([(key, "1")]))).await?;

        fixture.expect_owned_texts(&applied, applier("m1"), &[key])?;
    }
    Ok(())
}

async fn managed_fields_patch_updates(Tracked(fixture): Tracked) -> Checked {
    let merged = fixture.ask(fixture.merging("u", &fixture.texts([("a", "1")]))).await?;

    for answer in [merged, fixture.read().await?] {
        fixture.expect_owned_texts(&answer, updater("u"), &["a"])?;
    }
    Ok(())
}

async fn managed_fields_removed_field_leaves_all_entries(Tracked(fixture): Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    for (way, key) in [(Way::Merge, "a"), (Way::Put, "b")] {
        let removed = fixture.ask(fixture.removing(way, "u", key).await?).await?;

        expect_unowned(&fixture, &removed, key).await?;
    }
    Ok(())
}

/// Nobody owns a text that is gone, nor has who removed it anything else.
async fn expect_unowned(fixture: &ApplyFixture, answer: &Exchange, key: &'static str) -> Checked {
    fixture.expect_texts(answer, &[(key, None)]).await?;
    let object = answer.object()?;
    let path = fixture.path_of_text(key);
    let owned = entries(&object).iter().any(|entry| paths(&entry["fieldsV1"]).contains(&path));
    answer.expect(!owned, format!("no owner of {key}, which was removed"), told(&object))?;
    expect_no_entry(answer, updater("u"))
}

async fn managed_fields_ownership_only_change_bumps_resource_version(Tracked(fixture): Tracked) -> Checked {
    let texts = fixture.texts([("a", "1")]);
    let before = fixture.applied("m1", &texts).await?;
    let only = format!("metadata.name={}", before.name());
    let mut watch = fixture.collection.watch().fields(&only).at(before.version()).arranged().await?;

    let applied = fixture.ask(fixture.applying("m2", &texts)).await?;

    for manager in ["m1", "m2"] {
        fixture.expect_owned_texts(&applied, applier(manager), &["a"])?;
    }
    let version = applied.object()?.version().to_owned();
    let another = format!("another version than {}", before.version());
    applied.expect(version != before.version(), another, &version)?;
    let told = watch.expect("MODIFIED", before.name()).await?;
    if told.version() == version {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at version {version}"), format!("at {}", told.version())))
}

async fn managed_fields_ownership_only_change_keeps_generation(Gizmo(fixture): Gizmo) -> Checked {
    let size = json!({ "spec": { "size": 5 } });
    let before = fixture.applied("m1", &size).await?;
    let mut labelled = size.clone();
    labelled["metadata"] = json!({ "labels": { "l": "x" } });

    for fields in [size, labelled] {
        let applied = fixture.ask(fixture.applying("m2", &fields)).await?;

        expect_value(&applied, "/metadata/generation", &before.json()["metadata"]["generation"])?;
    }
    Ok(())
}
