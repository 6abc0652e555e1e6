//! Sends requests over connections to a server, through the HTTP library. No hidden redirect, validation or defaulting,
//! and no second attempt at anything that the server may have processed.
//!
//! This file is the only one that names the HTTP library.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use model::{ConnectionKey, Protocol, Request, Response, TestError, plain_media_type};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::access::Access;
use crate::bare_connection::{self, Io};
use crate::connection::{ConnectionError, SERVER_LOG, is_closed, is_lost, is_unprocessed};
use crate::stream_limit::stream_limit;

/// The HTTP/2 window of one response, in bytes: what the server may send of it while nobody reads.
const STREAM_WINDOW: u32 = 1 << 20;

/// The HTTP/2 window of a connection, in bytes: the largest. Responses that wait for memory, or a watch that nobody
/// reads, must never hold up the other responses of the connection.
const CONNECTION_WINDOW: u32 = (1 << 31) - 1;

/// How long a connection may take to come up.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// How long an unused connection is used again. Servers close theirs after some seconds (Node.js 5, gunicorn 2), and a
/// request that meets the end of its connection has no response.
const REUSED_WITHIN: Duration = Duration::from_millis(1500);

/// How often a request is sent again that the server has not processed: a server that closes its connections by chance may
/// do so several times in a row.
const UNPROCESSED_AT_MOST: usize = 10;

/// The connections to a server.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    access: Access,
    bare_timeout: Duration,
    /// Whether every request that names no encoding accepts none.
    refuses_encodings: bool,
    open: Arc<Mutex<HashMap<ConnectionKey, ConnectionPool>>>,
    /// Whether a server has closed a connection before it processed a request.
    closes_early: Arc<AtomicBool>,
    /// The limit of streams of the target, and of each replica.
    stream_limits: Arc<[OnceCell<usize>]>,
}

/// The connections with one key.
#[derive(Debug, Default)]
struct ConnectionPool {
    /// The number of the client certificate that they have.
    certificate: u64,
    clients: Vec<Pooled>,
    /// Opens a connection for each request.
    unshared: Option<reqwest::Client>,
}

/// A client of the HTTP library: it has one connection where the server speaks HTTP/2.
#[derive(Debug, Clone)]
struct Pooled {
    client: reqwest::Client,
    /// Each clone is a request in flight.
    permit: StreamPermit,
}

/// The permit to use one stream of a connection, until its drop.
type StreamPermit = Arc<()>;

/// The body of a response, as it arrives.
#[derive(Debug)]
pub(crate) struct LiveBody {
    body: reqwest::Response,
    encrypted: bool,
    /// The bytes that are missing of the length that the head has.
    missing: Option<u64>,
    /// `None` after the end.
    permit: Option<StreamPermit>,
}

/// Why a request has no response.
pub(crate) enum Unsent {
    /// It could not be prepared.
    Unprepared(TestError),
    /// The connection failed.
    Connection(ConnectionError),
}

impl From<TestError> for Unsent {
    fn from(error: TestError) -> Self {
        Self::Unprepared(error)
    }
}

impl Connections {
    pub(crate) fn new(access: Access, bare_timeout: Duration) -> Self {
        let stream_limits = (0..=access.replicas().len()).map(|_| OnceCell::new()).collect();
        let (open, closes_early) = Default::default();
        Self { access, bare_timeout, refuses_encodings: false, open, closes_early, stream_limits }
    }

    /// Sends `Accept-Encoding: identity` with every request that names no encoding.
    pub(crate) fn refuse_encodings(&mut self) {
        self.refuses_encodings = true;
    }

    pub(crate) fn access(&self) -> &Access {
        &self.access
    }

    /// Sends a request and reads the head of the response only; with the moment when the connection took the request.
    ///
    /// A request that the server has not processed is sent again: the next attempt shows why its connection closed, such
    /// as the alert of a server that demands a client certificate.
    pub(crate) async fn open(
        &self,
        request: &Request,
        agent: &str,
    ) -> Result<(Response, LiveBody, Instant), Unsent> {
        if request.connection.protocol == Protocol::Bare {
            return Box::pin(self.open_bare(request)).await;
        }
        let limit = self.stream_limit(&request.connection).await;
        let (mut attempts_left, mut was_closed) = (UNPROCESSED_AT_MOST, false);
        loop {
            // Before a connection is chosen: it may renew the client certificate.
            let credential = self.access.headers(&request.connection.identity).await?;
            let Pooled { client, permit } =
                if was_closed { self.unshared(request)? } else { self.pooled(request, limit)? };
            let sent = Instant::now();
            let why = match self.builder(&client, request, agent, credential)?.send().await {
                Ok(body) => return Ok(self.opened(request, body, sent, Some(permit))),
                Err(why) => why,
            };
            let is_unprocessed = is_unprocessed(&why);
            // A connection that was in use before may end without a word; a new one tells.
            let is_lost = is_lost(&why) || (!was_closed && is_closed(&why));
            if is_unprocessed || is_lost {
                self.closes_early.store(true, Ordering::Relaxed);
            }
            was_closed |= is_lost;
            // A read changes nothing, if the server has processed it after all.
            let may_be_repeated = is_unprocessed || (is_lost && request.method.is_safe());
            if attempts_left == 0 || !may_be_repeated {
                return Err(Unsent::Connection(ConnectionError::of(&why, self.access.encrypted())));
            }
            attempts_left -= 1;
        }
    }

