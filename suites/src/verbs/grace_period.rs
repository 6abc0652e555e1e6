//! Grace periods of Pods.

use crate::deletion::pod::{BoundPod, on_a_node};
use crate::prelude::*;

rows![
    verbs_delete_kind_default_grace.own_kinds(),
    verbs_delete_kinds_differ_in_default_grace.own_kinds(),
    verbs_delete_user_grace_overrides.own_kinds(),
];

/// A grace period in seconds that is no default.
const OWN: i64 = 17;

/// The default grace period of a Pod in seconds.
const DEFAULT: i64 = 30;

/// A Pod on a node, with a grace period of its own.
async fn with_own_grace_period(cx: &Context) -> Result<BoundPod, Halt> {
    let mut pod = on_a_node();
    pod["spec"]["terminationGracePeriodSeconds"] = json!(OWN);
    BoundPod::create_from(cx, &pod).await
}

async fn verbs_delete_kind_default_grace(cx: Context) -> Checked {
    let pod = with_own_grace_period(&cx).await?;

    pod.end(pod.expect_period(Request::delete(pod.path()), OWN, 2)).await
}

async fn verbs_delete_kinds_differ_in_default_grace(cx: Context) -> Checked {
    let stored = StoredObject::create_among(&cx, cx.configmaps().await?).await?;
    cx.send(Request::delete(stored.path())).await?.expect_status(&[200, 202])?;
    stored.expect_gone().await?;

    let pod = BoundPod::create(&cx).await?;
    pod.end(async {
        let deleted = cx.send(Request::delete(pod.path())).await?;

        pod.expect_grace(&deleted, DEFAULT).await
    })
    .await
}

async fn verbs_delete_user_grace_overrides(cx: Context) -> Checked {
    let pod = with_own_grace_period(&cx).await?;

    pod.end(async {
        let deleted = pod.delete_within(5).await?;

        pod.expect_grace(&deleted, 5).await
    })
    .await
}
