//! Strategic merge patches of built-in types.

use super::PatchFixture;
use crate::patch_types;
use crate::prelude::*;
use crate::{deployments, string_map};

rows![
    patch_strategic_merges_list_by_key.own_kinds().also("verbs-strategic-merge-lists-by-key"),
    patch_strategic_delete_directive.own_kinds().also("verbs-strategic-merge-delete-directive"),
    patch_strategic_replace_directive.own_kinds().also("verbs-strategic-merge-replace-directive"),
];

/// The image of the container `a` of the Deployment, and others.
const A: &str = "kube-assay.invalid/a:1";
const B: &str = "kube-assay.invalid/b:1";
const B2: &str = "kube-assay.invalid/b:2";
const Z: &str = "kube-assay.invalid/z:1";

async fn patch_strategic_merges_list_by_key(cx: Context, Deployments(collection): Deployments) -> Checked {
    collection.create_body(&deployments::body(NAME)).await?;

    expect_patched(&cx, &collection, json!([{ "name": "b", "image": B }]), &[("a", A), ("b", B)]).await?;
    expect_patched(&cx, &collection, json!([{ "name": "b", "image": B2 }]), &[("a", A), ("b", B2)]).await
}

async fn patch_strategic_delete_directive(cx: Context, Deployments(collection): Deployments) -> Checked {
    let mut body = deployments::body(NAME);
    let two = json!([{ "name": "a", "image": B }, { "name": "b", "image": B }]);
    body["spec"]["template"]["spec"]["containers"] = two;
    collection.create_body(&body).await?;

    expect_patched(&cx, &collection, json!([{ "name": "a", "$patch": "delete" }]), &[("b", B)]).await
}

async fn patch_strategic_replace_directive(cx: Context, Deployments(collection): Deployments) -> Checked {
    collection.create_body(&deployments::body(NAME)).await?;
    let replace = json!([{ "name": "z", "image": Z }, { "$patch": "replace" }]);
    expect_patched(&cx, &collection, replace, &[("z", Z)]).await?;

    let fixture = PatchFixture::create(&cx, cx.configmaps().await?, &[("a", "1"), ("b", "1")]).await?;
    let map = string_map::merge(&fixture.stored.collection, &json!({ "c": "3", "$patch": "replace" }));
    let response = fixture.patch(STRATEGIC, &map).await?;
    let texts = [("a", None), ("b", None), ("c", Some("3")), ("$patch", None)];
    fixture.expect_stored(&response, &texts).await
}

/// Patches the containers of the Deployment: the response and a later GET have these names and images, in any order.
async fn expect_patched(
    cx: &Context,
    collection: &Collection,
    containers: Value,
    expected: &[(&str, &str)],
) -> Checked {
    let patch = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    let patched = patch_types::patched(cx, collection, STRATEGIC, &patch).await?;
    for response in [patched, collection.get(NAME).await?] {
        let object = response.object()?;
        let containers = object.json()["spec"]["template"]["spec"]["containers"].as_array();
        let text = |container: &Value, field: &str| container[field].as_str().unwrap_or_default().to_owned();
        let of = |container: &Value| (text(container, "name"), text(container, "image"));
        let mut actual: Vec<_> = containers.into_iter().flatten().map(of).collect();
        actual.sort();
        let same = actual.iter().map(|(name, image)| (&**name, &**image)).eq(expected.iter().copied());
        response.expect(same, format!("the containers {expected:?}"), format!("{actual:?}"))?;
    }
    Ok(())
}