    async fn open_bare(&self, request: &Request) -> Result<(Response, LiveBody, Instant), Unsent> {
        let sent = Instant::now();
        let sending = tokio::time::timeout(
            self.bare_timeout,
            bare_connection::send(self.access.server(request.connection.server), request),
        );
        let head = sending.await.unwrap_or_else(|_| Err("no response in time".into()));
        let head =
            head.map_err(|why| Unsent::Connection(ConnectionError::of(&*why, self.access.encrypted())))?;
        let body = reqwest::Response::from(head.map(reqwest::Body::wrap));
        Ok(self.opened(request, body, sent, None))
    }

    fn opened(
        &self,
        request: &Request,
        body: reqwest::Response,
        sent: Instant,
        permit: Option<StreamPermit>,
    ) -> (Response, LiveBody, Instant) {
        self.access.note_status(&request.connection.identity, body.status().as_u16());
        let length = body.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let is_bodiless =
            request.method == http::Method::HEAD || matches!(body.status().as_u16(), 101 | 204 | 304);
        let missing = length.filter(|_| !is_bodiless);
        (head_of(&body), LiveBody { body, encrypted: self.access.encrypted(), missing, permit }, sent)
    }

    /// The number of requests that a connection takes at once.
    async fn stream_limit(&self, connection: &ConnectionKey) -> usize {
        let server = usize::from(connection.server);
        match self.stream_limits.get(server) {
            Some(limit) if connection.protocol != Protocol::Http1 => {
                *limit.get_or_init(|| stream_limit(self.access.server(connection.server))).await
            }
            _ => usize::MAX,
        }
    }

    fn builder(
        &self,
        client: &reqwest::Client,
        request: &Request,
        agent: &str,
        credential: Vec<(HeaderName, HeaderValue)>,
    ) -> Result<reqwest::RequestBuilder, TestError> {
        let server = self.access.server(request.connection.server);
        let url = server.url_of(request)?;
        let mut builder = client.request(request.method.clone(), url);
        let has = |header| request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(header));
        if !has("user-agent") {
            builder = builder.header("user-agent", agent);
        }
        if self.refuses_encodings && !has("accept-encoding") {
            builder = builder.header("accept-encoding", "identity");
        }
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        for (name, value) in credential {
            builder = builder.header(name, value);
        }
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        Ok(builder)
    }

    fn pool<T>(&self, connection: &ConnectionKey, use_it: impl FnOnce(&mut ConnectionPool) -> T) -> T {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let certificate = self.access.issued_certificates();
        let pool = open.entry(connection.clone()).or_default();
        if pool.certificate != certificate {
            *pool = ConnectionPool { certificate, ..ConnectionPool::default() };
        }
        use_it(pool)
    }

    /// A connection with a free stream: a request must not wait for the end of a watch.
    ///
    /// Where the server closes connections early, a write has a new one: on another, the server may say with the response to
    /// an earlier request, or without a word, that it closes it, and the library loses the write that is about to leave.
    fn pooled(&self, request: &Request, limit: usize) -> Result<Pooled, TestError> {
        if !request.method.is_safe() && self.closes_early.load(Ordering::Relaxed) {
            return self.unshared(request);
        }
        self.pool(&request.connection, |pool| {
            let in_flight = |pooled: &Pooled| Arc::strong_count(&pooled.permit) - 1;
            if let Some(free) = pool.clients.iter().find(|pooled| in_flight(pooled) < limit) {
                return Ok(free.clone());
            }
            let client = self.connect(&request.connection, usize::MAX)?;
            let added = Pooled { client, permit: StreamPermit::default() };
            pool.clients.push(added.clone());
            Ok(added)
        })
    }

    /// A new connection for one request.
    fn unshared(&self, request: &Request) -> Result<Pooled, TestError> {
        self.pool(&request.connection, |pool| {
            let client = match &pool.unshared {
                Some(client) => client.clone(),
                None => pool.unshared.insert(self.connect(&request.connection, 0)?).clone(),
            };
            Ok(Pooled { client, permit: StreamPermit::default() })
        })
    }

    /// Sends the next requests on another connection: this one may be stuck, and HTTP/2 would put them all on it.
    pub(crate) fn leave(&self, connection: &ConnectionKey) {
        self.pool(connection, |pool| pool.clients.clear());
    }

    /// A client that keeps at most so many unused connections.
    fn connect(&self, connection: &ConnectionKey, unused: usize) -> Result<reqwest::Client, TestError> {
        let server = self.access.server(connection.server);
        let mut tls = server.tls(&connection.identity)?;
        let protocols: &[&[u8]] = match connection.protocol {
            Protocol::Any => &[b"h2", b"http/1.1"],
            Protocol::Http1 | Protocol::Bare => &[b"http/1.1"],
            Protocol::Http2 => &[b"h2"],
        };
        tls.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            // `open` alone sends a request again.
            .retry(reqwest::retry::never())
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            // Whatever else is built with the library: nobody asks for another encoding behind our back.
            .no_gzip()
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http2_initial_stream_window_size(STREAM_WINDOW)
            .http2_initial_connection_window_size(CONNECTION_WINDOW)
            .pool_idle_timeout(REUSED_WITHIN)
            .pool_max_idle_per_host(unused)
            .connect_timeout(CONNECT_WITHIN);
        let builder = match server.server_name() {
            Some(_) => builder.dns_resolver(Arc::new(Endpoint(server.endpoint()))),
            None => builder,
        };
        let builder = match connection.protocol {
            Protocol::Any => builder,
            Protocol::Http1 | Protocol::Bare => builder.http1_only(),
            Protocol::Http2 => builder.http2_prior_knowledge(),
        };
        builder
            .build()
            .map_err(|why| TestError::new("set up the HTTP client", ConnectionError::of(&why, true).cause))
    }
}

