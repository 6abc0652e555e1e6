//! A server that only streams: small responses, a large list, and watches to which every write goes out.
//!
//! One thread, so that the generator has another core. It can delay a share of its events, and stop completely.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::Write as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::SendStream;
use h2::server::SendResponse;
use harness::load::Histogram;
use http::{Method, Request, Response};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio_rustls::TlsAcceptor;

use super::{clock, object};

/// One event in this number is delayed, if any is: a little more than one percent, so p99 is a delayed one.
const ONE_IN: u64 = 95;
const HELD: Duration = Duration::from_millis(200);

/// Pods in the list.
const ITEMS: usize = 10_000;

struct State {
    version: Cell<u64>,
    events: broadcast::Sender<(Instant, Bytes)>,
    holds: bool,
    list: Option<Bytes>,
    /// How long each delivery took from the request of its write on, or each response since its request was meant to
    /// start, as it is seen here.
    truth: RefCell<Histogram>,
}

/// Serves until the process ends: `tls` or `plain`, then perhaps `hold` and `list`.
pub(crate) fn serve(arguments: &[String]) {
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let state = Rc::new(State {
        version: Cell::new(1),
        events: broadcast::channel(1 << 14).0,
        holds: has("hold"),
        list: has("list").then(|| Bytes::from(object::list(ITEMS))),
        truth: RefCell::default(),
    });
    let tls = has("tls").then(acceptor);
    super::runtime().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        println!("{scheme}://{}", listener.local_addr().unwrap());
        std::io::stdout().flush().unwrap();
        loop {
            let (tcp, _) = listener.accept().await.unwrap();
            tcp.set_nodelay(true).unwrap();
            tokio::task::spawn_local(accept(tcp, tls.clone(), state.clone()));
        }
    });
}

async fn accept(tcp: tokio::net::TcpStream, tls: Option<TlsAcceptor>, state: Rc<State>) {
    let Some(tls) = tls else { return one(tcp, state).await };
    let Ok(tls) = tls.accept(tcp).await else { return };
    if tls.get_ref().1.alpn_protocol() == Some(b"h2") { two(tls, state).await } else { one(tls, state).await }
}

fn acceptor() -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config =
        rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config =
        config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

impl State {
    /// A write: the event goes out to all connections.
    fn write(&self, path: &str, body: &[u8], came: Instant) -> Bytes {
        let version = self.version.get() + 1;
        self.version.set(version);
        let marker = b"\"kube-assay/stamp\":\"";
        let stamp = memchr::memmem::find(body, marker).map(|at| &body[at + marker.len()..]);
        let stamp = stamp.and_then(|rest| rest.split(|byte| *byte == b'"').next()).unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let event = object::event(name, version, &String::from_utf8_lossy(stamp));
        let _ = self.events.send((came, Bytes::from(event)));
        Bytes::from(format!("{{\"metadata\":{{\"resourceVersion\":\"{version}\"}}}}"))
    }

