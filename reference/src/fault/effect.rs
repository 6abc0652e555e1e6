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

/// Counts the exchanges that faults have changed; clones count together.
#[derive(Debug, Clone, Default)]
pub struct Effects(Arc<AtomicUsize>);

impl Effects {
    /// How many exchanges became others, as far as could be seen.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes note of an exchange.
    pub(super) fn note(&self, changed: bool) {
        self.0.fetch_add(usize::from(changed), Ordering::Relaxed);
    }

    /// Takes note of a request that was changed: what is only read can be asked both ways, and a change that leads to the
    /// same response is none.
    pub(super) async fn note_request<S>(&self, inner: S, asked: &RequestFacts, told: &Sent, changed: &Sent)
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
    {
        if told.is(changed) {
            return;
        }
        let only_read = told.parts.method == Method::GET && changed.parts.method == Method::GET;
        let matters =
            !only_read || asked.is_watch() || (self.count() == 0 && differ(inner, told, changed).await);
        self.note(matters);
    }
}

/// A request, as it goes on to the server.
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

/// Whether two requests have different answers. Where the first has not twice the same, nobody can say.
async fn differ<S>(inner: S, one: &Sent, other: &Sent) -> bool
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    let (first, second) = (ask(inner.clone(), one).await, ask(inner.clone(), other).await);
    first != second && first == ask(inner, one).await
}

async fn ask<S>(inner: S, sent: &Sent) -> (StatusCode, Bytes)
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    let Ok(response) = inner.oneshot(sent.request()).await;
    let status = response.status();
    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default())
}
