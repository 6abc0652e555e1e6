//! Faults of the subresources that connect to Pods, and of upgrades.

use serde_json::Value;

use crate::fault::{Edit::*, Fault, RequestFacts, When, When::*, on, store};
use crate::store::StoreFault;

const CORE: When = Path("/api/v1");
const EXEC: When = Subresource("exec");
const LOG: When = Subresource("log");
const SWITCHES: When = StatusIs(101);
const PROTOCOL: &str = "sec-websocket-protocol";

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("streaming-subresources-proxy-portforward-exist", "pods/portforward is missing from discovery", &[CORE], &[EditJson(|found| remove(found, "pods/portforward"))]),
    on("streaming-subresources-exec-attach-log-portforward", "pods/exec is missing from discovery", &[CORE], &[EditJson(|found| remove(found, "pods/exec"))]),
    on("streaming-subresources-get-and-post", "the server returns 405 for a POST to exec", &[Method("POST"), EXEC], &[Reject(405, "MethodNotAllowed", "no POST here")]),
    on("streaming-subresources-unscheduled-pod", "exec of an unscheduled Pod returns 500", &[EXEC, StatusIs(400)], &[Fail(500, "InternalError", "no host")]),
    on("streaming-subresources-upgrade-needed", "the server runs a command without an upgrade, and returns its output", &[EXEC, NoHeader("upgrade")], &[Respond(200, "text/plain", "hi\n")]),
    on("streaming-subresources-connect-no-dry-run", "the server runs the command of a dry run", &[EXEC, Has("dryRun")], &[DropParameter("dryRun")]),
    // Over SPDY and WebSocket. The log has no channels.
    on("streaming-subresources-spdy-channels", "the handshake of SPDY names no protocol", &[EXEC, SWITCHES], &[WithoutHeader("x-stream-protocol-version")]),
    on("streaming-subresources-websocket-channels", "the output has no channels", &[EXEC, HeaderHas(PROTOCOL, "v4.channel"), SWITCHES],
        &[ReplaceInPath("/exec", "/log"), SetRequestHeader(PROTOCOL, "binary.k8s.io"), Header(PROTOCOL, "v4.channel.k8s.io")]),
    on("streaming-subresources-websocket-base64-channels", "the server sends binary data in the base64 subprotocol", &[EXEC, HeaderHas(PROTOCOL, "base64"), SWITCHES],
        &[SetRequestHeader(PROTOCOL, "channel.k8s.io"), Header(PROTOCOL, "base64.channel.k8s.io")]),
    on("streaming-subresources-websocket-protocol-negotiated", "the server picks a subprotocol that the client did not offer", &[HeaderHas(PROTOCOL, "nosuch"), SWITCHES], &[Header(PROTOCOL, "v9.k8s.io")]),
    on("streaming-subresources-log-websocket", "a log ignores the request for an upgrade", &[LOG], &[DropRequestHeader("upgrade")]),
    on("streaming-subresources-log-websocket-base64", "a log is binary in the base64 subprotocol", &[LOG, HeaderHas(PROTOCOL, "base64"), SWITCHES],
        &[SetRequestHeader(PROTOCOL, "binary.k8s.io"), Header(PROTOCOL, "base64.binary.k8s.io")]),
    on("streaming-subresources-log-chunked", "a log is a string in JSON", &[LOG, Lacks("follow"), StatusIs(200)], &[EditText(as_json), Header("content-type", "application/json")]),
    store("streaming-subresources-watch-websocket", "a message of a watch holds half of an event", StoreFault::SplitsFrames),
];

fn remove(found: &mut Value, name: &str) {
    if let Some(resources) = found["resources"].as_array_mut() {
        resources.retain(|resource| resource["name"] != name);
    }
}

fn as_json(_: &RequestFacts, log: &str) -> String {
    Value::from(log).to_string()
}
