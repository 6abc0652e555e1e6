//! The level Strict: unknown and duplicate fields are errors.

use super::levels::patches;
use super::{UNKNOWN, at, duplicated, post, post_text, put_text, warning, with_duplicate, with_unknown};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::{expect_rejected, expect_unchanged};

rows![
    fieldval_strict_put_duplicate_400,
    fieldval_strict_rejects_before_storing,
    fieldval_strict_valid_passes_clean,
    fieldval_subresources_checked.with_status(),
];

async fn fieldval_strict_put_duplicate_400(cx: Context, collection: Collection) -> Checked {
    let before = created(&collection).await?;
    let body = duplicated(string_map::body(&collection, "a", &[("k", "w")]));

    let refused = cx.send(at("Strict", put_text(&collection, "a", &body))).await?;

    // Where an update requires a resourceVersion, the server may check that first.
    let legal: &[u16] = if patch_types::is_built_in(&collection) { &[400] } else { &[400, 422] };
    refused.expect_error(legal, &["BadRequest", "Invalid"])?;
    expect_unchanged(&collection, "a", &before).await
}

/// Creates the object `a`, and reads it.
pub(super) async fn created(collection: &Collection) -> Result<Object, Halt> {
    string_map::create(collection, "a", &[("k", "v")]).await?;
    collection.get("a").object().await
}

async fn fieldval_strict_rejects_before_storing(cx: Context, collection: ClosedSchema) -> Checked {
    let before = created(&collection).await?;
    let mut body = before.json().clone();
    body[UNKNOWN] = json!(1);

    cx.send(at("Strict", post(&collection, &with_unknown(&collection, "b")))).await?;
    cx.send(at("Strict", post_text(&collection, &with_duplicate(&collection, "b")))).await?;
    cx.send(at("Strict", Request::put(collection.path_of("a"), &changed(&collection, body)?))).await?;
    for (form, body) in patches() {
        let body = if form == JSON { changed_list(&collection, body) } else { changed(&collection, body)? };
        cx.send(at("Strict", patch_types::patch(&collection, "a", form, &body))).await?;
    }

    expect_absent(&collection, "b").await?;
    expect_unchanged(&collection, "a", &before).await
}

/// The body with a valid change.
fn changed(collection: &Collection, body: Value) -> Result<Value, Halt> {
    Object::new(body).with(&string_map::set(collection, "k", "changed"))
}

/// The JSON patch with a valid change.
fn changed_list(collection: &Collection, mut operations: Value) -> Value {
    let path = format!("{}/k", string_map::place(collection));
    if let Some(list) = operations.as_array_mut() {
        list.push(json!({ "op": "replace", "path": path, "value": "changed" }));
    }
    operations
}

async fn fieldval_strict_valid_passes_clean(cx: Context, collection: Collection) -> Checked {
    let create = post(&collection, &string_map::body(&collection, "a", &[("k", "v")]));
    expect_no_warning(&*cx.send(at("Strict", create)).await?)?;

    // The object as read, with all defaults.
    let read = collection.get("a").object().await?;
    expect_no_warning(&*cx.send(at("Strict", Request::put(collection.path_of("a"), read.json()))).await?)?;
    for form in [MERGE, STRATEGIC] {
        let patch = patch_types::patch(&collection, "a", form, &string_map::set(&collection, "k", form));
        let patched = cx.send(at("Strict", patch)).await?;
        if patched.status() != 415 || form == MERGE {
            expect_no_warning(&patched)?;
        }
    }
    let list = string_map::operations(&collection, r#"[{"op":"replace","path":"@/k","value":"listed"}]"#);
    expect_no_warning(&*cx.send(at("Strict", patch_types::raw_patch(&collection, "a", JSON, &list))).await?)
}

/// Success, without a warning about a field.
fn expect_no_warning(response: &Exchange) -> Checked {
    response.expect_status(&[200, 201])?;
    warning::expect_none(response, " field ")
}

async fn fieldval_subresources_checked(cx: Context, collection: ClosedSchema) -> Checked {
    let before = created(&collection).await?;
    let mut body = before.json().clone();
    body[UNKNOWN] = json!(1);
    let path = collection.status_path_of("a");

    let put = cx.send(at("Strict", Request::put(&path, &body))).await?;
    let patched = cx.send(at("Strict", Request::merge_patch(&path, &json!({ UNKNOWN: 1 })))).await?;

    put.expect_error(&[400], &["BadRequest"])?;
    expect_rejected(&patched)?;
    expect_unchanged(&collection, "a", &before).await
}
