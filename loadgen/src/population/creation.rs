//! The creation of objects on a server that closes connections: a create without a response may have been processed.

use bytes::Bytes;
use harness::{Exchange, RUN_LABEL, Request, TestError, is_closed_early};

use super::Population;

/// How often a request is sent to a server that closes the connection without a response.
const ATTEMPTS: usize = 4;

/// The response to a create, or to the read of an object that an earlier create left without a response.
pub(super) struct Created {
    pub(super) response: Exchange,
    /// Whether the object is there.
    pub(super) is_there: bool,
}

impl Population {
    /// Creates an object. A conflict with an earlier request without a response shows that the server has processed that
    /// one.
    pub(super) async fn create(
        &self,
        collection: &str,
        name: &str,
        body: Bytes,
    ) -> Result<Created, TestError> {
        let (response, is_again) = self.send(http::Method::POST, collection.to_owned(), body).await?;
        if !is_again || response.status() != 409 {
            return Ok(Created { is_there: response.status() == 201, response });
        }
        let read = self.fixtures.send(Request::get(format!("{collection}/{name}"))).await?;
        let is_ours = read.json().is_some_and(|json| json["metadata"]["labels"][RUN_LABEL] == self.run);
        Ok(Created { response: if is_ours { read } else { response }, is_there: is_ours })
    }

    /// Sends a write, and again if the server closes the connection without a response, as it may with GOAWAY. Returns the
    /// response, and whether it is to a later request than the first.
    pub(super) async fn send(
        &self,
        method: http::Method,
        path: String,
        body: Bytes,
    ) -> Result<(Exchange, bool), TestError> {
        let mut request = Request::new(method, path).header("content-type", "application/json");
        request.body = Some(body);
        for attempt in 1..ATTEMPTS {
            match self.fixtures.send(request.clone()).await {
                Err(why) if is_closed_early(&why.cause) => {}
                sent => return Ok((sent?, attempt > 1)),
            }
        }
        Ok((self.fixtures.send(request).await?, true))
    }
}
