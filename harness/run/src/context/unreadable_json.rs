//! JSON that no value holds: it tells nothing about a clause.

use model::{Exchange, Halt, Request, TestError};

use super::Context;

impl Context {
    /// The test error for a response in such JSON. It is evidence, and no check can judge it.
    pub(super) fn unreadable_json(&self, exchange: &Exchange) -> Halt {
        self.remember(exchange, false);
        unreadable_json(&exchange.request).into()
    }
}

/// The test error for such JSON in the response to this request.
pub(crate) fn unreadable_json(request: &Request) -> TestError {
    let cause = "the response has JSON that kube-assay cannot hold: nested more than 128 levels deep, or with a number \
                 beyond those of 64-bit floats";
    TestError::new(format!("read the response to {} {}", request.method, request.path), cause)
        .hint("does the server, or an admission webhook, add such a field to every object?")
}
