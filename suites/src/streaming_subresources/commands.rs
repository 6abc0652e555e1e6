//! The output of a command, over `WebSocket` and SPDY.

use super::message::Encoding;
use super::running_pod::RunningPod;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![row!(streaming_subresources_spdy_channels).own_kinds()];
    own.into_iter().chain(table(CHANNELS, Kinds::Own, channels)).collect()
}

/// Subprotocols, and their encoding.
type Subprotocols = (&'static [&'static str], Encoding);

const CHANNELS: &[(&str, Subprotocols)] = &[
    (
        "streaming-subresources-websocket-channels",
        (&["v4.channel.k8s.io", "channel.k8s.io"], Encoding::Binary),
    ),
    (
        "streaming-subresources-websocket-base64-channels",
        (&["v4.base64.channel.k8s.io", "base64.channel.k8s.io"], Encoding::Base64),
    ),
];

/// The channel of the output.
const STDOUT: u8 = 1;

const OUTPUT: &[u8] = b"hi\n";

async fn channels(cx: Context, (protocols, encoding): Subprotocols) -> Checked {
    let pod = RunningPod::arrange(&cx).await?;
    let mut socket = pod.open(pod.echo(Method::GET), protocols).await?;
    let mut output = Vec::new();
    while output.len() < OUTPUT.len() {
        let expected = r#"the output "hi\n" on channel 1"#;
        let Some(message) = socket.next(expected).await? else {
            return Err(
                socket.fail(expected, format!("{:?}, and the end", output.escape_ascii().to_string()))
            );
        };
        let Some((channel, data)) = encoding.channel_and_data(&message) else {
            return Err(socket.fail(format!("a channel, then data: {encoding:?}"), format!("{message:?}")));
        };
        output.extend(data.iter().filter(|_| channel == STDOUT));
    }
    let actual = format!("{:?}", output.escape_ascii().to_string());
    if output == OUTPUT { Ok(()) } else { Err(socket.fail(r#"the output "hi\n""#, actual)) }
}

async fn streaming_subresources_spdy_channels(pod: RunningPod) -> Checked {
    let request = pod.echo(Method::POST).header("upgrade", "SPDY/3.1");

    let head = pod.cx().upgrade(request.header("x-stream-protocol-version", "v4.channel.k8s.io")).await?;

    pod.check_connection(&head)?;
    head.expect_status(&[101])?;
    let upgrade = head.header("upgrade").unwrap_or("none");
    head.expect(upgrade.eq_ignore_ascii_case("SPDY/3.1"), "Upgrade: SPDY/3.1", upgrade)?;
    let version = head.header("x-stream-protocol-version").unwrap_or("none");
    let expected = "X-Stream-Protocol-Version: v4.channel.k8s.io";
    head.expect(version == "v4.channel.k8s.io", expected, version)
}
