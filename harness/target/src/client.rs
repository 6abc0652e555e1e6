//! Sends one request, returns one response. No hidden redirect, validation or defaulting, and no second attempt at
//! anything that the server may have looked at.
//!
//! This file is the only one that names the HTTP library.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use model::{ConnectionKey, Curl, Protocol, Request, Response, TestError, Timing};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::access::Access;
use crate::bare_connection::{self, Io};
use crate::body::{Body, TooLargeBody};
use crate::connection::{ConnectionError, causes};
use crate::memory::MemoryShare;
use crate::redact::Redactor;

/// The memory for the responses of one scenario by default, in bytes: an `OpenAPI` document of 14 MB, or a list of 2,500
/// objects.
const LARGEST_SHARE: usize = 100 << 20;

/// The HTTP/2 window of one response, in bytes: what the server may send of it while nobody reads.
const STREAM_WINDOW: u32 = 1 << 20;

/// The HTTP/2 window of a connection, in bytes: the largest. Responses that wait for memory, or a watch that nobody
/// reads, must never hold up the other responses of the connection.
const CONNECTION_WINDOW: u32 = (1 << 31) - 1;

/// How long a connection may take to come up.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// How often a request is sent again that never left.
const UNSENT_AT_MOST: usize = 3;

const LATE: &str = "is it the right port, is the server overloaded? --request-timeout gives it more time";
const TOO_LARGE: &str =
    "is it the address of a Kubernetes API server? --response-memory gives very long lists more memory";

/// Speaks HTTP with one target.
#[derive(Debug, Clone)]
pub struct Client {
    access: Access,
    request_timeout: Duration,
    connections: Arc<Mutex<HashMap<ConnectionKey, reqwest::Client>>>,
    memory: MemoryShare,
}

/// The head of a response whose body is still to come.
#[derive(Debug)]
pub struct Opened {
    /// The head, without a body.
    pub response: Response,
    body: reqwest::Response,
    sent: Instant,
    head: Duration,
}

/// What follows the head of a relayed response.
pub enum Relayed {
    /// The body, as it comes.
    Body(BoxStream<'static, Result<Bytes, String>>),
    /// The connection in another protocol, after status 101.
    Connection(Box<dyn Io>),
}

impl Opened {
    /// The next piece of the body; `None` at its proper end.
    pub async fn next_chunk(&mut self) -> Result<Option<Bytes>, String> {
        self.body.chunk().await.map_err(|why| ConnectionError::of(&why, false).cause)
    }

    /// The connection after a response with status 101, which both sides use in another protocol.
    pub async fn upgrade(self) -> Result<impl AsyncRead + AsyncWrite + Send + Unpin + use<>, String> {
        self.body.upgrade().await.map_err(|why| ConnectionError::of(&why, false).cause)
    }

    /// When the head came, and how long it has been since the request was sent.
    pub fn timing(&self) -> Timing {
        Timing { head: self.head, whole: self.sent.elapsed() }
    }
}

impl Client {
    /// Waits `request_timeout` for a response unless a request says otherwise.
    pub fn new(access: Access, request_timeout: Duration) -> Self {
        Self {
            access,
            request_timeout,
            connections: Arc::default(),
            memory: MemoryShare::of_run(LARGEST_SHARE, 1),
        }
    }

    /// Limits the memory for the responses of one scenario, in bytes. Those of a run with so many concurrent scenarios take
    /// at most twice as much.
    pub fn with_memory(self, limit: usize, parallel: usize) -> Self {
        Self { memory: MemoryShare::of_run(limit, parallel), ..self }
    }

    /// The same client, with a memory share of its own.
    pub fn with_own_memory(&self) -> Self {
        Self { memory: self.memory.another(), ..self.clone() }
    }

    /// The memory for the responses to this client.
    pub fn memory(&self) -> &MemoryShare {
        &self.memory
    }

    /// Scheme, host and port.
    pub fn address(&self) -> String {
        self.access.address()
    }

    /// How curl sends the same requests.
    pub async fn curl(&self) -> Result<Curl, TestError> {
        self.access.curl().await
    }

    /// Whether the connection is encrypted.
    pub fn encrypted(&self) -> bool {
        self.access.encrypted()
    }

    /// Whether a bearer token is all that tells the server who we are.
    pub async fn is_by_token_alone(&self) -> Result<bool, TestError> {
        self.access.is_by_token_alone().await
    }

    /// Hides this target's credentials.
    pub fn redactor(&self) -> &Redactor {
        self.access.redactor()
    }

