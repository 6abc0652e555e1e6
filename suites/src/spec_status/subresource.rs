//! The status subresource.

use super::{create_with_status, expect_stored_status, put_status, with_status};
use crate::patch_types;
use crate::prelude::*;

rows![
    spec_status_status_subresource_changes_status.with_status(),
    spec_status_status_subresource_keeps_spec.with_status(),
    spec_status_status_subresource_keeps_metadata.own_kinds(),
    spec_status_status_endpoint_verbs.with_status().also("resource-uris-subresource-verbs-differ"),
    spec_status_status_write_uses_optimistic_lock.with_status(),
];

async fn spec_status_status_subresource_changes_status(cx: Context, stored: StoredObject) -> Checked {
    let put = put_status(&cx, &stored, &with_status(&stored, "seen")?).await?;

    put.expect_status(&[200])?;
    expect_stored_status(&stored, Some("seen")).await
}

async fn spec_status_status_subresource_keeps_spec(cx: Context, stored: StoredObject) -> Checked {
    if !stored.collection.resource_under_test().value_in_spec() {
        return Err(Halt::skip("the template has no $VALUE in the spec"));
    }
    let mut both = stored.collection.status_change("seen")?;
    patch_types::merge_in(&mut both, &stored.collection.change("second"));
    let both = stored.read.with(&both)?;

    let put = put_status(&cx, &stored, &both).await?;

    put.expect_status(&[200])?;
    expect_stored_status(&stored, Some("seen")).await?;
    let before = &stored.read.json()["spec"];
    for response in [put, stored.get().await?] {
        let after = response.object()?.json()["spec"].clone();
        response.expect(*before == after, format!("the spec as before: {before}"), after.to_string())?;
    }
    Ok(())
}

/// Only of custom types: some built-in types also write the metadata.
async fn spec_status_status_subresource_keeps_metadata(cx: Context) -> Checked {
    let stored = StoredObject::create_among(&cx, cx.custom_resources().await?).await?;
    let mut change = stored.collection.status_change("seen")?;
    let own = json!({ "assay": "status" });
    change["metadata"] = json!({ "labels": own, "annotations": own });
    let body = stored.read.with(&change)?;

    let put = put_status(&cx, &stored, &body).await?;

    put.expect_status(&[200])?;
    let got = stored.get().await?;
    let object = got.object()?;
    for field in ["labels", "annotations"] {
        let actual = &object.json()["metadata"][field]["assay"];
        let expected = format!("none of the {field} in the write of the status");
        got.expect(actual.is_null(), expected, actual.to_string())?;
    }
    Ok(())
}

async fn spec_status_status_endpoint_verbs(cx: Context, stored: StoredObject) -> Checked {
    let path = stored.collection.status_path_of(NAME);
    let change = stored.collection.status_change("second")?;

    cx.send(Request::get(&path)).await?.expect_status(&[200])?;
    let put = with_status(&stored, "first")?;
    cx.send(Request::put(&path, &put)).await?.expect_status(&[200])?;
    cx.send(Request::merge_patch(&path, &change)).await?.expect_status(&[200])?;

    for unsupported in [Request::delete(&path), Request::post(&path, &put)] {
        cx.send(unsupported).await?.expect_rejection(&[405])?;
    }
    expect_stored_status(&stored, Some("second")).await
}

async fn spec_status_status_write_uses_optimistic_lock(cx: Context) -> Checked {
    let stored = create_with_status(&cx, "first").await?;
    let outdated = with_status(&stored, "second")?;
    stored.change(&json!({ "metadata": { "annotations": { "assay": "changed" } } })).await?;

    let put = put_status(&cx, &stored, &outdated).await?;

    put.expect_error(&[409], &["Conflict"])?;
    expect_stored_status(&stored, Some("first")).await
}
