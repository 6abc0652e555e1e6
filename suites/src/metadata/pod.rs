//! The `deletionTimestamp` of Pods, which have a grace period.

use super::deletion::timestamp;
use crate::clock::second;
use crate::deletion::pod::BoundPod;
use crate::prelude::*;

rows![metadata_deletiontimestamp_may_be_shortened.own_kinds()];

/// The legal codes for a deletion that takes effect later.
const ACCEPTED: &[u16] = &[200, 202];

async fn metadata_deletiontimestamp_may_be_shortened(pod: BoundPod) -> Checked {
    pod.end(async {
        pod.delete_within(3600).await?.expect_status(ACCEPTED)?;
        let first = pod.get().await?.object()?;
        pod.delete_within(30).await?.expect_status(ACCEPTED)?;

        let got = pod.get().await?;
        if got.status() == 404 {
            return Ok(());
        }
        let (object, before) = (got.object()?, timestamp(&first));
        let earlier = second(timestamp(&object)) < second(before);
        got.expect(earlier, format!("a deletionTimestamp before {before}"), timestamp(&object))
    })
    .await
}