    /// Sends a request and reads the response to its end.
    pub async fn send(&self, request: &Request, agent: &str) -> Result<(Response, Timing), TestError> {
        let limit = request.within.unwrap_or(self.request_timeout);
        let whole = async {
            let opened = self.open(request, agent).await?;
            self.read(request, opened).await
        };
        let mut whole = pin!(whole);
        loop {
            match tokio::time::timeout(limit, &mut whole).await {
                Ok(ended) => return ended,
                Err(_) if self.memory.is_waiting() => {}
                Err(_) => {
                    self.leave_connection(&request.connection);
                    let why = format!("no complete response within {} s", limit.as_secs_f32());
                    return Err(self.test_error(request, &ConnectionError::new(why, LATE)));
                }
            }
        }
    }

    /// Sends a request and gives the head of the response, and what follows it.
    pub async fn relay(&self, request: &Request, agent: &str) -> Result<(Response, Relayed), TestError> {
        let opened = self.open(request, agent).await?;
        let response = opened.response.clone();
        if response.status == 101 {
            let upgraded = opened.upgrade().await;
            let upgraded =
                upgraded.map_err(|why| self.test_error(request, &ConnectionError::new(why, "")))?;
            return Ok((response, Relayed::Connection(Box::new(upgraded))));
        }
        let pieces = stream::try_unfold(opened, |mut opened| async {
            Ok(opened.next_chunk().await?.map(|piece| (piece, opened)))
        });
        Ok((response, Relayed::Body(pieces.boxed())))
    }

    /// Reads a response to its end. Its timing leaves out the time in which kube-assay waited for memory.
    pub async fn read(&self, request: &Request, mut opened: Opened) -> Result<(Response, Timing), TestError> {
        let mut waited = Duration::ZERO;
        let mut body = Body::of(request, &opened.response, self.memory.reservation(copies(request)));
        while let Some(chunk) = self.chunk(request, &mut opened.body).await? {
            let received = Instant::now();
            let added = body.add(&chunk).await;
            waited += received.elapsed();
            if !added.map_err(|too_large| self.too_large(request, &too_large))? {
                break;
            }
        }
        let ended = body.end();
        (opened.response.body, opened.response.cut) =
            ended.map_err(|too_large| self.too_large(request, &too_large))?;
        if request.method == http::Method::POST && request.path.ends_with("/token") {
            self.redactor().learn_issued(&opened.response.body);
        }
        let mut timing = opened.timing();
        timing.whole = timing.whole.saturating_sub(waited);
        Ok((opened.response, timing))
    }

    async fn chunk(
        &self,
        request: &Request,
        body: &mut reqwest::Response,
    ) -> Result<Option<Bytes>, TestError> {
        body.chunk()
            .await
            .map_err(|why| self.test_error(request, &ConnectionError::of(&why, self.encrypted())))
    }

    /// Sends a request and reads the head of the response only.
    ///
    /// A request that never left is sent again: the next attempt shows why its connection closed, such as the alert of
    /// a server that demands a client certificate.
    pub async fn open(&self, request: &Request, agent: &str) -> Result<Opened, TestError> {
        if request.connection.protocol == Protocol::Bare {
            return Box::pin(self.open_bare(request)).await;
        }
        let mut attempts_left = UNSENT_AT_MOST;
        loop {
            let builder = self.builder(request, agent).await?;
            let sent = Instant::now();
            match builder.send().await {
                Ok(body) => {
                    return Ok(Opened { response: head_of(&body), body, sent, head: sent.elapsed() });
                }
                Err(why) if attempts_left > 0 && is_unsent(&why) => attempts_left -= 1,
                Err(why) => {
                    return Err(self.test_error(request, &ConnectionError::of(&why, self.encrypted())));
                }
            }
        }
    }

    async fn open_bare(&self, request: &Request) -> Result<Opened, TestError> {
        let sent = Instant::now();
        let sending =
            tokio::time::timeout(self.request_timeout, bare_connection::send(&self.access, request));
        let head = sending.await.unwrap_or_else(|_| Err("no response in time".into()));
        let head =
            head.map_err(|why| self.test_error(request, &ConnectionError::of(&*why, self.encrypted())))?;
        let body = reqwest::Response::from(head.map(reqwest::Body::wrap));
        Ok(Opened { response: head_of(&body), body, sent, head: sent.elapsed() })
    }

