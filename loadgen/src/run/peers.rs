//! The other workers of a run, as one of them sees them.

use std::time::Instant;

use futures::future::BoxFuture;

use crate::stamp::WriteLog;

/// The other workers of a run.
pub(crate) trait Peers: Send + Sync {
    /// Declares this worker ready, and waits for the common start. The error is the reason why there is none.
    fn start(&self) -> BoxFuture<'_, Result<Instant, String>>;

    /// Publishes the writes of this worker, and waits for those of the others. The error is the reason why they are not
    /// known: without them no lost write of theirs can be seen.
    fn exchange(&self, own: WriteLog) -> BoxFuture<'_, Result<Vec<(u16, WriteLog)>, String>>;
}
