//! Patches with a `resourceVersion` as precondition.

use std::sync::Arc;

use harness::{Checked, Collection, Context, Exchange, Halt, Object, Request};
use serde_json::{Value, json};

use crate::patch_types::{self, MERGE, STRATEGIC};
use crate::scenario::ConfigMaps;
use crate::string_map;
use crate::unchanged_object::expect_unchanged;

rows![
    patch_without_rv_is_unconditional,
    patch_conditional_on_rv_stale_409,
    patch_conditional_on_rv_current_ok,
    patch_conditional_smp_rv.own_kinds(),
];

async fn patch_without_rv_is_unconditional(cx: Context, things: Collection) -> Checked {
    let created = string_map::create(&things, "a", &[("k", "v")]).await?;
    let prepared = string_map::set(&things, "mine", "patched");
    replace(&cx, &things, &created, "theirs").await?;

    let patched = patch_types::patched(&cx, &things, MERGE, &prepared).await?;

    let both = [("k", Some("v")), ("theirs", Some("changed")), ("mine", Some("patched"))];
    string_map::expect_stored(&things, "a", &patched, &both).await
}

async fn patch_conditional_on_rv_stale_409(cx: Context, things: Collection) -> Checked {
    let refused = outdated(&cx, &things, MERGE).await?;

    refused.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn patch_conditional_smp_rv(cx: Context, ConfigMaps(things): ConfigMaps) -> Checked {
    let refused = outdated(&cx, &things, STRATEGIC).await?;

    refused.expect_error(&[409], &["Conflict"]).map(drop)
}

/// The answer to a patch of a version that is not the object's any more. That it is carried out is a failure.
async fn outdated(cx: &Context, things: &Collection, form: &str) -> Result<Arc<Exchange>, Halt> {
    let old = string_map::create(things, "a", &[("k", "v")]).await?;
    replace(cx, things, &old, "theirs").await?;
    let before = things.get("a").object().await?;

    let answer = patch_types::patched(cx, things, form, &of_version(things, old.version())).await?;

    if answer.succeeded() {
        return Err(answer.fail(format!("a conflict: version {} is outdated", old.version()), answer.brief()));
    }
    expect_unchanged(things, "a", &before).await?;
    Ok(answer)
}

async fn patch_conditional_on_rv_current_ok(cx: Context, things: Collection) -> Checked {
    string_map::create(&things, "a", &[("k", "v")]).await?;
    let current = things.get("a").object().await?;

    let patched = patch_types::patched(&cx, &things, MERGE, &of_version(&things, current.version())).await?;

    string_map::expect_stored(&things, "a", &patched, &[("k", Some("v")), ("mine", Some("patched"))]).await
}

/// A merge patch that is meant for one version.
fn of_version(things: &Collection, version: &str) -> Value {
    let mut patch = string_map::set(things, "mine", "patched");
    patch["metadata"]["resourceVersion"] = json!(version);
    patch
}

/// Somebody else's change: a text more. A PUT, so that nothing depends on patches.
async fn replace(cx: &Context, things: &Collection, current: &Object, key: &str) -> Result<Object, Halt> {
    let mut changed = current.json().clone();
    let map = changed.pointer_mut(string_map::place(things)).and_then(Value::as_object_mut);
    if let Some(map) = map {
        map.insert(key.to_owned(), json!("changed"));
    }
    cx.send(Request::put(things.path_of("a"), &changed)).await?.written()
}
