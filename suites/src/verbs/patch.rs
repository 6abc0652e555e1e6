//! PATCH: media types and results.

use crate::deployments;
use crate::field_validation::preserve_unknown_fields;
use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::openapi::Published;
use crate::patch_types;
use crate::prelude::*;
use crate::unchanged_object::{content, expect_same_content};

rows![
    verbs_patch_modifies_selected_fields,
    verbs_patch_content_type_decides,
    verbs_patch_types_advertised.own_kinds().read_only(),
    verbs_patch_result_validated.own_kinds(),
    verbs_patch_empty_is_noop,
    verbs_apply_patch_type,
];

async fn verbs_patch_modifies_selected_fields(cx: Context, stored: StoredObject) -> Checked {
    let label = json!({ "metadata": { "labels": { "assay": "patched" } } });

    let patched = cx.send(stored.patch(MERGE, &label)).await?;

    patched.expect_status(&[200])?;
    let mut expected = stored.read.json().clone();
    expected["metadata"]["labels"]["assay"] = "patched".into();
    let expected = content(&Object::new(expected));
    let got = stored.get().await?;
    let shown = content(&got.object()?);
    got.expect(shown == expected, format!("another label, and nothing else: {expected}"), shown.to_string())
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
        // What goes to pods, nodes and services is none of the server's business.
        if patch.described["x-kubernetes-action"] == "connect" {
            continue;
        }
        let told = media_types(patch.described);
        for form in [JSON, MERGE, STRATEGIC] {
            let expected = format!("{form} among what can be sent as a patch to {}", patch.path);
            patch.published.expect(told.contains(&form), expected, format!("{told:?}"))?;
        }
    }
    Ok(())
}

/// The media types of the bodies of an operation, in either version of `OpenAPI`.
fn media_types(operation: &Value) -> Vec<&str> {
    let listed = operation["consumes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let described = operation["requestBody"]["content"].as_object().into_iter().flatten();
    listed.chain(described.map(|(media, _)| media.as_str())).collect()
}

async fn verbs_patch_result_validated(cx: Context, ConfigMaps(config_maps): ConfigMaps) -> Checked {
    config_maps.create(NAME).await?;
    let label = json!({ "metadata": { "labels": { "assay": "a b" } } });
    is_refused(&cx, &config_maps, &label).await?;

    match deployments::collection(&cx).await {
        Ok(collection) => {
            collection.create_body(&deployments::body(NAME)).await?;
            is_refused(&cx, &collection, &json!({ "spec": { "selector": null } })).await?;
        }
        Err(Halt::Skipped(why)) => cx.note(why),
        Err(other) => return Err(other),
    }
    match cx.open_custom_resources().await {
        Ok(collection) => {
            collection.create_body(&preserve_unknown_fields::body(&collection, NAME, &json!(1))).await?;
            is_refused(&cx, &collection, &json!({ "spec": { "size": null } })).await
        }
        Err(Halt::Skipped(why)) => {
            cx.note(why);
            Ok(())
        }
        Err(other) => Err(other),
    }
}

async fn is_refused(cx: &Context, collection: &Collection, patch: &Value) -> Checked {
    let before = collection.get(NAME).object().await?;
    let refused = patch_types::patched(cx, collection, MERGE, patch).await?;
    refused.expect_error(&[422], &["Invalid"])?;
    expect_same_content(collection, NAME, &before).await
}

async fn verbs_patch_empty_is_noop(cx: Context, stored: StoredObject) -> Checked {
    for (form, empty) in [(MERGE, json!({})), (JSON, json!([]))] {
        let patched = cx.send(stored.patch(form, &empty)).await?;
        let version = patched.object()?.version().to_owned();
        let expected = format!("version {} as before", stored.read.version());
        patched.expect(version == stored.read.version(), expected, version)?;
    }
    stored.expect_unchanged().await
}

async fn verbs_apply_patch_type(cx: Context, collection: Collection) -> Checked {
    let apply = || patch_types::apply(&collection, NAME, "kube-assay", &collection.body(NAME, "first"));

    // To create, which no other patch does, and to change.
    for legal in [201, 200] {
        let answer = cx.send(apply()).await?;
        patch_types::applies(&cx, &answer)?;
        answer.expect_status(&[legal])?;
    }
    Ok(())
}
