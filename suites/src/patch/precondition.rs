//! Patches with a `resourceVersion` as precondition.

use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::expect_unchanged;

rows![
    patch_without_rv_is_unconditional,
    patch_conditional_on_rv_stale_409,
    patch_conditional_on_rv_current_ok,
    patch_conditional_smp_rv.own_kinds(),
];

async fn patch_without_rv_is_unconditional(cx: Context, collection: Collection) -> Checked {
    let created = string_map::create(&collection, "a", &[("k", "v")]).await?;
    let prepared = string_map::set(&collection, "mine", "patched");
    replace(&cx, &collection, &created, "theirs").await?;

    let patched = patch_types::patched(&cx, &collection, MERGE, &prepared).await?;

    let both = [("k", Some("v")), ("theirs", Some("changed")), ("mine", Some("patched"))];
    string_map::expect_stored(&collection, "a", &patched, &both).await
}

async fn patch_conditional_on_rv_stale_409(cx: Context, collection: Collection) -> Checked {
    let refused = outdated(&cx, &collection, MERGE).await?;

    refused.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn patch_conditional_smp_rv(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let refused = outdated(&cx, &collection, STRATEGIC).await?;

    refused.expect_error(&[409], &["Conflict"]).map(drop)
}

/// The answer to a patch of a version that is not the object's any more. That it is carried out is a failure.
async fn outdated(cx: &Context, collection: &Collection, form: &str) -> Result<Arc<Exchange>, Halt> {
    let old = string_map::create(collection, "a", &[("k", "v")]).await?;
    replace(cx, collection, &old, "theirs").await?;
    let before = collection.get("a").object().await?;

    let answer = patch_types::patched(cx, collection, form, &of_version(collection, old.version())).await?;

    if answer.succeeded() {
        return Err(answer.fail(format!("a conflict: version {} is outdated", old.version()), answer.brief()));
    }
    expect_unchanged(collection, "a", &before).await?;
    Ok(answer)
}

async fn patch_conditional_on_rv_current_ok(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let current = collection.get("a").object().await?;

    let patched =
        patch_types::patched(&cx, &collection, MERGE, &of_version(&collection, current.version())).await?;

    string_map::expect_stored(&collection, "a", &patched, &[("k", Some("v")), ("mine", Some("patched"))])
        .await
}

/// A merge patch that is meant for one version.
fn of_version(collection: &Collection, version: &str) -> Value {
    let mut patch = string_map::set(collection, "mine", "patched");
    patch["metadata"]["resourceVersion"] = json!(version);
    patch
}

/// Somebody else's change: a text more. A PUT, so that nothing depends on patches.
async fn replace(cx: &Context, collection: &Collection, current: &Object, key: &str) -> Result<Object, Halt> {
    let mut changed = current.json().clone();
    let map = changed.pointer_mut(string_map::place(collection)).and_then(Value::as_object_mut);
    if let Some(map) = map {
        map.insert(key.to_owned(), json!("changed"));
    }
    cx.send(Request::put(collection.path_of("a"), &changed)).await?.written()
}
