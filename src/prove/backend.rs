//! The server under the faults: the reference server, or the user's target.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::future::try_join;
use futures::{FutureExt, StreamExt, stream};
use harness::{Access, Client, Flags, Hooks, Identity, Protocol, Redactor, Relayed, Request, TestError};
use reference::{BackendResponse, Connection, Fault, FaultLayer, FaultProxy, Options, Transport};

use crate::embedded::{Embedded, REPLICAS};

/// The token for our own fault proxy.
const TOKEN: &str = "kube-assay-front";

/// Timeout for one response of the backend.
const LIMIT: Duration = Duration::from_secs(30);

/// The number of connections to the backend: each carries a limited number of watches.
const CONNECTIONS: u8 = 16;

/// Headers of one connection, and headers that the client for the backend sets itself.
const NOT_PASSED: [&str; 6] =
    ["host", "connection", "content-length", "transfer-encoding", "authorization", "user-agent"];

/// The server behind the faults.
pub(super) enum Backend {
    Reference,
    Target(Box<Client>),
}

/// A server with faults; dropping it stops it.
pub(super) enum FaultyServer {
    Reference(Embedded),
    /// The proxies of a server and of its replica, and what hides the credentials of the user, which the server gets.
    FaultProxy([FaultProxy; 2], Redactor),
}

impl Backend {
    /// The user's target, or else the reference.
    pub(super) fn new(access: Option<Access>) -> Self {
        access.map_or(Self::Reference, |access| Self::Target(Box::new(Client::new(access, LIMIT))))
    }

    pub(super) fn is_reference(&self) -> bool {
        matches!(self, Self::Reference)
    }

    /// The server with these faults.
    pub(super) async fn with(&self, faults: Vec<&'static Fault>) -> Result<FaultyServer, TestError> {
        match self {
            Self::Reference => {
                let options =
                    Options { warm_up: faults.is_empty(), faults, replicas: REPLICAS, ..Options::default() };
                Embedded::start(options).await.map(FaultyServer::Reference)
            }
            Self::Target(client) => {
                let start = |layer| FaultProxy::start(layer, transport(Client::clone(client)));
                let proxies =
                    try_join(start(FaultLayer::new(&faults)), start(FaultLayer::of_replica(&faults)));
                let error = |why: reference::Error| TestError::new("start a proxy", why.to_string());
                proxies
                    .await
                    .map(|(first, replica)| {
                        FaultyServer::FaultProxy([first, replica], client.redactor().clone())
                    })
                    .map_err(error)
            }
        }
    }
}

impl FaultyServer {
    /// Its address and token.
    pub(super) async fn access(&self) -> Result<Access, TestError> {
        match self {
            Self::Reference(embedded) => embedded.access().await,
            Self::FaultProxy([proxy, replica], redactor) => {
                let flags = Flags { token: Some(TOKEN.to_owned()), ..Flags::at(proxy.url()) };
                Access::load(flags.into()).await?.with_redactor(redactor).with_replicas(&[replica.url()])
            }
        }
    }

    /// The number of exchanges that the faults changed; `None` on the reference, which need not count them.
    pub(super) fn effects(&self) -> Option<usize> {
        match self {
            Self::Reference(_) => None,
            Self::FaultProxy(proxies, _) => Some(proxies.iter().map(FaultProxy::effects).sum()),
        }
    }

    /// Its hooks.
    pub(super) fn hooks(&self) -> Hooks {
        match self {
            Self::Reference(embedded) => embedded.hooks(),
            Self::FaultProxy(..) => Hooks::default(),
        }
    }
}

/// Sends requests to the user's server, with the identity of their sender.
fn transport(client: Client) -> Transport {
    let turn = Arc::new(AtomicU8::new(0));
    Arc::new(move |received| {
        let (client, connection) = (client.clone(), turn.fetch_add(1, Ordering::Relaxed) % CONNECTIONS);
        async move {
            let agent = header(&received, "user-agent").unwrap_or_default().to_owned();
            let (head, rest) =
                client.relay(&request(received, connection), &agent).await.map_err(|why| why.to_string())?;
            let (body, connection): (_, Option<Box<dyn Connection>>) = match rest {
                Relayed::Body(body) => (body, None),
                Relayed::Connection(connection) => (stream::empty().boxed(), Some(Box::new(connection))),
            };
            Ok(BackendResponse { status: head.status, headers: head.headers, body, connection })
        }
        .boxed()
    })
}

fn header<'a>(received: &'a http::Request<Bytes>, name: &str) -> Option<&'a str> {
    received.headers().get(name).and_then(|value| value.to_str().ok())
}

fn request(received: http::Request<Bytes>, connection: u8) -> Request {
    let identity = match header(&received, "authorization").and_then(|value| value.strip_prefix("Bearer ")) {
        None => Identity::Anonymous,
        Some(TOKEN) => Identity::Own,
        Some(other) => Identity::Bearer(other.to_owned()),
    };
    let (parts, body) = received.into_parts();
    let request = Request::new(parts.method, parts.uri.path()).identity(identity).connection(connection);
    let mut request = request.raw_query(parts.uri.query().unwrap_or_default());
    let passed = parts.headers.iter().filter(|(name, _)| !NOT_PASSED.contains(&name.as_str()));
    let passed = passed.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    request.headers = passed.collect();
    request.body = (!body.is_empty()).then_some(body);
    if parts.headers.contains_key("upgrade") {
        return request.protocol(Protocol::Http1).header("connection", "Upgrade");
    }
    request
}
