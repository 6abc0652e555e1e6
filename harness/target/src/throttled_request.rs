//! Requests of the run itself: sent again while the server is too busy for them.

use std::time::Duration;

use model::{Exchange, Request, TestError, retry_after, throttled};

use crate::client::Client;

/// A longer Retry-After is not waited out; kube-apiserver asks for 32 s at most.
const LONGEST_RETRY_AFTER: Duration = Duration::from_mins(1);

/// The number of retries after a 429.
const TOO_MANY_REQUESTS_AT_MOST: usize = 5;

impl Client {
    /// Sends a request, and again if the server throttles it. Returns the last response; if that one is throttled as well, with
    /// the reason to give up.
    pub async fn send_patiently(
        &self,
        request: Request,
        agent: &str,
    ) -> Result<(Exchange, Option<String>), TestError> {
        self.send_patiently_with(request, agent, tokio::time::sleep).await
    }

    /// The same with a wait of the caller, which may show it.
    pub async fn send_patiently_with<W: Future<Output = ()>>(
        &self,
        request: Request,
        agent: &str,
        wait_out: impl Fn(Duration) -> W,
    ) -> Result<(Exchange, Option<String>), TestError> {
        let mut attempts = 0;
        loop {
            let (response, timing) = self.send(&request, agent).await?;
            let exchange = Exchange::new(0, request.clone(), response, timing);
            attempts += 1;
            let cause = match retry_after(&exchange, LONGEST_RETRY_AFTER) {
                None => None,
                Some(Err(cause)) => Some(cause),
                Some(Ok(_)) if attempts > TOO_MANY_REQUESTS_AT_MOST => Some(throttled(&exchange, attempts)),
                Some(Ok(wait)) => {
                    wait_out(wait).await;
                    continue;
                }
            };
            return Ok((exchange, cause));
        }
    }
}
