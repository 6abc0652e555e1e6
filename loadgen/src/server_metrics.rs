//! The server's own metrics, read before and after the measured phase.
//!
//! The reads use connections of their own. The first one takes place in the warm-up, the second one after the last start
//! of a request: no measured request waits for either.

mod delta;

use std::time::{Duration, Instant};

use harness::load::LoadRun;
use harness::{Client, Request};
use tokio::task::JoinHandle;

/// Timeout for one read.
const WITHIN: Duration = Duration::from_secs(5);

/// One read of `/metrics`, under way or done.
pub(crate) struct MetricsRead(JoinHandle<Exported>);

/// What the server exported, or why nothing came, and when.
struct Exported {
    at: Instant,
    text: Result<String, String>,
}

impl MetricsRead {
    /// Starts to read after a delay.
    pub(crate) fn start(client: &Client, after: Duration) -> Self {
        let client = client.with_own_memory();
        Self(tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let text = tokio::time::timeout(WITHIN, read(&client)).await;
            let late = || Err(format!("/metrics had no complete response within {} s", WITHIN.as_secs()));
            Exported { at: Instant::now(), text: text.unwrap_or_else(|_| late()) }
        }))
    }

    async fn end(self) -> Exported {
        let at = Instant::now();
        self.0.await.unwrap_or_else(|why| Exported { at, text: Err(why.to_string()) })
    }
}

async fn read(client: &Client) -> Result<String, String> {
    let request = Request::get("/metrics").accept("text/plain");
    let (response, _) = client
        .send(&request, "kube-assay metrics")
        .await
        .map_err(|test_error| format!("/metrics had no response: {}", test_error.cause))?;
    match response.status {
        200 => Ok(String::from_utf8_lossy(&response.body).into_owned()),
        status => Err(format!("the server returned {status} for /metrics")),
    }
}

/// Adds the change between two reads to the run, or the reason why there is none.
pub(crate) async fn settle(load: &mut LoadRun, resource: &str, reads: Option<[MetricsRead; 2]>) {
    let changed = match reads {
        None => Err("the run ended before the second read of /metrics".to_owned()),
        Some([before, after]) => {
            let (before, after) = (before.end().await, after.end().await);
            let window = after.at.saturating_duration_since(before.at);
            let texts = before.text.and_then(|before| Ok((before, after.text?)));
            texts.and_then(|(before, after)| delta::delta(&before, &after, window, resource))
        }
    };
    match changed {
        Ok(changed) => load.server_metrics = Some(changed),
        Err(why) => load.no_server_metrics = Some(why),
    }
}
