//! Server on a loopback port, with methods for its admin endpoints.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::admin_endpoints;
use crate::api;
use crate::auth::ADMIN_TOKEN;
use crate::background_tasks;
use crate::cluster::Cluster;
use crate::fault::{Fault, FaultLayer, FaultMechanism};
use crate::lifecycle;
use crate::semantics::{RightSemantics, Semantics};
use crate::store::{FaultySemantics, FaultyStore, MemoryStore, Store, StoreFaults};
use crate::variant::{Behaviours, Variant};

/// How long open connections are given to finish when the server stops.
const GRACE: Duration = Duration::from_millis(500);

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 lets the system choose one.
    pub addr: SocketAddr,
    /// The ways to be wrong; none for a server that is right.
    pub faults: Vec<&'static Fault>,
    /// The ways to be right that are not kube-apiserver's.
    pub variants: Vec<&'static Variant>,
    /// Whether requests without credentials are the administrator's: kubectl sends none over plain HTTP.
    pub open: bool,
    /// Whether the collection of a new custom type first answers 429 for a moment.
    pub warm_up: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            faults: Vec::new(),
            variants: Vec::new(),
            open: false,
            warm_up: false,
        }
    }
}

/// Why a server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {addr}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// HTTP has no date for what the clock says.
    #[error("the clock of this machine says {0}, and HTTP has no such date: set the clock")]
    Clock(Timestamp),
}

/// A running server. Dropping it stops it.
pub struct Server {
    addr: SocketAddr,
    cluster: Arc<Cluster>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server; when this returns it is ready.
    pub async fn start(options: Options) -> Result<Self, Error> {
        check_clock(Timestamp::now())?;
        let listen = |source| Error::Listen { addr: options.addr, source };
        let listener = TcpListener::bind(options.addr).await.map_err(listen)?;
        let addr = listener.local_addr().map_err(listen)?;
        let cluster = Arc::new(cluster(&options));
        let mut router = Router::new().fallback(api::serve).with_state(cluster.clone());
        for variant in &options.variants {
            router = router.layer(FaultLayer::of(variant.wires));
        }
        router = router.layer(FaultLayer::new(&options.faults));
        tokio::spawn(lifecycle::run(cluster.clone()));
        background_tasks::start(&cluster);
        let watched = cluster.clone();
        let closed = async move { watched.closed().await };
        let task = tokio::spawn(serve(listener, router, closed));
        Ok(Self { addr, cluster, task: Some(task) })
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// The administrator's bearer token.
    pub fn admin_token(&self) -> &'static str {
        ADMIN_TOKEN
    }

    /// Forgets all history up to now: older versions have expired.
    pub fn compact(&self) {
        self.cluster.store.compact(self.cluster.store.revision());
    }

    /// Makes the checks of the store fail.
    pub fn break_store(&self) {
        self.cluster.health.break_store(true);
    }

    /// Makes the checks of the store pass again.
    pub fn mend_store(&self) {
        self.cluster.health.break_store(false);
    }

    /// Makes `/readyz` fail from now on, and stops the server after the delay.
    pub fn shut_down_after(&self, delay: Duration) {
        admin_endpoints::begin_shutdown(&self.cluster, delay);
    }

    /// Waits until the server has stopped by itself, as after [`Server::shut_down_after`].
    pub async fn stopped(&mut self) {
        if let Some(task) = &mut self.task {
            let _ = task.await;
            self.task = None;
        }
    }

    /// Stops the server: watches end, and answers under way are finished.
    pub async fn stop(mut self) {
        self.cluster.closing.send_replace(true);
        self.stopped().await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.cluster.closing.send_replace(true);
    }
}

/// The HTTP library panics at the date of an answer where the clock is before 1970.
fn check_clock(now: Timestamp) -> Result<(), Error> {
    if now < Timestamp::UNIX_EPOCH { Err(Error::Clock(now)) } else { Ok(()) }
}

fn cluster(options: &Options) -> Cluster {
    let store_faults = options.faults.iter().filter_map(|fault| match fault.rule {
        FaultMechanism::Store(store_fault) => Some(store_fault),
        FaultMechanism::Wire(_) => None,
    });
    let store_faults: StoreFaults = store_faults.collect();
    let behaviours = options.variants.iter().flat_map(|variant| variant.behaviours).copied();
    let behaviours = Behaviours::new(behaviours.chain(store_faults.behaviour()));
    let (store, semantics): (Box<dyn Store>, Box<dyn Semantics>) = if store_faults.is_empty() {
        (Box::new(MemoryStore::new()), Box::new(RightSemantics))
    } else {
        (Box::new(FaultyStore::new(store_faults.clone())), Box::new(FaultySemantics(store_faults)))
    };
    Cluster::new(store, semantics, behaviours, options.open, options.warm_up)
}

/// Serves until `closed`; open connections then have a moment to finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    closed: impl Future<Output = ()> + Send + 'static,
) {
    // Small answers must not wait for each other; a socket without the option still works.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (told, telling) = tokio::sync::oneshot::channel();
    let shutdown = async move {
        closed.await;
        let _ = told.send(());
    };
    let overdue = async move {
        let _ = telling.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        _ = axum::serve(listener, router).with_graceful_shutdown(shutdown) => {}
        () = overdue => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_is_refused() {
        assert!(check_clock(Timestamp::UNIX_EPOCH).is_ok());
        let refused = check_clock("1969-12-31T23:59:59Z".parse().unwrap()).unwrap_err();
        assert!(refused.to_string().contains("1969-12-31"), "{refused}");
    }
}
