//! A server that responds to nothing for a while: what does not arrive in this time is not missing.

use std::sync::atomic::Ordering;
use std::time::Duration;

use model::Request;

use super::Context;

/// A server that responds to a small request only later is busy with something else.
const PROMPT: Duration = Duration::from_secs(2);

impl Context {
    /// Looks whether the server responds at all, after something did not arrive in time.
    pub(crate) async fn note_silence(&self) {
        let (version, agent) = (self.addressed(Request::get("/version")), self.agent());
        let response = target::timeout(PROMPT, self.inner.client.send(&version, &agent)).await;
        if !matches!(response, Some(Ok(_))) {
            self.inner.was_unresponsive.store(true, Ordering::Relaxed);
        }
    }

    /// What the server did while the scenario waited for something; `None` if it responded to other requests.
    pub(crate) fn unresponsiveness(&self) -> Option<String> {
        self.inner.was_unresponsive.load(Ordering::Relaxed).then(|| {
            let waited = PROMPT.as_secs();
            format!("the server did not respond to GET /version within {waited} s either")
        })
    }
}
