//! A replica that stops for a while.

use super::servers::Servers;
use crate::prelude::*;

rows![replicas_restart_without_loss.namespaced().alone()];

/// A server without a response for this long has stopped, unless its responses are slow.
const LONG: Duration = Duration::from_secs(2);

async fn replicas_restart_without_loss(servers: Servers) -> Checked {
    let cx = servers.cx();
    servers.first().create("a").await?;
    let read = servers.last().get("a").await?;
    read.expect_status(&[200])?;
    cx.run_hook("stop-replica").await?;
    expect_stopped(&servers, LONG.max(10 * read.timing.whole)).await?;
    let written = servers.first().write("a", "while-it-was-stopped").await?;
    cx.run_hook("start-replica").await?;

    let got = cx.eventually(|| async {
        match servers.last().get("a").await {
            Ok(got) if got.succeeded() => Ok(Some(got)),
            // It is not up again, or not ready yet.
            Ok(_) | Err(Halt::Errored(_)) => Ok(None),
            Err(other) => Err(other),
        }
    });
    let why = "it does not respond in time after the hook start-replica";
    let got = got.await?.ok_or_else(|| cx.late("read through the last replica", why))?;
    super::reads::expect_value(&got, &got.object()?, written.value())
}

/// The last replica does not respond within a time. One that was not stopped shows nothing.
async fn expect_stopped(servers: &Servers, within: Duration) -> Checked {
    let cx = servers.cx();
    let last = servers.last();
    let is_stopped = || async {
        match last.context().send(Request::get(last.path_of("a")).within(within)).await {
            Ok(got) => Ok((!got.succeeded()).then_some(())),
            Err(Halt::Errored(_)) => Ok(Some(())),
            Err(other) => Err(other),
        }
    };
    let still = cx
        .test_error("stop the last replica", "it still responds after the hook stop-replica")
        .hint("does the command of this hook stop the last replica?");
    cx.eventually(is_stopped).await?.ok_or_else(|| still.into())
}
