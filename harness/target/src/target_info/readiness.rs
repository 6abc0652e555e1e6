//! A server that starts: it serves requests before it has all of its APIs.

use std::time::Duration;

use model::Request;

use super::patiently;
use crate::branch::timeout;
use crate::client::Client;

/// The longest wait for a server that is not ready. The end of the run looks whether it has other APIs by then.
const LONGEST: Duration = Duration::from_secs(20);

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(250);

impl Client {
    /// Waits while a check of `/readyz` fails: kube-apiserver adds its groups to discovery one by one until then.
    pub(super) async fn wait_until_ready(&self) {
        let ready = async {
            while self.fails_a_check().await {
                tokio::time::sleep(PAUSE).await;
            }
        };
        timeout(LONGEST, ready).await;
    }

    async fn fails_a_check(&self) -> bool {
        let ready = patiently(self, Request::get("/readyz")).await;
        ready.is_ok_and(|ready| ready.status() == 500 && ready.text().contains("[-]"))
    }
}
