//! The objects of the run alone: far more of them than the run has written are the server's mistake.

use model::{Exchange, Halt, Request};

use super::Context;

/// More objects, or events, than controllers and the server itself add to those of a run.
const MOST_OF_CONTROLLERS: usize = 10_000;

impl Context {
    /// Whether a request is about objects of the run alone: they are in a namespace or an API group of its own.
    pub(crate) fn is_of_run(&self, request: &Request) -> bool {
        request.path.contains(&self.session().id)
    }

    /// The most objects, or events, in a response about objects of the run alone; `None` for any other request.
    pub(crate) fn most_own(&self, request: &Request) -> Option<usize> {
        self.is_of_run(request).then(|| MOST_OF_CONTROLLERS + self.session().writes_sent())
    }

    /// The failure for more objects, or events, than these.
    pub(crate) fn flood(&self, of: &str, exchange: usize) -> Halt {
        let writes = self.session().writes_sent();
        let expected = format!("no {of} except those of this run, which has sent {writes} writes so far");
        let actual =
            format!("more than {MOST_OF_CONTROLLERS} {of} beyond these writes; kube-assay stopped reading");
        self.failed(expected, actual, Some(exchange))
    }

    /// The failure for a list of too many objects. It is evidence, and no check can judge its beginning.
    pub(super) fn list_flood(&self, exchange: &Exchange) -> Halt {
        self.remember(exchange, false);
        self.flood("objects", exchange.index)
    }
}
