//! Throttling: waiting out the 429 responses of a server, for a bounded time.

use model::{Exchange, Halt, retry_after, throttled};

use super::Context;

/// The number of 429 responses in a row that end in a test error.
const TOO_MANY_REQUESTS_AT_MOST: usize = 20;

const HINT: &str = "give the server less to do with --parallel, or try again later";

impl Context {
    /// Waits for the time of Retry-After. `Err` is a test error after too many `attempts`, or if the time is longer than the
    /// scenario may still take.
    pub(super) async fn wait_out(&self, response: &Exchange, attempts: usize) -> Result<(), Halt> {
        let wait = match retry_after(response, self.time_left()) {
            Some(Ok(_)) if attempts >= TOO_MANY_REQUESTS_AT_MOST => Err(throttled(response, attempts)),
            Some(wait) => wait,
            None => return Ok(()),
        };
        let session = self.session();
        match wait {
            Ok(wait) => {
                session.settings.slowdown.wait_out(wait).await;
                Ok(())
            }
            Err(cause) => {
                if session.settings.slowdown.give_up() {
                    session.stop_because(cause.clone());
                }
                let action = format!("{} {}", response.request.method, response.request.path);
                Err(self.test_error(action, cause).hint(HINT).into())
            }
        }
    }
}
