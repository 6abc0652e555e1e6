//! Deletion of Pods, with a grace period.

use super::{ACCEPTED, expect_gone, expect_terminating, with_options};
use crate::clock::{self, second};
use crate::pods;
use crate::prelude::*;

rows![
    deletion_graceful_pod_timestamp_in_future.own_kinds(),
    deletion_grace_period_only_shortened.own_kinds(),
    deletion_grace_zero_removes_pod.own_kinds().also("verbs-delete-zero-grace-is-now"),
    deletion_negative_grace_treated_as_one.own_kinds(),
];

/// A Pod on a missing node, where no kubelet ends it.
pub(crate) struct BoundPod {
    cx: Context,
    pods: Collection,
    created: Object,
}

const NAME: &str = "a";

impl BoundPod {
    /// Creates the Pod. Skips where the server has none.
    pub(crate) async fn create(cx: &Context) -> Result<Self, Halt> {
        Self::create_from(cx, &on_a_node()).await
    }

    /// Creates this Pod. Skips where the server has none.
    pub(crate) async fn create_from(cx: &Context, pod: &Value) -> Result<Self, Halt> {
        let pods = pods::collection(cx).await?;
        let created = pods::create(cx, &pods, pod).await?;
        Ok(Self { cx: cx.clone(), pods, created })
    }

    /// Deletes the Pod, with a grace period in the query.
    pub(crate) async fn delete_within(&self, seconds: i64) -> Result<Arc<Exchange>, Halt> {
        self.cx.send(Request::delete(self.path()).query("gracePeriodSeconds", seconds)).await
    }

    /// The Pods of its namespace.
    pub(crate) fn pods(&self) -> &Collection {
        &self.pods
    }

    pub(crate) fn path(&self) -> String {
        self.pods.path_of(NAME)
    }

    pub(crate) async fn get(&self) -> Result<Arc<Exchange>, Halt> {
        self.pods.get(NAME).await
    }

    /// The server accepted the deletion, and the Pod exists with this grace period.
    pub(crate) async fn expect_grace(&self, deleted: &Exchange, seconds: i64) -> Result<Object, Halt> {
        deleted.expect_status(ACCEPTED)?;
        let got = self.get().await?;
        let pod = expect_terminating(&got, &self.created)?;
        got.expect_value("/metadata/deletionGracePeriodSeconds", &seconds.into())?;
        Ok(pod)
    }

    /// Sends this deletion: the Pod gets this grace period, and its end as deletionTimestamp.
    pub(crate) async fn expect_period(&self, deletion: Request, seconds: i64, skew: i64) -> Checked {
        let objects = self.cx.configmaps().await?;
        let begun = Instant::now();
        let deleted = self.cx.send(deletion).await?;
        let terminating = self.expect_grace(&deleted, seconds).await?;
        let span = clock::since(&objects, begun).await?;
        let at = terminating.metadata("deletionTimestamp");
        let in_time = second(at).is_some_and(|at| clock::is_within(at - seconds, &span, &deleted, skew));
        let expected = format!("deletionTimestamp {seconds} s after a time {}", clock::text(&span));
        deleted.expect(in_time, expected, at)
    }

    /// Runs the checks, and then removes the Pod, whatever their result.
    pub(crate) async fn end<T>(&self, checks: impl Future<Output = Result<T, Halt>>) -> Checked {
        let result = checks.await;
        let removed = self.delete_within(0).await;
        result?;
        removed.map(drop)
    }
}

/// A Pod that never runs, on a missing node.
pub(crate) fn on_a_node() -> Value {
    let mut pod = pods::idle(NAME);
    pod["spec"]["nodeName"] = pods::NODE.into();
    pod
}

async fn deletion_graceful_pod_timestamp_in_future(pod: BoundPod) -> Checked {
    let deletion = Request::delete(pod.path()).query("gracePeriodSeconds", 30);
    pod.end(pod.expect_period(deletion, 30, clock::SKEW)).await
}

/// A grace period in seconds. No scenario takes half of it: the server would shorten a period whose end has passed to 1.
const LONG: i64 = 3600;

async fn deletion_grace_period_only_shortened(pod: BoundPod) -> Checked {
    pod.end(async {
        let first = pod.expect_grace(&*pod.delete_within(LONG).await?, LONG).await?;
        let longer = pod.delete_within(LONG * 2).await?;
        let after_longer = pod.expect_grace(&longer, LONG).await?;
        let shorter = pod.delete_within(LONG / 2).await?;
        let after_shorter = pod.expect_grace(&shorter, LONG / 2).await?;

        let [first, unchanged, earlier] =
            [&first, &after_longer, &after_shorter].map(|pod| pod.metadata("deletionTimestamp"));
        longer.expect(unchanged == first, format!("deletionTimestamp {first} as before"), unchanged)?;
        let is_earlier = second(earlier).zip(second(first)).is_some_and(|(earlier, first)| earlier < first);
        shorter.expect(is_earlier, format!("a deletionTimestamp before {first}"), earlier)
    })
    .await
}

async fn deletion_grace_zero_removes_pod(cx: Context) -> Checked {
    for in_the_body in [false, true] {
        let pod = BoundPod::create(&cx).await?;
        let path = pod.path();
        let zero = if in_the_body {
            with_options(path, &json!({ "gracePeriodSeconds": 0 }))
        } else {
            Request::delete(path).query("gracePeriodSeconds", 0)
        };

        pod.end(async {
            let deleted = cx.send(zero).await?;

            deleted.expect_status(ACCEPTED)?;
            expect_gone(&*pod.get().await?)
        })
        .await?;
    }
    Ok(())
}

async fn deletion_negative_grace_treated_as_one(pod: BoundPod) -> Checked {
    pod.end(async { pod.expect_grace(&*pod.delete_within(-5).await?, 1).await }).await
}
