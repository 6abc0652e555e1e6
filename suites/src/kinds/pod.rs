//! The kinds of Pod subresources.

use crate::pods;
use crate::prelude::*;

rows![kinds_binding_subresource_sets_node.own_kinds(), kinds_status_resource_accepts_parent_kind.own_kinds()];

/// A Pod without a scheduler. Skips where the server lacks Pods.
async fn pod(cx: &Context) -> Result<(Collection, Object), Halt> {
    let pods = pods::collection(cx).await?;
    let created = pods::create(cx, &pods, &pods::idle(NAME)).await?;
    Ok((pods, created))
}

async fn kinds_binding_subresource_sets_node(cx: Context) -> Checked {
    let (pods, _) = pod(&cx).await?;
    let bind = pods::binding(&pods, NAME);

    let checks = async {
        let bound = cx.send(bind.clone()).await?;
        let got = pods.get(NAME).await?;
        let again = cx.send(bind).await?;

        bound.expect_status(&[201])?;
        let success =
            bound.json().is_some_and(|json| json["kind"] == "Status" && json["status"] == "Success");
        bound.expect(success, "a Status with status Success", bound.brief())?;
        got.expect_value("/spec/nodeName", &json!(pods::NODE))?;
        again.expect_error(&[409], &["Conflict"]).map(drop)
    };
    let checked = checks.await;
    // No kubelet ends the Pod.
    let removed = cx.send(Request::delete(pods.path_of(NAME)).query("gracePeriodSeconds", 0)).await;
    checked.and(removed.map(drop))
}

async fn kinds_status_resource_accepts_parent_kind(cx: Context) -> Checked {
    let (pods, _) = pod(&cx).await?;
    let phase =
        async |phase: &str| pods.get(NAME).await?.written()?.with(&json!({ "status": { "phase": phase } }));

    let through_status = cx.send(Request::put(pods.status_path_of(NAME), &phase("Running").await?)).await?;
    let stored = pods.get(NAME).await?;
    let through_main = cx.send(Request::put(pods.path_of(NAME), &phase("Failed").await?)).await?;

    through_status.expect_status(&[200])?;
    through_main.expect_status(&[200])?;
    for response in [through_status, stored, through_main, pods.get(NAME).await?] {
        response.expect_value("/status/phase", &json!("Running"))?;
    }
    Ok(())
}
