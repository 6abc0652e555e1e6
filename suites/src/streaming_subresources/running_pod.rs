//! The fixture of a Pod that a kubelet runs.

use harness::WebSocket;

use super::nodes::{self, NO_ADDRESS};
use crate::pods::{self, Pods};
use crate::prelude::*;

/// A small image with a shell.
const IMAGE: &str = "registry.k8s.io/e2e-test-images/busybox:1.36.1-1";

/// Adds a line to the log every second.
const SCRIPT: &str = "n=0; while :; do n=$((n+1)); echo line $n; sleep 1; done";

/// Why a container waits, as long as all is well.
const STARTING: [&str; 2] = ["ContainerCreating", "PodInitializing"];

/// A Pod with the phase Running, whose container adds to its log. Skips without a kubelet that runs it.
pub(super) struct RunningPod {
    cx: Context,
    pods: Collection,
}

impl Fixture for RunningPod {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let node = nodes::ready(cx).await?;
        let Pods(pods) = Pods::arrange(cx).await?;
        let created = cx.send(Request::post(pods.path(), &on(&node))).await?;
        if !created.succeeded() {
            return Err(cx.lacks("Kubelet", format!("a Pod on a Ready Node gets {}", created.brief())));
        }
        let deadline = cx.soon() + cx.time_left() / 2;
        let running = cx.poll(deadline, || async { progress(cx, &*pods.get(NAME).await?) });
        match cx.yield_place_while(running).await? {
            Some(()) => Ok(Self { cx: cx.clone(), pods }),
            None => Err(cx.lacks("Kubelet", "a Pod on a Ready Node does not run in time")),
        }
    }
}

/// A Pod on this Node that keeps the strictest rules for Pods.
fn on(node: &str) -> Value {
    let mut pod = pods::idle(NAME);
    let spec = &mut pod["spec"];
    spec["nodeName"] = node.into();
    spec["terminationGracePeriodSeconds"] = 1.into();
    spec["tolerations"] = json!([{ "operator": "Exists" }]);
    spec["securityContext"]["runAsUser"] = 65534.into();
    let container = &mut spec["containers"][0];
    container["image"] = IMAGE.into();
    container["command"] = json!(["sh", "-c", SCRIPT]);
    container["resources"] = json!({ "limits": { "cpu": "100m", "memory": "32Mi" } });
    pod
}

/// Whether the Pod runs. Skips if it surely never will.
fn progress(cx: &Context, got: &Exchange) -> Result<Option<()>, Halt> {
    let pod = got.object()?;
    let status = &pod.json()["status"];
    let waits_for = status["containerStatuses"][0]["state"]["waiting"]["reason"].as_str().unwrap_or_default();
    match status["phase"].as_str().unwrap_or_default() {
        "Running" => Ok(Some(())),
        "Failed" | "Succeeded" => Err(cx.lacks("Kubelet", format!("the Pod on a Ready Node ends: {status}"))),
        _ if waits_for.is_empty() || STARTING.contains(&waits_for) => Ok(None),
        _ => Err(cx.lacks("Kubelet", format!("the image {IMAGE} does not run: {waits_for}"))),
    }
}

/// Skips where the user lacks the permission for a request.
pub(super) fn check_permission(response: &Exchange) -> Checked {
    let forbidden =
        response.status() == 403 && response.json().is_some_and(|status| status["reason"] == "Forbidden");
    if forbidden { Err(Halt::skip(format!("no permission: {}", response.brief()))) } else { Ok(()) }
}

/// What kube-apiserver says where it cannot connect to a kubelet, by itself or through a proxy.
const NOT_CONNECTED: [&str; 5] = ["dialing backend", "dial tcp", NO_ADDRESS, "No agent available", "tls: "];

/// Whether the server does not connect to the kubelet.
fn lacks_kubelet(response: &Exchange) -> bool {
    response.status() >= 500 && NOT_CONNECTED.iter().any(|words| response.text().contains(words))
}

impl RunningPod {
    /// Skips where the user lacks the permission for a request, or the server does not connect to the kubelet.
    pub(super) fn check_connection(&self, response: &Exchange) -> Checked {
        check_permission(response)?;
        if lacks_kubelet(response) {
            let why =
                format!("the server does not connect to the kubelet of a Ready Node: {}", response.brief());
            return Err(self.cx.lacks("Kubelet", why));
        }
        Ok(())
    }

    /// A request to a subresource; not yet sent.
    pub(super) fn request(&self, method: Method, subresource: &str) -> Request {
        Request::new(method, format!("{}/{subresource}", self.pods.path_of(NAME))).accept("*/*")
    }

    /// The command `echo hi`; not yet sent.
    pub(super) fn echo(&self, method: Method) -> Request {
        let exec = self.request(method, "exec");
        exec.query("command", "echo").query("command", "hi").query("stdout", true)
    }

    /// Opens a `WebSocket`, whose subprotocol must be one of these.
    pub(super) async fn open(&self, request: Request, protocols: &[&str]) -> Result<WebSocket, Halt> {
        let socket = match self.cx.web_socket(request, protocols).await? {
            Ok(socket) => socket,
            Err(refused) => {
                self.check_connection(&refused)?;
                return Err(refused.fail("101 Switching Protocols", refused.brief()));
            }
        };
        let chosen = socket.head().header("sec-websocket-protocol").unwrap_or("none");
        socket.head().expect(
            protocols.contains(&chosen),
            format!("a subprotocol of {protocols:?}"),
            chosen,
        )?;
        Ok(socket)
    }

    /// The response to a plain request for its log, which has at least one line.
    pub(super) async fn log(&self) -> Result<Arc<Exchange>, Halt> {
        let log = self.cx.eventually(|| async {
            let log = self.cx.send(self.request(Method::GET, "log")).await?;
            self.check_connection(&log)?;
            log.expect_status(&[200])?;
            Ok((!log.response.body.is_empty()).then_some(log))
        });
        let late = || self.cx.test_error("read the log of the Pod", "it stays empty").into();
        log.await?.ok_or_else(late)
    }

    /// The context of the scenario.
    pub(super) fn cx(&self) -> &Context {
        &self.cx
    }
}
