//! Fault effects: a counter of the exchanges that faults changed.
//!
//! In front of another server a fault may change nothing, because that server never sends the removed content. A suite
//! that then passes has missed nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, to_bytes};
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, StatusCode};
use tower::{Service, ServiceExt};

use super::condition::RequestFacts;

/// A counter of exchanges that faults changed; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Effects(Arc<AtomicUsize>);

impl Effects {
    /// The number of visibly changed exchanges.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts an exchange if a fault changed it.
    pub(super) fn note(&self, changed: bool) {
        self.0.fetch_add(usize::from(changed), Ordering::Relaxed);
    }

    /// Counts a changed request. For reads, it compares the responses to both requests: equal ones do not count.
    pub(super) async fn note_request<S>(
        &self,
        inner: S,
        facts: &RequestFacts,
        original: &Sent,
        changed: &Sent,
    ) where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
    {
        if original.is(changed) {
            return;
        }
        let reads = original.parts.method == Method::GET && changed.parts.method == Method::GET;
        let effective =
            !reads || facts.is_watch() || (self.count() == 0 && differ(inner, original, changed).await);
        self.note(effective);
    }
}

/// A request to the server.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) parts: Parts,
    pub(super) body: Bytes,
}

impl Sent {
    pub(super) fn request(&self) -> Request<Body> {
        Request::from_parts(self.parts.clone(), Body::from(self.body.clone()))
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        let head = |sent: &Self| {
            let parts = &sent.parts;
            (parts.method.clone(), parts.uri.clone(), parts.headers.clone())
        };
        head(self) == head(other) && self.body == other.body
    }
}

/// Whether two requests get different responses. False if the first request gets two different ones.
async fn differ<S>(inner: S, one: &Sent, other: &Sent) -> bool
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    let (first, second) = (send(inner.clone(), one).await, send(inner.clone(), other).await);
    first != second && first == send(inner, one).await
}

async fn send<S>(inner: S, sent: &Sent) -> (StatusCode, Bytes)
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    let mut request = sent.request();
    // Only the client's own request may take over the connection.
    request.extensions_mut().clear();
    let Ok(response) = inner.oneshot(request).await;
    let status = response.status();
    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default())
}
