//! `managedFields` after each method of writing.

use crate::apply_fixture::owner::{applier, entries, expect_no_entry, owners_text, paths, updater};
use crate::apply_fixture::string_field::Way;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(managed_fields_apply_updates),
        row!(managed_fields_removed_field_leaves_all_entries),
        row!(managed_fields_ownership_only_change_bumps_resource_version),
        row!(managed_fields_ownership_only_change_keeps_generation).own_kinds(),
    ];
    [table(UPDATES, Kinds::All, an_update_is_recorded), own].concat()
}

const UPDATES: &[(&str, Way)] =
    &[("managed-fields-put-updates", Way::Put), ("managed-fields-patch-updates", Way::Merge)];

async fn an_update_is_recorded(cx: Context, way: Way) -> Checked {
    let fixture = ApplyFixture::of_a_tracked_thing(&cx).await?;

    let written = fixture.send(fixture.changing(way, "u", "a", "1").await?).await?;

    for response in [written, fixture.read().await?] {
        fixture.expect_owned_texts(&response, updater("u"), &["a"])?;
    }
    Ok(())
}

async fn managed_fields_apply_updates(fixture: Tracked) -> Checked {
    for key in ["a", "b"] {
        let applied = fixture.send(fixture.applying("m1", &fixture.texts([(key, "1")]))).await?;

        fixture.expect_owned_texts(&applied, applier("m1"), &[key])?;
    }
    Ok(())
}

async fn managed_fields_removed_field_leaves_all_entries(fixture: Tracked) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    for (way, key) in [(Way::Merge, "a"), (Way::Put, "b")] {
        let removed = fixture.send(fixture.removing(way, "u", key).await?).await?;

        expect_unowned(&fixture, &removed, key).await?;
    }
    Ok(())
}

/// The removed field has no owner, and the manager that removed it has no entry.
async fn expect_unowned(fixture: &ApplyFixture, response: &Exchange, key: &'static str) -> Checked {
    fixture.expect_texts(response, &[(key, None)]).await?;
    let object = response.object()?;
    let path = fixture.path_of_text(key);
    let owned = entries(&object).iter().any(|entry| paths(&entry["fieldsV1"]).contains(&path));
    response.expect(!owned, format!("no owner of the removed field {key}"), owners_text(&object))?;
    expect_no_entry(response, updater("u"))
}

async fn managed_fields_ownership_only_change_bumps_resource_version(fixture: Tracked) -> Checked {
    let texts = fixture.texts([("a", "1")]);
    let before = fixture.applied("m1", &texts).await?;
    let only = format!("metadata.name={}", before.name());
    let mut watch = fixture.collection.watch().fields(&only).at(before.version()).open_as_fixture().await?;

    let applied = fixture.send(fixture.applying("m2", &texts)).await?;

    for manager in ["m1", "m2"] {
        fixture.expect_owned_texts(&applied, applier(manager), &["a"])?;
    }
    let version = applied.object()?.version().to_owned();
    let another = format!("a resourceVersion other than {}", before.version());
    applied.expect(version != before.version(), another, &version)?;
    let event = watch.expect("MODIFIED", before.name()).await?;
    let same = event.version() == version;
    watch.expect_that(same, format!("MODIFIED at {version}"), format!("MODIFIED at {}", event.version()))
}

async fn managed_fields_ownership_only_change_keeps_generation(fixture: Gizmo) -> Checked {
    let size = json!({ "spec": { "size": 5 } });
    let before = fixture.applied("m1", &size).await?;
    let mut labelled = size.clone();
    labelled["metadata"] = json!({ "labels": { "l": "x" } });

    for fields in [size, labelled] {
        let applied = fixture.send(fixture.applying("m2", &fields)).await?;

        applied.expect_value("/metadata/generation", &before.json()["metadata"]["generation"])?;
    }
    Ok(())
}
