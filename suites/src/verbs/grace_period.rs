//! Grace periods of Pods.

use crate::clock::{date, second};
use crate::deletion::pod::{BoundPod, on_a_node};
use crate::prelude::*;

rows![
    verbs_delete_kind_default_grace.own_kinds(),
    verbs_delete_kinds_differ_in_default_grace.own_kinds(),
    verbs_delete_user_grace_overrides.own_kinds(),
];

/// Seconds that no server has for a default.
const OWN: i64 = 17;

/// Seconds for a Pod that says nothing.
const USUAL: i64 = 30;

/// A Pod on a node, which says how long it is to be given.
async fn patient(cx: &Context) -> Result<BoundPod, Halt> {
    let mut pod = on_a_node();
    pod["spec"]["terminationGracePeriodSeconds"] = json!(OWN);
    BoundPod::create_from(cx, &pod).await
}

async fn verbs_delete_kind_default_grace(cx: Context) -> Checked {
    let pod = patient(&cx).await?;

    pod.end(async {
        let deleted = cx.send(Request::delete(pod.path())).await?;

        let marked = pod.expect_grace(&deleted, OWN).await?;
        let at = marked.metadata("deletionTimestamp");
        // By the server's own clock, where it tells the time.
        let Some(now) = date(&deleted) else { return Ok(()) };
        let ahead = second(at).map(|at| at - now);
        let in_time = ahead.is_some_and(|ahead| (OWN - 2..=OWN + 2).contains(&ahead));
        deleted.expect(
            in_time,
            format!("deletionTimestamp about {OWN} s ahead"),
            format!("{at}: {ahead:?} s"),
        )
    })
    .await
}

async fn verbs_delete_kinds_differ_in_default_grace(cx: Context) -> Checked {
    let stored = StoredObject::create_among(&cx, cx.configmaps().await?).await?;
    cx.send(Request::delete(stored.path())).await?.expect_status(&[200, 202])?;
    stored.expect_gone().await?;

    let pod = BoundPod::create(&cx).await?;
    pod.end(async {
        let deleted = cx.send(Request::delete(pod.path())).await?;

        pod.expect_grace(&deleted, USUAL).await
    })
    .await
}

async fn verbs_delete_user_grace_overrides(cx: Context) -> Checked {
    let pod = patient(&cx).await?;

    pod.end(async {
        let deleted = pod.delete_within(5).await?;

        pod.expect_grace(&deleted, 5).await
    })
    .await
}
