//! Strategic merge patches of built-in types.

use crate::patch_types;
use crate::prelude::*;
use crate::{deployments, string_map};

rows![
    patch_strategic_merges_list_by_key.own_kinds().also("verbs-strategic-merge-lists-by-key"),
    patch_strategic_delete_directive.own_kinds().also("verbs-strategic-merge-delete-directive"),
    patch_strategic_replace_directive.own_kinds().also("verbs-strategic-merge-replace-directive"),
];

async fn patch_strategic_merges_list_by_key(cx: Context) -> Checked {
    let (collection, image) = (deployments::collection(&cx).await?, "kube-assay.invalid/b:1");
    collection.create_body(&deployments::body("a")).await?;

    let joined = containers(&cx, &collection, &json!([{ "name": "b", "image": image }])).await?;
    expect_containers(&collection, &joined, &[("a", "kube-assay.invalid/a:1"), ("b", image)]).await?;

    let newer = "kube-assay.invalid/b:2";
    let changed = containers(&cx, &collection, &json!([{ "name": "b", "image": newer }])).await?;
    expect_containers(&collection, &changed, &[("a", "kube-assay.invalid/a:1"), ("b", newer)]).await
}

async fn patch_strategic_delete_directive(cx: Context) -> Checked {
    let (collection, image) = (deployments::collection(&cx).await?, "kube-assay.invalid/b:1");
    let mut body = deployments::body("a");
    let two = json!([{ "name": "a", "image": image }, { "name": "b", "image": image }]);
    body["spec"]["template"]["spec"]["containers"] = two;
    collection.create_body(&body).await?;

    let removed = containers(&cx, &collection, &json!([{ "name": "a", "$patch": "delete" }])).await?;

    expect_containers(&collection, &removed, &[("b", image)]).await
}

async fn patch_strategic_replace_directive(cx: Context) -> Checked {
    let (collection, image) = (deployments::collection(&cx).await?, "kube-assay.invalid/z:1");
    collection.create_body(&deployments::body("a")).await?;
    let replace = json!([{ "name": "z", "image": image }, { "$patch": "replace" }]);

    let replaced = containers(&cx, &collection, &replace).await?;
    expect_containers(&collection, &replaced, &[("z", image)]).await?;

    let config_maps = cx.configmaps().await?;
    string_map::create(&config_maps, "a", &[("a", "1"), ("b", "1")]).await?;
    let map = string_map::merge(&config_maps, &json!({ "c": "3", "$patch": "replace" }));
    let replaced = patch_types::patched(&cx, &config_maps, STRATEGIC, &map).await?;
    let after = [("a", None), ("b", None), ("c", Some("3")), ("$patch", None)];
    string_map::expect_stored(&config_maps, "a", &replaced, &after).await
}

/// Patches the containers of the Deployment `a`.
async fn containers(
    cx: &Context,
    collection: &Collection,
    containers: &Value,
) -> Result<Arc<Exchange>, Halt> {
    let patch = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    patch_types::patched(cx, collection, STRATEGIC, &patch).await
}

/// The answer, and what is stored, show containers of these names and images, in any order.
async fn expect_containers(
    collection: &Collection,
    patched: &Exchange,
    expected: &[(&str, &str)],
) -> Checked {
    let got = collection.get("a").await?;
    for answer in [patched, &*got] {
        let object = answer.object()?;
        let shown = object.json()["spec"]["template"]["spec"]["containers"].as_array();
        let text = |container: &Value, field: &str| container[field].as_str().unwrap_or_default().to_owned();
        let mut shown: Vec<_> = shown
            .into_iter()
            .flatten()
            .map(|container| (text(container, "name"), text(container, "image")))
            .collect();
        shown.sort();
        let same =
            shown.iter().map(|(name, image)| (name.as_str(), image.as_str())).eq(expected.iter().copied());
        answer.expect(same, format!("the containers {expected:?}"), format!("{shown:?}"))?;
    }
    Ok(())
}
