//! Dry runs of subresources.

use harness::{Checked, Context, Request, Row, row};
use serde_json::json;

use super::dry;
use crate::object_fixture::{NAME, Stored};

/// The scenarios of this part.
pub(super) fn rows() -> Vec<Row> {
    vec![row("dryrun-subresource-not-persisted", dryrun_subresource_not_persisted).with_status()]
}

async fn dryrun_subresource_not_persisted(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    let things = &stored.things;

    if let Ok(change) = things.status_change("tried") {
        let tried = cx.send(dry(Request::merge_patch(things.status_path_of(NAME), &change))).await?;

        let shown = tried.written()?.json()["status"].clone();
        let changed = shown != stored.read.json()["status"];
        tried.expect(changed, "the status as it would be stored", shown.to_string())?;
        stored.expect_unchanged().await?;
    }
    if things.has_scale() {
        let scaled = json!({ "spec": { "replicas": 1 } });
        let tried = cx.send(dry(Request::merge_patch(things.scale_path_of(NAME), &scaled))).await?;

        let shown = tried.written()?.json()["spec"]["replicas"].clone();
        tried.expect(shown == 1, "a scale of 1, as it would be stored", shown.to_string())?;
        stored.expect_unchanged().await?;
    }
    Ok(())
}
