//! Server on a loopback port, with methods for its admin endpoints.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::serve::ListenerExt;
use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::admin_endpoints;
use crate::api;
use crate::auth::ADMIN_TOKEN;
use crate::background_tasks;
use crate::cel::deviation::Deviations;
use crate::cluster::Cluster;
use crate::encoding;
use crate::fault::{Fault, FaultLayer, FaultMechanism};
use crate::gzip;
use crate::lagging_replica::{self, LaggingReplica};
use crate::lifecycle;
use crate::semantics::{RightSemantics, Semantics};
use crate::store::{FaultySemantics, FaultyStore, MemoryStore, Store, StoreFaults};
use crate::variant::{Behaviours, Variant};
use crate::work_permit::{WorkPermit, work};

/// The time for open connections to finish when the server stops.
const GRACE: Duration = Duration::from_millis(500);

/// The options of a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on; port 0 means any free port.
    pub addr: SocketAddr,
    /// The faults to play; none for a conformant server.
    pub faults: Vec<&'static Fault>,
    /// The conformant deviations from kube-apiserver.
    pub variants: Vec<&'static Variant>,
    /// Whether requests without credentials are the administrator's: kubectl sends none over plain HTTP.
    pub open: bool,
    /// Whether lists of a new custom type get 429 for a moment.
    pub warm_up: bool,
    /// The number of further servers of the same cluster, each on a free port.
    pub replicas: u8,
    /// How much the watch caches of these lag; `None` for not at all.
    pub lag: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            faults: Vec::new(),
            variants: Vec::new(),
            open: false,
            warm_up: false,
            replicas: 0,
            lag: None,
        }
    }
}

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot listen on the address.
    #[error("failed to listen on {addr}")]
    Listen {
        /// The address to listen on.
        addr: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// HTTP has no date for the time of the clock.
    #[error("the clock of this machine says {0}, and HTTP has no such date: set the clock")]
    Clock(Timestamp),
}

/// A running server. Dropping it stops it.
pub struct Server {
    addr: SocketAddr,
    replicas: Vec<SocketAddr>,
    /// Whether the replicas are stopped.
    stopped: watch::Sender<bool>,
    cluster: Arc<Cluster>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server. When this returns, the server is ready.
    pub async fn start(options: Options) -> Result<Self, Error> {
        check_clock(Timestamp::now())?;
        let (listener, addr) = listen(options.addr).await?;
        let cluster = Arc::new(cluster(&options));
        let router = router(&cluster, &options.variants);
        let (mut replicas, stopped) = (Vec::new(), watch::Sender::new(false));
        for _ in 0..options.replicas {
            let (listener, addr) = listen(SocketAddr::new(options.addr.ip(), 0)).await?;
            replicas.push(addr);
            let mut router =
                router.clone().layer(from_fn_with_state(stopped.subscribe(), wait_while_stopped));
            if let Some(lag) = options.lag {
                let lagging = LaggingReplica::start(&cluster, lag);
                router = router.layer(from_fn_with_state(lagging, lagging_replica::lag));
            }
            let router = router.layer(FaultLayer::of_replica(&options.faults));
            tokio::spawn(serve(listener, router, closed(&cluster)));
        }
        tokio::spawn(lifecycle::run(cluster.clone()));
        background_tasks::start(&cluster);
        let router = router.layer(FaultLayer::new(&options.faults));
        let task = tokio::spawn(serve(listener, router, closed(&cluster)));
        Ok(Self { addr, replicas, stopped, cluster, task: Some(task) })
    }

    /// The URL: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// The URLs of the other servers of the cluster.
    pub fn replicas(&self) -> Vec<String> {
        self.replicas.iter().map(|addr| format!("http://{addr}")).collect()
    }

