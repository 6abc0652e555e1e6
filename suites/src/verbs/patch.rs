//! PATCH: media types and results.

use super::or_note;
use crate::deployments;
use crate::field_validation::preserve_unknown_fields;
use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::openapi::Published;
use crate::patch_types;
use crate::prelude::*;
use crate::unchanged_object::{content, expect_same_content};

rows![
    verbs_patch_modifies_selected_fields.also("resource-uris-patch-is-patch"),
    verbs_patch_content_type_decides,
    verbs_patch_types_advertised.own_kinds().read_only(),
    verbs_patch_result_validated.own_kinds(),
    verbs_patch_empty_is_noop,
    verbs_apply_patch_type,
];

async fn verbs_patch_modifies_selected_fields(cx: Context, stored: StoredObject) -> Checked {
    let label = json!({ "metadata": { "labels": { "assay": "patched" } } });

    cx.send(stored.patch(MERGE, &label)).await?.expect_status(&[200])?;

    let expected = content(&Object::new(stored.read.with(&label)?));
    let got = stored.get().await?;
    let actual = content(&got.object()?);
    got.expect(actual == expected, format!("only the label changed: {expected}"), actual.to_string())
}

async fn verbs_patch_content_type_decides(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["finalizers"] = json!([HOLD]);
    collection.create_body(&body).await?;
    let stored = StoredObject::read(&cx, collection).await?;

    and_release(&stored.collection, async {
        cx.send(stored.patch(MERGE, &finalizers::set(&[WAIT]))).await?.expect_status(&[200])?;
        finalizers::expect(&*stored.get().await?, &[WAIT])?;
        if !stored.is_built_in() {
            return Ok(());
        }
        cx.send(stored.patch(STRATEGIC, &finalizers::set(&[HOLD]))).await?.expect_status(&[200])?;
        finalizers::expect(&*stored.get().await?, &[HOLD, WAIT])
    })
    .await
}

async fn verbs_patch_types_advertised(published: Published) -> Checked {
    for patch in published.operations("patch") {
        // Proxy paths of pods, nodes and services: the target of the proxy decides.
        if patch.described["x-kubernetes-action"] == "connect" {
            continue;
        }
        let published = media_types(patch.described);
        for media_type in [JSON, MERGE, STRATEGIC] {
            let expected = format!("{media_type} among the media types of a patch to {}", patch.path);
            patch.published.expect(published.contains(&media_type), expected, format!("{published:?}"))?;
        }
    }
    Ok(())
}

/// The media types of the bodies of an operation, in either version of `OpenAPI`.
fn media_types(operation: &Value) -> Vec<&str> {
    let v2 = operation["consumes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let v3 = operation["requestBody"]["content"].as_object().into_iter().flatten();
    v2.chain(v3.map(|(media_type, _)| media_type.as_str())).collect()
}

async fn verbs_patch_result_validated(cx: Context, ConfigMaps(config_maps): ConfigMaps) -> Checked {
    let body = config_maps.body(NAME, "first");
    let label = json!({ "metadata": { "labels": { "assay": "a b" } } });
    expect_invalid(&cx, &config_maps, &body, &label).await?;

    if let Some(collection) = or_note(&cx, deployments::collection(&cx).await)? {
        let no_selector = json!({ "spec": { "selector": null } });
        expect_invalid(&cx, &collection, &deployments::body(NAME), &no_selector).await?;
    }
    if let Some(collection) = or_note(&cx, cx.open_custom_resources().await)? {
        let body = preserve_unknown_fields::body(&collection, NAME, &json!(1));
        expect_invalid(&cx, &collection, &body, &json!({ "spec": { "size": null } })).await?;
    }
    Ok(())
}

/// A patch of the created object is invalid, and changes nothing.
async fn expect_invalid(cx: &Context, collection: &Collection, body: &Value, patch: &Value) -> Checked {
    collection.create_body(body).await?;
    let before = collection.get(NAME).object().await?;
    let response = patch_types::patched(cx, collection, MERGE, patch).await?;
    response.expect_error(&[422], &["Invalid"])?;
    expect_same_content(collection, NAME, &before).await
}

async fn verbs_patch_empty_is_noop(cx: Context, stored: StoredObject) -> Checked {
    let before = stored.read.version();
    for (media_type, empty) in [(MERGE, json!({})), (JSON, json!([]))] {
        let response = cx.send(stored.patch(media_type, &empty)).await?;
        let after = response.object()?.version().to_owned();
        response.expect(after == before, format!("resourceVersion {before} as before"), after)?;
    }
    stored.expect_unchanged().await
}

async fn verbs_apply_patch_type(cx: Context, collection: Collection) -> Checked {
    let apply = || patch_types::apply(&collection, NAME, "kube-assay", &collection.body(NAME, "first"));

    // The first apply creates the object, which no other patch does.
    for legal in [201, 200] {
        let response = cx.send(apply()).await?;
        patch_types::applies(&cx, &response)?;
        response.expect_status(&[legal])?;
    }
    Ok(())
}