    async fn builder(&self, request: &Request, agent: &str) -> Result<reqwest::RequestBuilder, TestError> {
        let client = self.connection(&request.connection)?;
        let url = format!("{}{}", self.address(), request.path_and_query());
        let mut builder = client.request(request.method.clone(), url);
        if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("user-agent")) {
            builder = builder.header("user-agent", agent);
        }
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        for (name, value) in self.access.headers(&request.connection.identity).await? {
            builder = builder.header(name, value);
        }
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        Ok(builder)
    }

    fn too_large(&self, request: &Request, why: &TooLargeBody) -> TestError {
        let cause = format!("the response is too large to be judged: {why}");
        self.test_error(request, &ConnectionError::new(cause, TOO_LARGE))
    }

    fn test_error(&self, request: &Request, error: &ConnectionError) -> TestError {
        let attempted =
            format!("get a response to {} {}{}", request.method, self.address(), request.path_and_query());
        TestError::new(attempted, self.redactor().redact(&error.cause)).hint(error.hint)
    }

    fn connection(&self, connection: &ConnectionKey) -> Result<reqwest::Client, TestError> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = connections.get(connection) {
            return Ok(client.clone());
        }
        let client = self.connect(connection)?;
        connections.insert(connection.clone(), client.clone());
        Ok(client)
    }

    /// Sends the next requests on another connection: this one may be stuck, and HTTP/2 would put them all on it.
    fn leave_connection(&self, connection: &ConnectionKey) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(connection);
    }

    fn connect(&self, connection: &ConnectionKey) -> Result<reqwest::Client, TestError> {
        let mut tls = self.access.tls(&connection.identity)?;
        let protocols: &[&[u8]] = match connection.protocol {
            Protocol::Any => &[b"h2", b"http/1.1"],
            Protocol::Http1 | Protocol::Bare => &[b"http/1.1"],
            Protocol::Http2 => &[b"h2"],
        };
        tls.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        // Its default is kept: a request is sent again only where HTTP/2 says that it was not looked at, as when a
        // server takes leave of a connection (GOAWAY). kube-apiserver does so after each anonymous request.
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            // Whatever else is built with the library: nobody asks for another encoding behind our back.
            .no_gzip()
            .http2_initial_stream_window_size(STREAM_WINDOW)
            .http2_initial_connection_window_size(CONNECTION_WINDOW)
            .connect_timeout(CONNECT_WITHIN);
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

/// The number of parsed copies of a response that a scenario holds: it copies the objects of lists, and compares them.
fn copies(request: &Request) -> usize {
    let published = ["/openapi", "/version"].iter().any(|path| request.path.starts_with(path));
    if published { 1 } else { 4 }
}

/// Whether a request never left, because its connection had closed. The HTTP library has only words for it.
fn is_unsent(error: &reqwest::Error) -> bool {
    causes(error).iter().any(|cause| cause.to_string().contains("connection was not ready"))
}

fn head_of(response: &reqwest::Response) -> Response {
    let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
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
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::access::Source;
    use crate::kubeconfig::Flags;

    const RESPONSE: &[u8] =
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nvary: Accept-Encoding\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00";

    /// The head that the client sends for this request, and the response that it returns.
    async fn exchange(request: Request) -> (String, Response) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        let flags = Flags { server, token: Some("token".to_owned()), ..Flags::default() };
        let access = Access::load(Source::Flags(Box::new(flags))).await.unwrap();
        let client = Client::new(access, Duration::from_secs(10));
        let answer = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            stream.write_all(RESPONSE).await.unwrap();
            String::from_utf8(head).unwrap().to_ascii_lowercase()
        };
        let (head, sent) = tokio::join!(answer, client.send(&request, "test"));
        (head, sent.unwrap().0)
    }

    #[tokio::test]
    async fn encodings_are_left_to_the_request() {
        let (head, response) = exchange(Request::get("/")).await;
        assert!(!head.contains("accept-encoding"), "{head}");
        assert_eq!(&response.body[..], b"\x1f\x8b\x08\x00");

        let (head, response) = exchange(Request::get("/").header("accept-encoding", "gzip")).await;
        assert!(head.contains("\r\naccept-encoding: gzip\r\n"), "{head}");
        assert_eq!(&response.body[..], b"\x1f\x8b\x08\x00");
        let coding = response.headers.iter().find(|(name, _)| name == "content-encoding");
        assert_eq!(coding.map(|(_, value)| value.as_str()), Some("gzip"));
    }

    #[tokio::test]
    async fn a_bare_request_has_its_own_headers_alone() {
        let (head, _) =
            exchange(Request { headers: Vec::new(), ..Request::get("/").protocol(Protocol::Bare) }).await;
        let names: Vec<_> = head.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
        assert_eq!(names, ["host", "authorization"]);
    }
}
