//! Late initialization: the system sets fields that the user left out.

use crate::deletion::pod::BoundPod;
use crate::fields::without;
use crate::finalizers;
use crate::patch_types;
use crate::pods::{self, NODE};
use crate::prelude::*;
use crate::watch::from_now;

rows![
    spec_status_late_init_field_appears.own_kinds(),
    spec_status_late_init_respects_user_values.own_kinds(),
    spec_status_late_init_patch_merge.own_kinds(),
];

async fn spec_status_late_init_field_appears(cx: Context) -> Checked {
    let pod = BoundPod::create_from(&cx, &pods::idle(NAME)).await?;

    pod.end(async {
        let before = pod.get().await?.written()?;
        let mut watch = from_now(pod.pods()).await?;
        cx.send(pods::binding(pod.pods(), NAME)).await?.written()?;

        let bound = watch.expect("MODIFIED", NAME).await?;
        let spec = &bound.json()["spec"];
        let expected = format!("MODIFIED {NAME} on {NODE}");
        watch.expect_that(spec["nodeName"] == NODE, expected, spec.to_string())?;
        let got = pod.get().await?;
        let now = got.object()?;
        let expected = before.with(&json!({ "spec": { "nodeName": NODE } }))?;
        let (expected, spec) = (&expected["spec"], &now.json()["spec"]);
        got.expect(spec == expected, expected.to_string(), spec.to_string())?;
        let another = now.version() != before.version();
        got.expect(another, format!("a resourceVersion other than {}", before.version()), now.version())
    })
    .await
}

/// A taint for which an admission plugin adds a toleration to Pods without one.
const NOT_READY: &str = "node.kubernetes.io/not-ready";

async fn spec_status_late_init_respects_user_values(cx: Context) -> Checked {
    let mut body = pods::idle(NAME);
    let own =
        json!({ "key": NOT_READY, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 17 });
    body["spec"]["tolerations"] = json!([own]);
    let pod = BoundPod::create_from(&cx, &body).await?;

    pod.end(async {
        let got = pod.get().await?;
        let object = got.object()?;
        let all = object.json()["spec"]["tolerations"].as_array().into_iter().flatten();
        let actual: Vec<_> = all.filter(|toleration| toleration["key"] == NOT_READY).collect();
        let expected = format!("the toleration {own} alone for its taint");
        got.expect(actual == [&own], expected, format!("{actual:?}"))
    })
    .await?;
    expect_no_storage_class(&cx).await
}

/// A claim with the storage class "" gets no default storage class.
async fn expect_no_storage_class(cx: &Context) -> Checked {
    let claims = Resource::core("persistentvolumeclaims", "PersistentVolumeClaim");
    let Some(claims) = cx.collection_if_listed(claims).await? else { return Ok(()) };
    let mut body = claims.body(NAME, "first");
    body["spec"] = json!({
        "accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": { "requests": { "storage": "1Mi" } },
    });
    claims.create_body(&without(body, "data")).await?;

    // The server adds a finalizer, which only a controller removes.
    finalizers::and_release(&claims, async {
        let got = claims.get(NAME).await?;
        let class = got.object()?.json()["spec"]["storageClassName"].clone();
        got.expect(class == "", "storageClassName \"\", as in the request", class.to_string())
    })
    .await
}

async fn spec_status_late_init_patch_merge(cx: Context, pod: BoundPod) -> Checked {
    pod.end(async {
        let before = pod.get().await?.written()?;
        let label = json!({ "metadata": { "labels": { "assay": "patched" } } });
        let pods: &Collection = pod.pods();
        let patched = cx.send(patch_types::patch(pods, NAME, STRATEGIC, &label)).await?;

        for response in [patched, pod.get().await?] {
            let object = response.object()?;
            let (expected, actual) = (&before.json()["spec"]["nodeName"], &object.json()["spec"]["nodeName"]);
            response.expect(actual == expected, format!("nodeName {expected}"), actual.to_string())?;
        }
        Ok(())
    })
    .await
}
