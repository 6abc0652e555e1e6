//! A replica whose watch cache lags: right, but late.
//!
//! Reads without `resourceVersion` are current, as those of any server. Reads of any version (`resourceVersion=0`) show an
//! earlier state, reads from a version on wait for it, and watches deliver each event late.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use crate::cluster::Cluster;
use crate::list::{VERSION_TIMEOUT, unavailable};
use crate::query::Query;
use crate::store::Unavailable;

/// The time between two looks at the store.
const STEP: Duration = Duration::from_millis(5);

/// The maximum number of pieces of a watch that wait for their time, or for their client.
const MOST_WAITING: usize = 1_000;

/// The revision of the cache of a lagging replica, which answers reads of any version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CachedRevision(pub(crate) u64);

/// A watch cache that lags behind the store.
pub(crate) struct LaggingReplica {
    cluster: Arc<Cluster>,
    lag: Duration,
    /// The revisions of the store with their times; the first one is that of the cache.
    revisions: Mutex<VecDeque<(Instant, u64)>>,
}

impl LaggingReplica {
    /// A cache that follows the store until the cluster stops.
    pub(crate) fn start(cluster: &Arc<Cluster>, lag: Duration) -> Arc<Self> {
        let first = (Instant::now(), cluster.store.revision());
        let replica = Arc::new(Self { cluster: cluster.clone(), lag, revisions: Mutex::new([first].into()) });
        let (following, cluster) = (replica.clone(), cluster.clone());
        tokio::spawn(async move {
            let follow = async {
                loop {
                    following.look();
                    sleep(STEP).await;
                }
            };
            tokio::select! {
                () = follow => {}
                () = cluster.closed() => {}
            }
        });
        replica
    }

    fn look(&self) {
        let (now, revision) = (Instant::now(), self.cluster.store.revision());
        let mut revisions = self.revisions.lock().unwrap_or_else(PoisonError::into_inner);
        revisions.push_back((now, revision));
        while revisions.get(1).is_some_and(|(then, _)| *then + self.lag <= now) {
            revisions.pop_front();
        }
    }

    fn revision(&self) -> u64 {
        let revisions = self.revisions.lock().unwrap_or_else(PoisonError::into_inner);
        revisions.front().map_or(0, |(_, revision)| *revision)
    }

    /// Waits for a version as long as kube-apiserver does.
    async fn reach(&self, version: u64) -> Result<(), Unavailable> {
        let deadline = Instant::now() + VERSION_TIMEOUT;
        while self.revision() < version {
            if Instant::now() >= deadline {
                return Err(Unavailable::Future(version, self.revision()));
            }
            sleep(STEP).await;
        }
        Ok(())
    }
}

/// Serves a request from a cache that lags.
pub(crate) async fn lag(
    State(replica): State<Arc<LaggingReplica>>,
    mut request: Request,
    next: Next,
) -> Response {
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let watches = query.flag("watch").unwrap_or(false);
    if let Ok(version @ 1..) = query.first("resourceVersion").parse()
        && !watches
        && let Err(why) = replica.reach(version).await
    {
        return unavailable(&why).into_response();
    }
    request.extensions_mut().insert(CachedRevision(replica.revision()));
    let response = next.run(request).await;
    if watches { late(response, replica) } else { response }
}

/// The same response, with each piece of its body late: a watch delivers no event that the reads do not have yet.
fn late(response: Response, replica: Arc<LaggingReplica>) -> Response {
    let (parts, body) = response.into_parts();
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    let cluster = replica.cluster.clone();
    // The pieces are read as they come, and wait beside each other.
    tokio::spawn(async move {
        let mut pieces = body.into_data_stream();
        while let Some(piece) = pieces.next().await {
            if sender.send((cluster.store.revision(), piece)).await.is_err() {
                break;
            }
        }
    });
    let pieces = stream::unfold((receiver, replica), |(mut receiver, replica)| async {
        let (revision, piece) = receiver.recv().await?;
        while replica.revision() < revision {
            sleep(STEP).await;
        }
        Some((piece, (receiver, replica)))
    });
    Response::from_parts(parts, Body::from_stream(pieces))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::cel::deviation::Deviations;
    use crate::semantics::RightSemantics;
    use crate::store::MemoryStore;
    use crate::variant::Behaviours;

    #[tokio::test]
    async fn few_pieces_wait_for_a_client_that_does_not_read() {
        let (store, semantics) = (Box::new(MemoryStore::new()), Box::new(RightSemantics));
        let cluster = Cluster::new(store, semantics, Deviations::default(), Behaviours::new([]), true, false);
        let replica = LaggingReplica::start(&Arc::new(cluster), Duration::ZERO);
        let read = Arc::new(AtomicUsize::new(0));
        let counted = read.clone();
        let pieces = stream::iter(0..10 * MOST_WAITING).map(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>("piece")
        });
        let _unread = late(Response::new(Body::from_stream(pieces)), replica);
        for _ in 0..MOST_WAITING {
            tokio::task::yield_now().await;
        }
        assert_eq!(read.load(Ordering::Relaxed), MOST_WAITING + 1);
    }
}
