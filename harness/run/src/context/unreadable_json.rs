//! JSON that no value holds: it tells nothing about a clause.

use model::{Exchange, Halt, Request, TestError, UnreadableJson};

use super::Context;

impl Context {
    /// Ends a scenario whose response is such JSON. It is evidence, and no check can judge it.
    pub(super) fn expect_readable(&self, exchange: &Exchange) -> Result<(), Halt> {
        let Some(unreadable) = exchange.unreadable_json() else { return Ok(()) };
        self.remember(exchange, false);
        Err(unreadable_json(&exchange.request, &unreadable).into())
    }
}

/// The test error for such JSON in the response to this request. The place in the text would tell equal causes apart.
pub(crate) fn unreadable_json(request: &Request, unreadable: &UnreadableJson) -> TestError {
    let cause = format!("the response has JSON that kube-assay cannot hold: {}", unreadable.cause);
    TestError::new(format!("read the response to {} {}", request.method, request.path), cause)
        .hint("does the server, or an admission webhook, add such a field to every object?")
}
