//! Logs, as chunks of a response and over `WebSocket`.

use super::message::Encoding;
use super::running_pod::RunningPod;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(streaming_subresources_log_chunked).own_kinds(),
        row!(streaming_subresources_websocket_protocol_negotiated).own_kinds(),
    ];
    own.into_iter().chain(table(OVER_WEBSOCKET, Kinds::Own, over_websocket)).collect()
}

const OVER_WEBSOCKET: &[(&str, (&str, Encoding))] = &[
    ("streaming-subresources-log-websocket", ("binary.k8s.io", Encoding::Binary)),
    ("streaming-subresources-log-websocket-base64", ("base64.binary.k8s.io", Encoding::Base64)),
];

async fn over_websocket(cx: Context, (protocol, encoding): (&'static str, Encoding)) -> Checked {
    let pod = RunningPod::arrange(&cx).await?;
    let log = pod.log().await?;
    let mut socket = pod.open(pod.request(Method::GET, "log"), &[protocol]).await?;
    let mut received = Vec::new();
    while received.len() < log.response.body.len() {
        let Some(message) = socket.next("the log").await? else { break };
        let Some(data) = encoding.data(&message) else {
            return Err(socket.fail(format!("a message in {encoding:?}"), format!("{message:?}")));
        };
        received.extend(data);
    }
    // The log may have grown.
    if received.starts_with(&log.response.body) {
        return Ok(());
    }
    Err(socket.fail(format!("the log: {:?}", log.text()), received.escape_ascii().to_string()))
}

async fn streaming_subresources_log_chunked(pod: RunningPod) -> Checked {
    let log = pod.log().await?;

    let media = log.header("content-type").unwrap_or("none");
    log.expect(media.starts_with("text/plain"), "Content-Type: text/plain", media)?;
    let known = log.text();
    let whole = known.lines().all(|line| line.starts_with("line "));
    log.expect(whole, "the lines of the container", known.as_str())?;
    let follow = pod.request(Method::GET, "log").query("follow", true);
    let mut stream = match pod.cx().open(follow).await? {
        Opening::Watch(stream) => stream,
        Opening::Rejected(refused) => return Err(refused.fail("a stream, HTTP 200", refused.brief())),
    };
    for expected in known.lines().map(Some).chain([None]) {
        let line = stream.line().await?.map(|line| String::from_utf8_lossy(&line).trim_end().to_owned());
        if line.is_none() || expected.is_some_and(|expected| line.as_deref() != Some(expected)) {
            return Err(stream.fail(expected.unwrap_or("a new line"), format!("{line:?}")));
        }
    }
    Ok(())
}

async fn streaming_subresources_websocket_protocol_negotiated(pod: RunningPod) -> Checked {
    let log = || pod.request(Method::GET, "log");
    let unknown = pod.cx().web_socket(log(), &["nosuch.k8s.io"]).await?;
    if let Ok(socket) = unknown {
        return Err(socket.head().fail("no 101: the subprotocol is unknown", socket.head().brief()));
    }

    let socket = pod.open(log(), &["nosuch.k8s.io", "binary.k8s.io"]).await?;

    let chosen = socket.head().header("sec-websocket-protocol").unwrap_or("none");
    socket.head().expect(chosen == "binary.k8s.io", "Sec-WebSocket-Protocol: binary.k8s.io", chosen)
}
