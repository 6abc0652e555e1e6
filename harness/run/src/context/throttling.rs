//! Throttling: waiting out the 429 responses of a server, for a bounded time.

use model::{ApiPath, Exchange, Halt, is_initializing, retry_after, throttled};

use super::Context;

/// The number of 429 responses in a row that end in a test error.
const TOO_MANY_REQUESTS_AT_MOST: usize = 20;

/// The number of responses in a row after which a scenario has waited in vain for the storage of a type.
const IN_VAIN: usize = 3;

const HINT: &str = "give the server less to do with --parallel, or try again later";

const UNINITIALIZED_HINT: &str =
    "can the server read all objects of the type? its log names what it cannot decrypt or convert";

impl Context {
    /// Waits for the time of Retry-After. `Err` is a test error after too many `attempts`, or if the time is longer than the
    /// scenario may still take.
    pub(super) async fn wait_out(&self, response: &Exchange, attempts: usize) -> Result<(), Halt> {
        let session = self.session();
        let slowdown = &session.settings.slowdown;
        let uninitialized = uninitialized_type(response);
        let is_known = uninitialized.as_ref().is_some_and(|ty| slowdown.is_uninitialized(ty));
        let wait = match retry_after(response, self.time_left()) {
            Some(Ok(_)) if is_known || attempts >= TOO_MANY_REQUESTS_AT_MOST => {
                Err(throttled(response, attempts))
            }
            Some(wait) => wait,
            None => return Ok(()),
        };
        let cause = match wait {
            Ok(wait) => {
                slowdown.wait_out(wait).await;
                return Ok(());
            }
            Err(cause) => cause,
        };
        let hint = if let Some(ty) = uninitialized {
            if attempts >= IN_VAIN {
                slowdown.note_uninitialized(ty);
            }
            UNINITIALIZED_HINT
        } else {
            if slowdown.give_up() {
                session.stop_because(cause.clone());
            }
            HINT
        };
        let action = format!("{} {}", response.request.method, response.request.path);
        Err(self.test_error(action, cause).hint(hint).into())
    }
}

/// The type whose storage the server has not initialized, as the response says. The server does not throttle others.
fn uninitialized_type(response: &Exchange) -> Option<String> {
    let ty = ApiPath::read(&response.request.path)?.group_resource();
    is_initializing(response).then_some(ty)
}
