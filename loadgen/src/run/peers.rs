//! The other workers of a run, as one of them sees them.

use std::time::Instant;

use futures::future::BoxFuture;

use crate::stamp::WriteLog;

/// The other workers of a run.
pub(crate) trait Peers: Send + Sync {
    /// Declares this worker ready, and waits for the common start. The error is the reason why there is none.
    fn start(&self) -> BoxFuture<'_, Result<Instant, String>>;

    /// Publishes the writes of this worker, and waits for those of the others. A lost worker has none.
    fn exchange(&self, own: WriteLog) -> BoxFuture<'_, Vec<(u16, WriteLog)>>;
}
