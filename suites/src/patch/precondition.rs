//! Patches with a `resourceVersion` as precondition.

use super::PatchFixture;
use crate::prelude::*;
use crate::string_map;

rows![
    patch_without_rv_is_unconditional,
    patch_conditional_on_rv_stale_409,
    patch_conditional_on_rv_current_ok,
    patch_conditional_smp_rv.own_kinds(),
];

async fn patch_without_rv_is_unconditional(cx: Context, fixture: PatchFixture) -> Checked {
    replace(&cx, &fixture.stored).await?;

    let response = fixture.set("mine", "patched").await?;

    let both = [("k", Some("v")), ("theirs", Some("changed")), ("mine", Some("patched"))];
    fixture.expect_stored(&response, &both).await
}

async fn patch_conditional_on_rv_stale_409(cx: Context, fixture: PatchFixture) -> Checked {
    expect_conflict(&cx, &fixture, MERGE).await
}

async fn patch_conditional_smp_rv(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let fixture = PatchFixture::create(&cx, collection, &[("k", "v")]).await?;
    expect_conflict(&cx, &fixture, STRATEGIC).await
}

/// A patch with an outdated resourceVersion is a conflict, and changes nothing.
async fn expect_conflict(cx: &Context, fixture: &PatchFixture, media_type: &str) -> Checked {
    let outdated = &fixture.stored;
    replace(cx, outdated).await?;
    let current = outdated.again().await?;

    let response = fixture.patch(media_type, &with_version(outdated)).await?;

    if response.succeeded() {
        let version = outdated.read.version();
        return Err(response.fail(format!("a conflict: version {version} is outdated"), response.brief()));
    }
    current.expect_unchanged().await?;
    response.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn patch_conditional_on_rv_current_ok(fixture: PatchFixture) -> Checked {
    let response = fixture.patch(MERGE, &with_version(&fixture.stored)).await?;

    fixture.expect_stored(&response, &[("k", Some("v")), ("mine", Some("patched"))]).await
}

/// A merge patch with the resourceVersion of the object.
fn with_version(stored: &StoredObject) -> Value {
    let mut patch = string_map::set(&stored.collection, "mine", "patched");
    patch["metadata"]["resourceVersion"] = stored.read.version().into();
    patch
}

/// Adds a text as another client. A PUT, so that the fixture does not depend on patches.
async fn replace(cx: &Context, stored: &StoredObject) -> Result<Object, Halt> {
    let mut changed = stored.read.json().clone();
    let map = changed.pointer_mut(string_map::place(&stored.collection)).and_then(Value::as_object_mut);
    if let Some(map) = map {
        map.insert("theirs".to_owned(), json!("changed"));
    }
    cx.send(Request::put(stored.path(), &changed)).await?.written()
}