/// The host and the port that connections go to, whatever name a request has for them.
struct Endpoint((String, u16));

impl reqwest::dns::Resolve for Endpoint {
    fn resolve(&self, _: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let endpoint = self.0.clone();
        Box::pin(async move {
            let addresses: Vec<_> = tokio::net::lookup_host(endpoint).await?.collect();
            Ok(Box::new(addresses.into_iter()) as reqwest::dns::Addrs)
        })
    }
}

impl LiveBody {
    /// The next piece; `None` at the proper end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, ConnectionError> {
        let piece = self.piece().await;
        if !matches!(piece, Ok(Some(_))) {
            self.permit = None;
        }
        piece
    }

    async fn piece(&mut self) -> Result<Option<Bytes>, ConnectionError> {
        let piece = self.body.chunk().await.map_err(|why| ConnectionError::of(&why, self.encrypted))?;
        match (&piece, &mut self.missing) {
            (Some(piece), Some(missing)) => *missing = missing.saturating_sub(piece.len() as u64),
            // The HTTP library takes an HTTP/2 stream that the server resets without an error for a whole one.
            (None, Some(missing @ 1..)) => {
                let cause = format!("the body ended {missing} bytes before its content-length");
                return Err(ConnectionError::new(cause, SERVER_LOG));
            }
            _ => {}
        }
        Ok(piece)
    }

    /// The connection after a response with status 101, which both sides use in another protocol.
    pub(crate) async fn upgrade(self) -> Result<Box<dyn Io>, ConnectionError> {
        let upgraded = self.body.upgrade().await;
        Ok(Box::new(upgraded.map_err(|why| ConnectionError::of(&why, self.encrypted))?))
    }
}

fn head_of(response: &reqwest::Response) -> Response {
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        let text = String::from_utf8_lossy(value.as_bytes());
        let value = if name == CONTENT_TYPE { plain_media_type(&text) } else { text.into_owned() };
        (name.as_str().to_owned(), value)
    };
    Response {
        status: response.status().as_u16(),
        protocol: format!("{:?}", response.version()),
        headers: response.headers().iter().map(header).collect(),
        body: Bytes::new(),
        cut: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubeconfig::Flags;

    #[tokio::test]
    async fn a_write_shares_no_connection_where_the_server_closes_them_early() {
        let access = Access::load(Flags::at("http://127.0.0.1:1").into()).await.unwrap();
        let connections = Connections::new(access, Duration::from_secs(1));
        let (read, write) = (Request::get("/"), Request::delete("/"));
        let first = connections.pooled(&read, 100).unwrap();
        let shares =
            |request: &Request| Arc::ptr_eq(&connections.pooled(request, 100).unwrap().permit, &first.permit);
        assert!(shares(&read) && shares(&write));
        connections.closes_early.store(true, Ordering::Relaxed);
        assert!(shares(&read) && !shares(&write));
    }

    #[tokio::test]
    async fn a_body_that_is_shorter_than_its_length_is_an_error() {
        for (missing, is_whole) in [(None, true), (Some(0), true), (Some(3), true), (Some(5), false)] {
            let body = reqwest::Response::from(http::Response::new("abc"));
            let mut body = LiveBody { body, encrypted: false, missing, permit: None };
            assert_eq!(body.next().await.unwrap().unwrap(), "abc");
            let end = body.next().await;
            assert_eq!(end.is_ok(), is_whole, "{end:?}");
            if let Err(why) = end {
                assert_eq!(why.cause, "the body ended 2 bytes before its content-length");
            }
        }
    }
}
