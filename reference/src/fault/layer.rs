//! Fault layer: the tower layer that applies the faults to requests and responses.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use http::{Request, StatusCode};
use tower::{Layer, Service, ServiceExt};

use super::condition::RequestFacts;
use super::edit::Edit;
use super::effect::{Effects, Sent};
use super::{Fault, FaultMechanism, Wire, body_chunks, stream};
use crate::failure::Failure;
use crate::gzip;

/// Wraps a server (or a proxy to one) in faults.
#[derive(Debug, Clone)]
pub struct FaultLayer {
    wires: Arc<[Wire]>,
    load: Arc<Load>,
    previous: Arc<Previous>,
    effects: Option<Effects>,
}

/// The latest response to each method and path.
type Previous = Mutex<HashMap<String, (StatusCode, HeaderMap, Bytes)>>;

impl FaultLayer {
    /// A layer for the faults on the wire, without those of replicas.
    pub fn new(faults: &[&'static Fault]) -> Self {
        let wires = faults.iter().filter_map(|fault| match fault.rule {
            FaultMechanism::Wire(wire) => Some(wire),
            FaultMechanism::Store(_) | FaultMechanism::Expressions(_) | FaultMechanism::Replica(_) => None,
        });
        Self::of(&wires.collect::<Vec<_>>())
    }

    /// A layer for the faults on the wire of a replica.
    pub fn of_replica(faults: &[&'static Fault]) -> Self {
        let wires = faults.iter().filter_map(|fault| match fault.rule {
            FaultMechanism::Wire(wire) | FaultMechanism::Replica(wire) => Some(wire),
            FaultMechanism::Store(_) | FaultMechanism::Expressions(_) => None,
        });
        Self::of(&wires.collect::<Vec<_>>())
    }

    /// A layer for any rules.
    pub fn of(wires: &[Wire]) -> Self {
        Self { wires: wires.into(), load: Arc::default(), previous: Arc::default(), effects: None }
    }

    /// Counts the exchanges that the layer changes.
    pub fn counting(self, effects: &Effects) -> Self {
        Self { effects: Some(effects.clone()), ..self }
    }
}

impl<S> Layer<S> for FaultLayer {
    type Service = FaultService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        FaultService { inner, layer: self.clone() }
    }
}

#[derive(Debug, Clone)]
/// A server behind a fault layer.
pub struct FaultService<S> {
    inner: S,
    layer: FaultLayer,
}

/// The number of requests, and the times of the latest ones.
#[derive(Debug, Default)]
struct Load {
    all: AtomicUsize,
    recent: Mutex<VecDeque<Instant>>,
}

impl Load {
    /// Counts a request. Returns the totals of all requests and of the last second.
    fn count(&self) -> (usize, usize) {
        let all = self.all.fetch_add(1, Ordering::Relaxed) + 1;
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        recent.push_back(now);
        while recent.front().is_some_and(|then| now.duration_since(*then) > Duration::from_secs(1)) {
            recent.pop_front();
        }
        (all, recent.len())
    }
}

impl<S> Service<Request<Body>> for FaultService<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = self.inner.clone();
        let FaultLayer { wires, load, previous, effects } = self.layer.clone();
        if wires.is_empty() {
            return Box::pin(inner.oneshot(request));
        }
        let (number, recent) = load.count();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let facts = RequestFacts::of(&parts, number, recent);
            let matching: Vec<Wire> = wires
                .iter()
                .filter(|wire| wire.when.iter().all(|when| when.may_hold(&facts)))
                .copied()
                .collect();
            let request = Request::from_parts(parts, body);
            if matching.is_empty() {
                inner.oneshot(request).await
            } else {
                respond_with_faults(inner, request, facts, &matching, (effects, previous)).await
            }
        })
    }
}

