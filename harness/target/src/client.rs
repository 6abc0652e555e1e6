//! Sends one request, returns one response: from a server, or from the record of an earlier run.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use model::{Curl, Request, Response, TestError, Timing};
use tokio::time::Instant;

use crate::access::Access;
use crate::bare_connection::Io;
use crate::body::{Body, TooLargeBody};
use crate::branch::{Branch, Tape, unless_after};
use crate::connection::ConnectionError;
use crate::evidence::{Recorder, Recording, Replay};
use crate::live::{Connections, Unsent};
use crate::long_text::LongText;
use crate::memory::MemoryShare;
use crate::opened::{Opened, Source};
use crate::redact::Redactor;

/// The memory for the responses of one scenario by default, in bytes: an `OpenAPI` document of 14 MB, or a list of 2,500
/// objects.
const LARGEST_SHARE: usize = 100 << 20;

const LATE: &str = "is it the right port, is the server overloaded? --request-timeout gives it more time";
const TOO_LARGE: &str =
    "is it the address of a Kubernetes API server? `run --response-memory` gives very long lists more memory";

/// Speaks HTTP with one target.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Transport,
    recorder: Option<Arc<Recorder>>,
    request_timeout: Duration,
    memory: MemoryShare,
    redactor: Redactor,
}

/// Where responses come from.
#[derive(Debug, Clone)]
enum Transport {
    Server(Box<Connections>),
    Record(Arc<Replay>),
}

/// What follows the head of a relayed response.
pub enum Relayed {
    /// The body, as it comes.
    Body(BoxStream<'static, Result<Bytes, String>>),
    /// The connection in another protocol, after status 101.
    Connection(Box<dyn Io>),
}

impl Client {
    /// Waits `request_timeout` for a response unless a request says otherwise.
    pub fn new(access: Access, request_timeout: Duration) -> Self {
        let redactor = access.redactor().clone();
        let transport = Transport::Server(Box::new(Connections::new(access, request_timeout)));
        Self::over(transport, redactor, request_timeout)
    }

    /// Gets every response from a record.
    pub fn replaying(replay: Arc<Replay>, request_timeout: Duration) -> Self {
        Self::over(Transport::Record(replay), Redactor::default(), request_timeout)
    }

    fn over(transport: Transport, redactor: Redactor, request_timeout: Duration) -> Self {
        let memory = MemoryShare::of_run(LARGEST_SHARE, 1);
        Self { transport, recorder: None, request_timeout, memory, redactor }
    }

