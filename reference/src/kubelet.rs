//! The kubelet of the only Node: Pods on it run at once, `echo` is the only command, and a line is added to each log all the
//! time.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};

use crate::api::{ApiResult, Call};
use crate::cluster::Cluster;
use crate::failure::Failure;
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::route::ResourcePath;
use crate::websocket::{self, Form, Piece, Protocols};

/// The subresources that connect to a Pod.
const CONNECTING: [&str; 3] = ["attach", "exec", "portforward"];

const PROXY: &str = "proxy";

/// The subprotocols of a log.
const LOG: Protocols =
    &[("", Form::Binary), ("binary.k8s.io", Form::Binary), ("base64.binary.k8s.io", Form::Base64)];

/// The subprotocols of commands.
const COMMANDS: Protocols = &[
    ("", Form::Binary),
    ("channel.k8s.io", Form::Binary),
    ("v4.channel.k8s.io", Form::Binary),
    ("v5.channel.k8s.io", Form::Binary),
    ("base64.channel.k8s.io", Form::Base64),
    ("v4.base64.channel.k8s.io", Form::Base64),
];

/// The same over SPDY, preferred first.
const SPDY: &[&str] = &["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];

/// The channels of a command.
const STDOUT: Option<u8> = Some(1);
const ERROR: Option<u8> = Some(3);

/// The interval between the lines of a log.
const LINE_INTERVAL: Duration = Duration::from_millis(100);

/// The Node of a new cluster.
pub(crate) fn node() -> Value {
    json!({
        "kind": "Node", "apiVersion": "v1", "metadata": { "name": "node-1" },
        "status": {
            "addresses": [{ "type": "InternalIP", "address": "127.0.0.1" }],
            "conditions": [{
                "type": "Ready", "status": "True", "reason": "KubeletReady",
                "lastHeartbeatTime": metadata::now(), "lastTransitionTime": metadata::now(),
            }],
        },
    })
}

/// Starts a new Pod, if it is on the Node.
pub(crate) fn start(cluster: &Cluster, pod: &mut Value) {
    if is_running(cluster, pod) {
        pod["status"]["phase"] = "Running".into();
    }
}

/// Whether a Pod is on a Node that exists.
fn is_running(cluster: &Cluster, pod: &Value) -> bool {
    let node = pod["spec"]["nodeName"].as_str().unwrap_or_default();
    cluster.store.current("nodes", node).is_some()
}

/// Whether a subresource connects to a Pod, a service or a Node.
pub(crate) fn connects(subresource: &str) -> bool {
    subresource == PROXY || is_upgraded(subresource)
}

/// Whether a subresource supports GET and POST alone, and needs an upgrade.
pub(crate) fn is_upgraded(subresource: &str) -> bool {
    CONNECTING.contains(&subresource)
}

/// Handles a request to a subresource that connects.
pub(crate) fn connect(call: &Call, path: &ResourcePath, ty: &ResourceType) -> ApiResult {
    if call.query.has("dryRun") {
        return Err(Failure::bad_request("dryRun is not supported"));
    }
    let key = ty.key(&path.namespace, &path.name);
    let object = call.cluster.store.current(&ty.collection(), &key);
    let object = object.ok_or_else(|| Failure::not_found(ty, &path.name))?;
    if path.subresource == PROXY {
        return Err(Failure::bad_request("address not allowed"));
    }
    let Some(node) = object["spec"]["nodeName"].as_str() else {
        let detail = format!("pod {} does not have a host assigned", text(&object, "name"));
        return Err(Failure::bad_request(detail));
    };
    if !is_running(&call.cluster, &object) {
        return Err(Failure::not_found(ty, node));
    }
    if websocket::asks_for(call, "SPDY/3.1") {
        return Ok(websocket::spdy(call, SPDY));
    }
    if websocket::asks_for(call, "websocket") {
        return Ok(websocket::stream(call, COMMANDS, |protocol| command(call, protocol)));
    }
    Err(Failure::bad_request("Upgrade request required"))
}

/// The output of a command. Newer protocols report its end.
fn command(call: &Call, protocol: &str) -> BoxStream<'static, Piece> {
    let words: Vec<&str> = call.query.all("command").collect();
    let mut pieces = vec![(STDOUT, Bytes::new())];
    if let ["echo", words @ ..] = words.as_slice() {
        pieces.push((STDOUT, Bytes::from(format!("{}\n", words.join(" ")))));
    }
    if protocol.starts_with('v') {
        pieces.push((ERROR, Bytes::from_static(br#"{"metadata":{},"status":"Success"}"#)));
    }
    stream::iter(pieces).boxed()
}

/// The log of a Pod: empty if it is unscheduled.
pub(crate) fn log(call: &Call, ty: &ResourceType, pod: &Value) -> ApiResult {
    let Some(node) = pod["spec"]["nodeName"].as_str() else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        return Ok(response);
    };
    if !is_running(&call.cluster, pod) {
        return Err(Failure::not_found(ty, node));
    }
    let follow = call.query.flag("follow").unwrap_or(false);
    if websocket::asks_for(call, "websocket") {
        let begin = stream::once(async { (None, Bytes::new()) });
        let lines = lines(follow).map(|line| (None, line));
        return Ok(websocket::stream(call, LOG, |_| begin.chain(lines).boxed()));
    }
    let mut response = Response::new(Body::from_stream(lines(follow).map(Ok::<_, Infallible>)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    Ok(response)
}

/// The first line of a log, and later ones for a client that follows.
fn lines(follow: bool) -> BoxStream<'static, Bytes> {
    let lines = stream::unfold(1, async |number: usize| {
        if number > 1 {
            tokio::time::sleep(LINE_INTERVAL).await;
        }
        Some((Bytes::from(format!("line {number}\n")), number + 1))
    });
    lines.take(if follow { usize::MAX } else { 1 }).boxed()
}
