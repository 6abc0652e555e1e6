//! A response in pieces; each read releases its bytes in the window at once.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;

use super::request_error::RequestError;

/// The head of a response, and its body as it arrives.
#[derive(Debug)]
pub struct StreamedResponse {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Body,
}

/// A body as it arrives.
#[derive(Debug)]
pub struct Body(pub(super) Source);

#[derive(Debug)]
pub(super) enum Source {
    Two(h2::RecvStream),
    One(hyper::body::Incoming),
}

impl Body {
    /// The next piece; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>, RequestError> {
        match &mut self.0 {
            Source::Two(stream) => of_two(stream).await,
            Source::One(body) => of_one(body).await,
        }
    }

    /// Reads to the end, keeps nothing, and returns the number of bytes.
    pub async fn discard(&mut self) -> Result<u64, RequestError> {
        let mut bytes = 0;
        while let Some(piece) = self.next().await? {
            bytes += piece.len() as u64;
        }
        Ok(bytes)
    }
}

async fn of_two(stream: &mut h2::RecvStream) -> Result<Option<Bytes>, RequestError> {
    let Some(piece) = stream.data().await else { return Ok(None) };
    let piece = piece.map_err(|why| RequestError::of_stream(&why))?;
    // At once: a closing window would make the server look slow.
    let _ = stream.flow_control().release_capacity(piece.len());
    Ok(Some(piece))
}

async fn of_one(body: &mut hyper::body::Incoming) -> Result<Option<Bytes>, RequestError> {
    while let Some(frame) = body.frame().await {
        match frame.map_err(|_| RequestError::Cut)?.into_data() {
            Ok(piece) => return Ok(Some(piece)),
            Err(_trailers) => {}
        }
    }
    Ok(None)
}
