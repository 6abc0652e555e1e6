//! Late initialization: the system sets fields that the user left out.

use crate::deletion::pod::BoundPod;
use crate::fields::remove;
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

        let told = watch.expect("MODIFIED", NAME).await?;
        if told.json()["spec"]["nodeName"] != NODE {
            return Err(watch.fail(format!("MODIFIED {NAME} on {NODE}"), told.json()["spec"].to_string()));
        }
        let got = pod.get().await?;
        let now = got.object()?;
        let mut expected = before.json()["spec"].clone();
        expected["nodeName"] = NODE.into();
        let spec = &now.json()["spec"];
        got.expect(*spec == expected, expected.to_string(), spec.to_string())?;
        let another = now.version() != before.version();
        got.expect(another, format!("another version than {}", before.version()), now.version())
    })
    .await
}

/// A taint for which pods get a toleration of their own making unless they have one.
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
        let all = object.json()["spec"]["tolerations"].as_array().cloned().unwrap_or_default();
        let kept: Vec<_> = all.iter().filter(|known| known["key"] == NOT_READY).collect();
        got.expect(kept == [&own], format!("the toleration {own} alone for its taint"), format!("{kept:?}"))
    })
    .await?;
    no_class_of_storage_is_chosen_for_who_wants_none(&cx).await
}

async fn no_class_of_storage_is_chosen_for_who_wants_none(cx: &Context) -> Checked {
    let claims = Resource::core("persistentvolumeclaims", "PersistentVolumeClaim");
    let Some(claims) = cx.collection_if_listed(claims).await? else { return Ok(()) };
    let mut body = claims.body(NAME, "first");
    body["spec"] = json!({
        "accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": { "requests": { "storage": "1Mi" } },
    });
    claims.create_body(&without_data(body)).await?;

    // A finalizer of the system's holds it, and where no controller runs nobody takes it away.
    finalizers::and_release(&claims, async {
        let got = claims.get(NAME).await?;
        let class = got.object()?.json()["spec"]["storageClassName"].clone();
        got.expect(class == "", "storageClassName \"\", as was sent", class.to_string())
    })
    .await
}

/// The body of a type that has no data.
fn without_data(mut body: Value) -> Value {
    remove(&mut body, "data");
    body
}

async fn spec_status_late_init_patch_merge(cx: Context, pod: BoundPod) -> Checked {
    pod.end(async {
        let before = pod.get().await?.written()?;
        let label = json!({ "metadata": { "labels": { "assay": "patched" } } });
        let pods: &Collection = pod.pods();
        let patched = cx.send(patch_types::patch(pods, NAME, STRATEGIC, &label)).await?;

        for answer in [patched, pod.get().await?] {
            let object = answer.object()?;
            let (expected, node) = (&before.json()["spec"]["nodeName"], &object.json()["spec"]["nodeName"]);
            answer.expect(node == expected, format!("nodeName {expected}"), node.to_string())?;
        }
        Ok(())
    })
    .await
}