async fn respond_with_faults<S>(
    inner: S,
    request: Request<Body>,
    facts: RequestFacts,
    wires: &[Wire],
    (effects, previous): (Option<Effects>, Arc<Previous>),
) -> Result<Response, Infallible>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let edits = || wires.iter().flat_map(|wire| wire.edits);
    let count = |changed| effects.iter().for_each(|effects| effects.note(changed));
    let (parts, body) = request.into_parts();
    let original =
        Sent { parts, body: to_bytes(body, crate::fault_proxy::LARGEST).await.unwrap_or_default() };
    let mut sent = original.clone();
    edits().for_each(|edit| edit.request(&mut sent.parts, &mut sent.body));
    if let Some(mut response) = edits().find_map(response_instead) {
        let headers = edits().filter(|edit| matches!(edit, Edit::Header(..)));
        headers.for_each(|edit| edit.head(&mut StatusCode::default(), response.headers_mut()));
        count(true);
        return Ok(response);
    }
    if let Some(effects) = &effects {
        effects.note_request(inner.clone(), &facts, &original, &sent).await;
    }
    for edit in edits() {
        if let Edit::Resend(waits) = edit {
            let repeated: Vec<_> = waits.iter().map(|wait| (*wait, sent.request())).collect();
            tokio::spawn(repeat(inner.clone(), repeated));
            count(true);
        }
    }
    let several = edits().flat_map(|edit| edit.several(&sent.parts, &sent.body));
    let mut several: Vec<_> = several.map(|(parts, body)| Sent { parts, body }).collect();
    let last = several.pop().unwrap_or_else(|| sent.clone());
    count(!several.is_empty() || !last.is(&sent));
    for sent in several {
        inner.clone().oneshot(sent.request()).await?;
    }
    let response = inner.oneshot(last.request()).await?;
    if let Some(milliseconds) = edits().find_map(|edit| match edit {
        Edit::Delay(milliseconds) => Some(*milliseconds),
        _ => None,
    }) {
        count(true);
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }
    Ok(edit_response(response, &facts, wires, (effects, &previous)).await)
}

/// Sends requests in order, each after a delay in milliseconds.
async fn repeat<S>(inner: S, repeated: Vec<(u64, Request<Body>)>)
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    for (milliseconds, request) in repeated {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        let _ = inner.clone().oneshot(request).await;
    }
}

/// The response without a request to the server.
fn response_instead(edit: &'static Edit) -> Option<Response> {
    match edit {
        Edit::Reject(code, reason, message) => Some(Failure::made_up(*code, reason, message).into_response()),
        Edit::Respond(code, media, text) => {
            let mut response = Response::new(Body::from(*text));
            *response.status_mut() = StatusCode::from_u16(*code).unwrap_or_default();
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media));
            Some(response)
        }
        _ => None,
    }
}

async fn edit_response(
    response: Response,
    facts: &RequestFacts,
    wires: &[Wire],
    (effects, previous): (Option<Effects>, &Previous),
) -> Response {
    let (mut parts, body) = response.into_parts();
    if facts.follows_log() && parts.status == StatusCode::OK {
        let status = parts.status;
        let holds = |wire: &&Wire| wire.when.iter().all(|when| when.holds(facts, status, &[]));
        let edits = wires.iter().filter(holds).flat_map(|wire| wire.edits);
        edits.for_each(|edit| edit.head(&mut parts.status, &mut parts.headers));
        return Response::from_parts(parts, body);
    }
    // An open watch is a stream. Other responses are read as a whole.
    let streams = facts.is_watch() && parts.status == StatusCode::OK;
    let (mut whole, mut streamed) = if streams {
        (Bytes::new(), Some(body))
    } else {
        (to_bytes(body, usize::MAX).await.unwrap_or_default(), None)
    };
    let holding =
        wires.iter().filter(|wire| wire.when.iter().all(|when| when.holds(facts, parts.status, &whole)));
    let edits: Vec<&'static Edit> = holding.flat_map(|wire| wire.edits).collect();
    let before = effects.as_ref().map(|_| (parts.status, parts.headers.clone(), whole.clone()));
    if !streams && edits.iter().any(|edit| matches!(edit, Edit::AsBefore)) {
        let response = (parts.status, parts.headers.clone(), whole.clone());
        let mut previous = previous.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = previous.insert(format!("{} {}", facts.method, facts.path), response) {
            (parts.status, parts.headers, whole) = before;
        }
    }
    for edit in &edits {
        edit.head(&mut parts.status, &mut parts.headers);
        whole = edit.body(facts, whole);
        if matches!(edit, Edit::Fail(..) | Edit::Text(_)) {
            streamed = None;
        }
    }
    let chunked = edits.iter().any(|edit| matches!(edit, Edit::SmallChunks));
    if let (Some(effects), Some((status, headers, body))) = (&effects, before) {
        let changed = (status, &headers) != (parts.status, &parts.headers) || !equivalent(&body, &whole);
        effects.note(chunked || changed || streams != streamed.is_some());
    }
    parts.headers.remove(CONTENT_LENGTH);
    let compressed = edits.iter().any(|edit| matches!(edit, Edit::Gzip));
    let body = match streamed {
        None => Body::from(whole),
        Some(body) if compressed => gzip::members(stream::changed(body, edits, effects)),
        Some(body) => stream::changed(body, edits, effects),
    };
    let body = if chunked { body_chunks::cut(body) } else { body };
    Response::from_parts(parts, body)
}

/// Whether two bodies are equal, or equal as JSON.
fn equivalent(one: &Bytes, other: &Bytes) -> bool {
    let json = |body: &Bytes| serde_json::from_slice::<serde_json::Value>(body).ok();
    one == other || json(one).is_some_and(|one| json(other).is_some_and(|other| one == other))
}
