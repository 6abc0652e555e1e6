//! Requests that a scenario can do without.

use std::sync::Arc;

use super::Context;
use model::{Exchange, Halt, Request};

impl Context {
    /// Sends a request that a scenario can do without: `None` if the server does not offer it (404, 405 or 415), and,
    /// with a note, if the request fails otherwise. Other clauses test whether it must succeed.
    pub async fn send_if_offered(&self, request: Request) -> Result<Option<Arc<Exchange>>, Halt> {
        let request_line = format!("{} {}", request.method, request.path_and_query());
        let why = match self.send(request).await {
            Ok(response) if response.succeeded() => return Ok(Some(response)),
            Ok(response) if [404, 405, 415].contains(&response.status()) => return Ok(None),
            Ok(response) => response.brief(),
            Err(Halt::Skipped(why)) => why,
            Err(other) => return Err(other),
        };
        self.note(format!("not tested with {request_line}: {why}"));
        Ok(None)
    }
}