    /// The administrator's bearer token.
    pub fn admin_token(&self) -> &'static str {
        ADMIN_TOKEN
    }

    /// Removes all history: older versions expire.
    pub fn compact(&self) {
        self.cluster.store.compact(self.cluster.store.revision());
    }

    /// Makes the store's health checks fail.
    pub fn break_store(&self) {
        self.cluster.health.break_store(true);
    }

    /// Makes the store's health checks pass again.
    pub fn mend_store(&self) {
        self.cluster.health.break_store(false);
    }

    /// Stops the replicas: requests to them wait, as with SIGSTOP.
    pub fn stop_replicas(&self) {
        self.stopped.send_replace(true);
    }

    /// Lets the replicas go on.
    pub fn start_replicas(&self) {
        self.stopped.send_replace(false);
    }

    /// Makes `/readyz` fail, and stops the server after the delay.
    pub fn shut_down_after(&self, delay: Duration) {
        admin_endpoints::begin_shutdown(&self.cluster, delay);
    }

    /// Waits until the server stops, for example after [`Server::shut_down_after`].
    pub async fn stopped(&mut self) {
        if let Some(task) = &mut self.task {
            let _ = task.await;
            self.task = None;
        }
    }

    /// Stops the server. Watches end, and open responses finish.
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

/// Listens on an address; returns the one with the actual port.
pub(crate) async fn listen(addr: SocketAddr) -> Result<(TcpListener, SocketAddr), Error> {
    let failed = |source| Error::Listen { addr, source };
    let listener = TcpListener::bind(addr).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

/// The right server, with its variants.
fn router(cluster: &Arc<Cluster>, variants: &[&'static Variant]) -> Router {
    let mut router = Router::new().fallback(api::serve).with_state(cluster.clone());
    for variant in variants {
        router = router.layer(FaultLayer::of(variant.wires));
    }
    let router = router.layer(from_fn(encoding::encode)).layer(from_fn(gzip::compress));
    router.layer(from_fn_with_state(cluster.clone(), finish))
}

/// Shares the body of a response, which ends the work of a large request.
async fn finish(State(cluster): State<Arc<Cluster>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let permit = response.extensions_mut().remove::<WorkPermit>();
    if response.body().size_hint().exact().is_none() {
        return response;
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let shared = work(permit.as_ref(), || cluster.bodies.share(body));
    Response::from_parts(parts, Body::from(shared))
}

/// Holds a request back while the replicas are stopped.
async fn wait_while_stopped(
    State(mut stopped): State<watch::Receiver<bool>>,
    request: Request,
    next: Next,
) -> Response {
    // An error means that the server was dropped, which ends all connections.
    let _ = stopped.wait_for(|stopped| !stopped).await;
    next.run(request).await
}

/// Waits until the cluster stops.
fn closed(cluster: &Arc<Cluster>) -> impl Future<Output = ()> + Send + 'static {
    let cluster = cluster.clone();
    async move { cluster.closed().await }
}

/// The HTTP library panics at the date of a response if the clock is before 1970.
fn check_clock(now: Timestamp) -> Result<(), Error> {
    if now < Timestamp::UNIX_EPOCH { Err(Error::Clock(now)) } else { Ok(()) }
}

fn cluster(options: &Options) -> Cluster {
    let store_faults = options.faults.iter().filter_map(|fault| match fault.rule {
        FaultMechanism::Store(store_fault) => Some(store_fault),
        FaultMechanism::Wire(_) | FaultMechanism::Replica(_) | FaultMechanism::Expressions(_) => None,
    });
    let store_faults: StoreFaults = store_faults.collect();
    let deviations = options.faults.iter().flat_map(|fault| match fault.rule {
        FaultMechanism::Expressions(fault) => fault.0,
        _ => &[],
    });
    let of_variants = options.variants.iter().flat_map(|variant| variant.expressions);
    let expressions = Deviations(deviations.chain(of_variants).copied().collect());
    let behaviours = options.variants.iter().flat_map(|variant| variant.behaviours).copied();
    let behaviours = Behaviours::new(behaviours.chain(store_faults.behaviour()));
    let (store, semantics): (Box<dyn Store>, Box<dyn Semantics>) = if store_faults.is_empty() {
        (Box::new(MemoryStore::new()), Box::new(RightSemantics))
    } else {
        (Box::new(FaultyStore::new(store_faults.clone())), Box::new(FaultySemantics(store_faults)))
    };
    Cluster::new(store, semantics, expressions, behaviours, options.open, options.warm_up)
}

/// Serves until `closed`. Open connections then have `GRACE` to finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    closed: impl Future<Output = ()> + Send + 'static,
) {
    // Small responses must not wait for each other. A socket without the option still works.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let shutdown = async move {
        closed.await;
        let _ = sender.send(());
    };
    let overdue = async move {
        let _ = receiver.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        _ = axum::serve(listener, router).with_graceful_shutdown(shutdown) => {}
        () = overdue => {}
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use http::StatusCode;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;
    use crate::shared_body::LONG;
    use crate::work_permit::MOST;

    const MAPS: &str = "/api/v1/namespaces/default/configmaps";
    const PLAIN: [&str; 2] = ["application/json", "identity"];

    /// A server without a port, and its cluster.
    fn serving() -> (Router, Arc<Cluster>) {
        let cluster = Arc::new(cluster(&Options { open: true, ..Options::default() }));
        (router(&cluster, &[]), cluster)
    }

    /// Sends a request with these `Accept` and `Accept-Encoding`.
    async fn send(
        router: &Router,
        (method, path, body): (&str, &str, String),
        [media, coding]: [&str; 2],
    ) -> Response {
        let request = http::Request::builder().method(method).uri(path);
        let request = request.header("accept", media).header("accept-encoding", coding);
        router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
    }

    async fn create(router: &Router, name: &str, data: Value) -> Response {
        let object = json!({ "metadata": { "name": name }, "data": data });
        send(router, ("POST", MAPS, object.to_string()), PLAIN).await
    }

    /// The response to a read, if that need not wait.
    fn get(router: &Router, path: &str) -> Option<Response> {
        send(router, ("GET", path, String::new()), PLAIN).now_or_never()
    }

    /// The data of a large `ConfigMap`, which gzip does not make much shorter.
    fn many_keys() -> Value {
        let mut random = fastrand::Rng::with_seed(1);
        let key = || std::iter::repeat_with(|| random.alphanumeric()).take(8).collect::<String>();
        std::iter::repeat_with(key).take(110_000).map(|key| (key, json!(""))).collect()
    }

    #[tokio::test]
    async fn large_requests_wait_for_a_permit_that_ends_before_their_body_is_read() {
        let (router, cluster) = serving();
        for (name, data) in [("large", many_keys()), ("small", json!({}))] {
            assert_eq!(create(&router, name, data).await.status(), StatusCode::CREATED);
        }
        let mut permits = Vec::new();
        for _ in 0..MOST {
            permits.push(cluster.permits.acquire().await);
        }
        for large in [MAPS.to_owned(), format!("{MAPS}/large")] {
            assert!(get(&router, &large).is_none(), "{large}");
        }
        for small in [format!("{MAPS}/small"), format!("{MAPS}?watch=1"), "/api/v1/secrets".to_owned()] {
            assert_eq!(get(&router, &small).unwrap().status(), StatusCode::OK, "{small}");
        }
        let other = create(&router, "other", json!({})).now_or_never();
        assert_eq!(other.unwrap().status(), StatusCode::CREATED);
        assert!(create(&router, "third", many_keys()).now_or_never().is_none());
        drop(permits);
        let unread: Vec<Response> = (0..=MOST).map(|_| get(&router, MAPS).unwrap()).collect();
        assert!(unread.iter().all(|response| response.status() == StatusCode::OK));
    }

    #[tokio::test]
    async fn equal_lists_share_their_bytes_in_every_encoding() {
        let (router, _cluster) = serving();
        create(&router, "large", many_keys()).await;
        let list = async |form: [&str; 2]| {
            let response = send(&router, ("GET", MAPS, String::new()), form).await;
            to_bytes(response.into_body(), usize::MAX).await.unwrap()
        };
        let kept = list(PLAIN).await;
        let forms = [
            PLAIN,
            ["application/json", "gzip"],
            ["application/yaml", "identity"],
            ["application/vnd.kubernetes.protobuf", "identity"],
            ["application/cbor", "gzip"],
        ];
        for form in forms {
            let [one, other] = [list(form).await, list(form).await];
            assert!(one.len() > LONG && one.as_ptr() == other.as_ptr(), "{form:?}");
            assert_eq!(one.as_ptr() == kept.as_ptr(), form == PLAIN);
        }
    }

    #[test]
    fn a_clock_before_1970_is_refused() {
        assert!(check_clock(Timestamp::UNIX_EPOCH).is_ok());
        let refused = check_clock("1969-12-31T23:59:59Z".parse().unwrap()).unwrap_err();
        assert!(refused.to_string().contains("1969-12-31"), "{refused}");
    }
}
