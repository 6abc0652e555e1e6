//! Strategic merge patches.

use crate::deployments;
use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::patch_types;
use crate::prelude::*;

rows![
    verbs_strategic_merge_atomic_lists.own_kinds(),
    verbs_strategic_merge_primitive_lists.own_kinds(),
    verbs_strategic_merge_null_removes.own_kinds(),
];

async fn verbs_strategic_merge_atomic_lists(cx: Context, Deployments(collection): Deployments) -> Checked {
    let mut body = deployments::body(NAME);
    body["spec"]["template"]["spec"]["containers"][0]["args"] = json!(["a", "b"]);
    collection.create_body(&body).await?;

    let containers = json!([{ "name": "a", "args": ["c"] }]);
    let patch = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    let patched = patch_types::patched(&cx, &collection, STRATEGIC, &patch).await?;

    for response in [patched, collection.get(NAME).await?] {
        let object = response.object()?;
        let args = &object.json()["spec"]["template"]["spec"]["containers"][0]["args"];
        response.expect(*args == json!(["c"]), "the arguments [\"c\"]", args.to_string())?;
    }
    Ok(())
}

async fn verbs_strategic_merge_primitive_lists(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["finalizers"] = json!([HOLD]);
    collection.create_body(&body).await?;

    and_release(&collection, async {
        let merged = patch_types::patched(&cx, &collection, STRATEGIC, &finalizers::set(&[WAIT])).await?;
        finalizers::expect(&merged, &[HOLD, WAIT])?;
        let remove = json!({ "metadata": { "$deleteFromPrimitiveList/finalizers": [HOLD] } });
        let removed = patch_types::patched(&cx, &collection, STRATEGIC, &remove).await?;
        finalizers::expect(&removed, &[WAIT])?;
        finalizers::expect(&*collection.get(NAME).await?, &[WAIT])
    })
    .await
}

async fn verbs_strategic_merge_null_removes(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["labels"] = json!({ "a": "1", "b": "2" });
    collection.create_body(&body).await?;

    let patch = json!({ "metadata": { "labels": { "a": null } } });
    let patched = patch_types::patched(&cx, &collection, STRATEGIC, &patch).await?;

    for response in [patched, collection.get(NAME).await?] {
        let labels = response.object()?.json()["metadata"]["labels"].clone();
        // Admission may add further labels.
        let right = labels["a"].is_null() && labels["b"] == "2";
        response.expect(right, "the label b=2, and no label a", labels.to_string())?;
    }
    Ok(())
}
