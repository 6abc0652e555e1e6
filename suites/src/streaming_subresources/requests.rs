//! Requests that the server rejects before it connects to a kubelet.

use super::nodes::{self, NO_ADDRESS};
use crate::pods::{self, Pods};
use crate::prelude::*;

rows![streaming_subresources_unscheduled_pod.own_kinds(), streaming_subresources_upgrade_needed.own_kinds(),];

/// A GET of a subresource of the Pod; not yet sent.
fn connect(pods: &Collection, subresource: &str) -> Request {
    let request = Request::get(format!("{}/{subresource}", pods.path_of(NAME)));
    match subresource {
        "exec" => request.query("command", "ls").query("stdout", true),
        "attach" => request.query("stdout", true),
        _ => request,
    }
}

async fn streaming_subresources_unscheduled_pod(cx: Context, Pods(pods): Pods) -> Checked {
    pods.create_body(&pods::idle(NAME)).await?;

    let response = cx.send(connect(&pods, "exec")).await?;

    response.expect_error(&[400], &["BadRequest"]).map(drop)
}

async fn streaming_subresources_upgrade_needed(cx: Context) -> Checked {
    let node = nodes::any(&cx).await?;
    let Pods(pods) = Pods::arrange(&cx).await?;
    let mut pod = pods::idle(NAME);
    pod["spec"]["nodeName"] = node.into();
    pod["spec"]["containers"][0]["imagePullPolicy"] = "Never".into();
    pods.create_body(&pod).await?;

    let mut checked = Ok(());
    for subresource in ["exec", "attach", "portforward"] {
        let response = cx.send(connect(&pods, subresource)).await?;
        checked = checked.and(if response.status() == 500 && response.text().contains(NO_ADDRESS) {
            // A controller may take the address from a Node that no machine stands behind.
            Err(cx.lacks("Kubelet", format!("the Node has lost its address: {}", response.brief())))
        } else {
            response.expect_error(&[400], &["BadRequest"]).map(drop)
        });
    }
    // There may be no kubelet to end the Pod.
    let removed = cx.send(Request::delete(pods.path_of(NAME)).query("gracePeriodSeconds", 0)).await;
    checked.and(removed.map(drop))
}