    /// Records every exchange from now on.
    pub fn recorded_by(self, recorder: Arc<Recorder>) -> Self {
        Self { recorder: Some(recorder), ..self }
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

    /// Refuses encoded bodies in every request that names no encoding: without `Accept-Encoding` a server may choose one.
    pub fn without_encodings(mut self) -> Self {
        if let Transport::Server(connections) = &mut self.transport {
            connections.refuse_encodings();
        }
        self
    }

    /// The branch of a scenario, by the number of its execution.
    pub fn scenario(&self, number: usize) -> Arc<Branch> {
        Branch::new(number, "", self.tape())
    }

    /// The branch of work that one scenario does for all, whichever needs it first.
    pub fn shared(&self, name: &str) -> Arc<Branch> {
        Branch::new(0, name, self.tape())
    }

    fn tape(&self) -> Tape {
        match (&self.transport, &self.recorder) {
            (Transport::Record(replay), _) => Tape::Replay(replay.clone()),
            (_, Some(recorder)) => Tape::Recorder(recorder.clone()),
            _ => Tape::None,
        }
    }

    /// The memory for the responses to this client.
    pub fn memory(&self) -> &MemoryShare {
        &self.memory
    }

    /// Scheme, host and port.
    pub fn address(&self) -> String {
        match &self.transport {
            Transport::Server(connections) => connections.access().address(),
            Transport::Record(replay) => replay.reached().curl.address.clone(),
        }
    }

    /// The address of the server that a request goes to.
    pub(crate) fn address_for(&self, request: &Request) -> String {
        let server = request.connection.server;
        match &self.transport {
            Transport::Server(connections) => connections.access().server(server).address(),
            Transport::Record(replay) => replay.reached().curl.address_of(server).to_owned(),
        }
    }

    /// The URL that requests to the target have, as the origin of a `WebSocket`.
    pub fn url(&self) -> String {
        match &self.transport {
            Transport::Server(connections) => connections.access().url(),
            Transport::Record(replay) => replay.reached().curl.url_of(0),
        }
    }

    /// The addresses of the other servers of the control plane.
    pub fn replicas(&self) -> Vec<String> {
        match &self.transport {
            Transport::Server(connections) => connections.access().replicas(),
            Transport::Record(replay) => replay.reached().curl.replicas.clone(),
        }
    }

    /// How curl sends the same requests.
    pub async fn curl(&self) -> Result<Curl, TestError> {
        match &self.transport {
            Transport::Server(connections) => connections.access().curl().await,
            Transport::Record(replay) => Ok(replay.reached().curl.clone()),
        }
    }

    /// Whether the connection is encrypted.
    pub fn encrypted(&self) -> bool {
        match &self.transport {
            Transport::Server(connections) => connections.access().encrypted(),
            Transport::Record(replay) => replay.reached().encrypted,
        }
    }

    /// Whether a bearer token is all that tells the server who we are.
    pub async fn is_by_token_alone(&self) -> Result<bool, TestError> {
        match &self.transport {
            Transport::Server(connections) => connections.access().is_by_token_alone().await,
            Transport::Record(replay) => Ok(replay.reached().by_token_alone),
        }
    }

    /// Hides this target's credentials.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Sends a request and reads the response to its end.
    pub async fn send(&self, request: &Request, agent: &str) -> Result<(Response, Timing), TestError> {
        let limit = request.within.unwrap_or(self.request_timeout);
        let whole = async {
            let opened = self.open(request, agent).await?;
            self.read(request, opened).await
        };
        let over = async {
            tokio::time::sleep(limit).await;
            while self.memory.is_waiting() {
                tokio::time::sleep(limit).await;
            }
        };
        unless_after(self.room(), over, whole).await.unwrap_or_else(|| {
            self.leave_connection(request);
            let why = format!("no complete response within {} s", limit.as_secs_f32());
            Err(self.test_error(request, &ConnectionError::new(why, LATE)))
        })
    }

    /// Sends a request and gives the head of the response, and what follows it.
    pub async fn relay(&self, request: &Request, agent: &str) -> Result<(Response, Relayed), TestError> {
        let opened = self.open(request, agent).await?;
        let response = opened.response.clone();
        if response.status == 101 {
            let upgraded = opened.upgrade().await;
            let upgraded =
                upgraded.map_err(|why| self.test_error(request, &ConnectionError::new(why, "")))?;
            return Ok((response, Relayed::Connection(upgraded)));
        }
        let pieces = stream::try_unfold(opened, |mut opened| async {
            Ok(opened.next_chunk().await?.map(|piece| (piece, opened)))
        });
        Ok((response, Relayed::Body(pieces.boxed())))
    }

    /// Reads a response to its end. Its timing leaves out the time in which kube-assay waited for memory.
    pub async fn read(&self, request: &Request, mut opened: Opened) -> Result<(Response, Timing), TestError> {
        let mut waited = Duration::ZERO;
        let reservation = self.memory.reservation(copies(request)).dense(is_cbor(&opened.response));
        let mut body = Body::of(request, &opened.response, reservation);
        while let Some(chunk) = self.piece(request, &mut opened).await? {
            let received = Instant::now();
            let added = body.add(&chunk).await;
            waited += received.elapsed();
            if !added.map_err(|too_large| self.too_large(request, &too_large))? {
                break;
            }
        }
        opened.read_whole();
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

    async fn piece(&self, request: &Request, opened: &mut Opened) -> Result<Option<Bytes>, TestError> {
        opened.next_piece().await.map_err(|why| {
            TestError::new(self.action(request), self.redactor.redact(&why.cause)).hint(why.hint)
        })
    }

    /// The result of an exchange that [`Self::open`] begins; `None` if the time is over before.
    pub fn within<T>(
        &self,
        limit: Duration,
        exchange: impl Future<Output = T>,
    ) -> impl Future<Output = Option<T>> {
        unless_after(self.room(), async move { tokio::time::sleep(limit).await }, exchange)
    }

    /// Waits while the record is behind. No timeout of a request counts it.
    async fn room(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.room().await;
        }
    }

    /// Sends a request and reads the head of the response only. A run that is recorded calls it in [`Self::within`].
    pub async fn open(&self, request: &Request, agent: &str) -> Result<Opened, TestError> {
        let mut recording = self
            .recorder
            .as_ref()
            .map(|recorder| Box::new(Recording::begin(recorder, &Branch::current().id, request)));
        let opened = self.open_unrecorded(request, agent).await;
        match (&opened, &mut recording) {
            (Ok(opened), Some(recording)) => {
                recording.head(&opened.response, opened.head);
                if opened.text.is_none() {
                    recording.foresee(&opened.response);
                }
            }
            (Err(why), Some(recording)) => recording.end(Some(why.clone())),
            (_, None) => {}
        }
        opened.map(|opened| Opened { recording, ..opened })
    }

    async fn open_unrecorded(&self, request: &Request, agent: &str) -> Result<Opened, TestError> {
        let (response, source, sent, head) = match &self.transport {
            Transport::Server(connections) => {
                let opened = connections.open(request, agent).await.map_err(|why| match why {
                    Unsent::Unprepared(why) => why,
                    Unsent::Connection(why) => self.test_error(request, &why),
                });
                let (response, body, sent) = opened?;
                (response, Source::Server(Box::new(body)), sent, sent.elapsed())
            }
            Transport::Record(replay) => {
                let (response, head, body) = replay.open(request, &Branch::current().id).await?;
                (response, Source::Record(Box::new(body)), Instant::now(), head)
            }
        };
        // A record has only what was needed.
        let text = LongText::of(request, &response).filter(|_| matches!(source, Source::Server(_)));
        Ok(Opened { response, source, sent, head, recording: None, text: text.map(Box::new) })
    }

    fn too_large(&self, request: &Request, why: &TooLargeBody) -> TestError {
        let cause = format!("the response is too large to be judged: {why}");
        self.test_error(request, &ConnectionError::new(cause, TOO_LARGE))
    }

    fn test_error(&self, request: &Request, error: &ConnectionError) -> TestError {
        TestError::new(self.action(request), self.redactor().redact(&error.cause)).hint(error.hint)
    }

    fn leave_connection(&self, request: &Request) {
        if let Transport::Server(connections) = &self.transport {
            connections.leave(&request.connection);
        }
    }

    fn action(&self, request: &Request) -> String {
        format!(
            "get a response to {} {}{}",
            request.method,
            self.address_for(request),
            request.path_and_query()
        )
    }
}

/// The number of parsed copies of a response that a scenario holds: it copies the objects of lists, and compares them.
fn copies(request: &Request) -> usize {
    // A text without objects, which scenarios read as it is.
    if request.path == "/metrics" {
        return 0;
    }
    let published = ["/openapi", "/version"].iter().any(|path| request.path.starts_with(path));
    if published { 1 } else { 4 }
}

fn is_cbor(response: &Response) -> bool {
    response.headers.iter().any(|(name, value)| name == "content-type" && value.contains("cbor"))
}

#[cfg(test)]
mod tests {
    use model::Protocol;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::kubeconfig::Flags;

    const RESPONSE: &[u8] =
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nvary: Accept-Encoding\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00";

    /// The head that the client sends for this request, and the response that it returns.
    async fn exchange(request: Request) -> (String, Response) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        let flags = Flags { token: Some("token".to_owned()), ..Flags::at(server) };
        let access = Access::load(flags.into()).await.unwrap();
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