    /// The responses that are sent at once.
    fn respond(&self, method: &Method, path: &str, body: &[u8], came: Instant) -> Bytes {
        if let Some(millis) = path.strip_prefix("/stop/") {
            std::thread::sleep(Duration::from_millis(millis.parse().unwrap()));
            return Bytes::from_static(b"{}");
        }
        match (method, path) {
            (&Method::PUT, path) => self.write(path, body, came),
            (_, "/truth") => Bytes::from(self.seen().to_string()),
            (_, path) if path.ends_with("/pods") => match &self.list {
                Some(list) => list.clone(),
                None => Bytes::from_static(br#"{"metadata":{"resourceVersion":"1"},"items":[]}"#),
            },
            _ => Bytes::from_static(SMALL),
        }
    }

    /// The measurements so far, in milliseconds.
    fn seen(&self) -> Value {
        let truth = self.truth.borrow();
        let at = |name: &str| truth.inner().value_at_quantile(quantile(name)) as f64 / 1e3;
        QUANTILES.iter().map(|name| ((*name).to_owned(), json!(at(name)))).collect()
    }

    fn sent(&self, came: Instant) {
        self.truth.borrow_mut().record(came.elapsed().as_micros() as u64);
    }

    /// Records the latency of a request that has its intended start in the query.
    fn record_latency(&self, query: Option<&str>) {
        let Some(intended) = query.and_then(|query| query.strip_prefix("intended=")) else { return };
        let nanos = clock::nanos().saturating_sub(intended.parse().unwrap());
        self.truth.borrow_mut().record(nanos / 1_000);
    }
}

const QUANTILES: [&str; 7] = ["p50", "p90", "p92", "p95", "p99", "p995", "p999"];

/// The quantile of a name such as `p995`.
pub(crate) fn quantile(name: &str) -> f64 {
    format!("0.{}", &name[1..]).parse().unwrap()
}

const SMALL: &[u8] = br#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"load","uid":"6f1b7c5e-0d0c-4f5e-9a36-2d7c1f5a9b10","resourceVersion":"12345","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"load"},"managedFields":[{"manager":"kube-assay","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}]},"data":{"a":"one","b":"two","c":"three"}}"#;

async fn one<T: AsyncRead + AsyncWrite + Unpin + 'static>(io: T, state: Rc<State>) {
    let respond = move |request: Request<hyper::body::Incoming>| {
        let (state, came) = (state.clone(), Instant::now());
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
            let mut left = state.respond(&head.method, head.uri.path(), &body, came);
            state.record_latency(head.uri.query());
            let pieces = std::iter::from_fn(move || {
                (!left.is_empty())
                    .then(|| Ok::<_, Infallible>(Frame::data(left.split_to(left.len().min(32 << 10)))))
            });
            let body = StreamBody::new(futures::stream::iter(pieces));
            Ok::<_, Infallible>(Response::new(body))
        }
    };
    let service = hyper::service::service_fn(respond);
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(io), service).await;
}

/// What one connection has to send.
#[derive(Default)]
struct Watches {
    open: Vec<SendStream<Bytes>>,
    held: VecDeque<(Instant, Instant, usize, Bytes)>,
    count: u64,
}

async fn two<T: AsyncRead + AsyncWrite + Unpin + 'static>(io: T, state: Rc<State>) {
    let mut builder = h2::server::Builder::new();
    builder
        .max_concurrent_streams(100)
        .initial_connection_window_size(4 << 20)
        .max_send_buffer_size(64 << 20);
    let Ok(mut connection) = builder.handshake::<_, Bytes>(io).await else { return };
    let (mut events, mut watches) = (state.events.subscribe(), Watches::default());
    loop {
        let due = watches.held.front().map(|held| held.0);
        tokio::select! {
            accepted = connection.accept() => match accepted {
                Some(Ok((request, respond))) => watches.take(request, respond, &state),
                _ => return,
            },
            Ok((came, event)) = events.recv() => watches.send(came, &event, &state),
            () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {
                watches.release(&state);
            }
        }
    }
}

impl Watches {
    fn take(
        &mut self,
        request: Request<h2::RecvStream>,
        mut respond: SendResponse<Bytes>,
        state: &Rc<State>,
    ) {
        let (head, mut body) = request.into_parts();
        if head.uri.query().is_some_and(|query| query.contains("watch=1")) {
            self.open.extend(respond.send_response(Response::new(()), false));
            return;
        }
        let (state, came) = (state.clone(), Instant::now());
        tokio::task::spawn_local(async move {
            let mut whole = Vec::new();
            while let Some(Ok(piece)) = body.data().await {
                let _ = body.flow_control().release_capacity(piece.len());
                whole.extend_from_slice(&piece);
            }
            let response = state.respond(&head.method, head.uri.path(), &whole, came);
            if let Ok(mut stream) = respond.send_response(Response::new(()), false) {
                let _ = stream.send_data(response, true);
            }
        });
    }

    fn send(&mut self, came: Instant, event: &Bytes, state: &State) {
        for index in 0..self.open.len() {
            self.count += 1;
            if state.holds && self.count.is_multiple_of(ONE_IN) {
                self.held.push_back((came + HELD, came, index, event.clone()));
            } else {
                let _ = self.open[index].send_data(event.clone(), false);
                if state.holds {
                    state.sent(came);
                }
            }
        }
    }

    fn release(&mut self, state: &State) {
        while self.held.front().is_some_and(|held| held.0 <= Instant::now()) {
            let Some((_, came, index, event)) = self.held.pop_front() else { return };
            let _ = self.open[index].send_data(event, false);
            state.sent(came);
        }
    }
}
