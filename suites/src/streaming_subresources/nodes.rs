//! Nodes that Pods can name.

use crate::prelude::*;

const NODES: &str = "/api/v1/nodes";

/// The first Nodes. Skips where the server lists none.
async fn list(cx: &Context) -> Result<Vec<Value>, Halt> {
    let listed = cx.send(Request::get(NODES).query("limit", 100)).await?;
    match listed.json().and_then(|json| json["items"].as_array()) {
        Some(nodes) if listed.succeeded() => Ok(nodes.clone()),
        _ => Err(cx.lacks("Kubelet", format!("the list of Nodes gets {}", listed.brief()))),
    }
}

fn name(node: &Value) -> Option<String> {
    node["metadata"]["name"].as_str().map(str::to_owned)
}

/// A Node that a kubelet keeps Ready for Linux containers. Skips without one.
pub(super) async fn ready(cx: &Context) -> Result<String, Halt> {
    let is_ready = |node: &&Value| {
        let conditions = node["status"]["conditions"].as_array().into_iter().flatten();
        let mut ready = conditions.filter(|one| one["type"] == "Ready" && one["status"] == "True");
        let system = node["metadata"]["labels"]["kubernetes.io/os"].as_str();
        ready.next().is_some() && system.is_none_or(|system| system == "linux")
    };
    let found = list(cx).await?.iter().find(is_ready).and_then(name);
    found.ok_or_else(|| cx.lacks("Kubelet", "no Linux Node is Ready"))
}

/// What kube-apiserver says of a Node without an address that it may use.
pub(super) const NO_ADDRESS: &str = "no preferred addresses found";

/// An address for documentation, RFC 5737: nothing listens there.
const ADDRESS: &str = "192.0.2.1";

/// Any Node with an address. A server without Nodes and without controllers, which would act on a new one, gets one of the
/// run.
pub(super) async fn any(cx: &Context) -> Result<String, Halt> {
    let nodes = list(cx).await?;
    let has_address = |node: &&Value| node["status"]["addresses"][0].is_object();
    if let Some(node) = nodes.iter().find(has_address).and_then(name) {
        return Ok(node);
    }
    if !nodes.is_empty() {
        return Err(cx.lacks("Kubelet", "no Node has an address"));
    }
    if cx.has_controllers().await {
        return Err(cx.lacks("Kubelet", "there is no Node, and controllers would act on a new one"));
    }
    let node = cx.own_name("node");
    cx.remove_in_the_end(&format!("{NODES}/{node}"));
    let body = json!({
        "apiVersion": "v1", "kind": "Node", "spec": { "unschedulable": true },
        "metadata": { "name": node, "labels": cx.own_labels() },
        "status": { "addresses": [{ "type": "InternalIP", "address": ADDRESS }] },
    });
    let created = cx.send(Request::post(NODES, &body)).await?;
    if created.succeeded() {
        return Ok(node);
    }
    Err(cx.lacks("Kubelet", format!("there is no Node, and a new one gets {}", created.brief())))
}
