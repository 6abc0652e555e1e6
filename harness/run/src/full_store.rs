//! A full store: a server whose store takes no write for a time ends the run, with one cause.

use std::sync::Arc;

use http::Method;
use model::{Exchange, FULL_STORE, Request, store_outage};
use target::{branch, in_turn};

use crate::other_writer::STORED;
use crate::session::Session;

impl Session {
    /// Records whether the server refused a write because its store is full. If it goes on to do so, the run stops.
    pub(crate) async fn note_store(self: &Arc<Self>, exchange: &Exchange) {
        let is_refusal = exchange.is_refused_by_full_store();
        if !is_refusal && !shows_room(exchange) {
            return;
        }
        let limit = self.settings.request_timeout;
        if let Some(lasted) = self.full_store.note(is_refusal, limit, || self.is_store_full()).await {
            let since = self.instant_before(lasted);
            self.stop_because(format!(
                "the server has refused each write since {since} because its store is full ({FULL_STORE})"
            ));
        }
    }

    /// What to do about a full store, if that is why the run stopped.
    pub(crate) fn advice_on_store(&self, why: &str) -> Option<&'static str> {
        if self.full_store.has_ended_run() { store_outage(why) } else { None }
    }

    /// Whether the store has no room for a small object either. The run goes on where it has no namespace to look in.
    async fn is_store_full(self: &Arc<Self>) -> bool {
        let Some(create) = self.creation_beside_unchanged() else { return false };
        let session = self.clone();
        let writing = self.writes.spawn(branch(async move { session.fixtures.send(create).await }));
        let written = writing.await;
        in_turn().await;
        written.is_ok_and(|sent| sent.is_ok_and(|created| created.is_refused_by_full_store()))
    }

    fn creation_beside_unchanged(&self) -> Option<Request> {
        Some(self.fixtures.creation_of_configmap(self.namespace_of_unchanged()?, STORED))
    }
}

/// Whether a response shows that the store takes writes.
///
/// Dry runs and reviews store nothing. A full etcd still carries out the deletion of an object that nothing holds, such as a
/// `ConfigMap`; that of a namespace begins with an update, which it refuses.
fn shows_room(exchange: &Exchange) -> bool {
    let request = &exchange.request;
    let may_store = [Method::POST, Method::PUT, Method::PATCH].contains(&request.method)
        && !request.query.contains("dryRun=")
        && !request.path.ends_with("reviews");
    may_store && exchange.succeeded()
}

#[cfg(test)]
mod tests {
    use model::{Response, Timing};
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_stored_shows_that_the_store_has_room() {
        let (configmaps, object) = ("/api/v1/namespaces/a/configmaps", json!({}));
        let review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        for (request, status, shows) in [
            (Request::post(configmaps, &object), 201, true),
            (Request::put("/api/v1/namespaces/a/configmaps/b", &object), 200, true),
            (Request::post(configmaps, &object), 409, false),
            (Request::post(configmaps, &object).query("dryRun", "All"), 201, false),
            (Request::post(review, &object), 201, false),
            (Request::delete("/api/v1/namespaces/a/configmaps/b"), 200, false),
            (Request::get(configmaps), 200, false),
        ] {
            let what = format!("{} {}", request.method, request.path);
            let response = Response { status, ..Response::default() };
            let exchange = Exchange::new(0, request, response, Timing::default());
            assert_eq!(shows_room(&exchange), shows, "{what} {status}");
        }
    }
}
