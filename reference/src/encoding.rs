//! Encodings of responses other than JSON: YAML, Protobuf and CBOR.

use std::convert::Infallible;

use axum::body::{Body, BodyDataStream, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures::{StreamExt, stream};
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use serde_json::Value;

use crate::content_negotiation::{self, Encoding};
use crate::work_permit::work;
use crate::{cbor, protobuf};

/// The encoding that the request and the type of a response have agreed on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Agreed {
    pub(crate) encoding: Encoding,
    /// Whether the response is a watch.
    pub(crate) streams: bool,
}

/// Encodes the JSON of responses as agreed, and errors as the request accepts them.
pub(crate) async fn encode(request: Request, next: Next) -> Response {
    let of_error = content_negotiation::encoding_of_errors(request.headers());
    let response = next.run(request).await;
    let json = response.headers().get(CONTENT_TYPE).is_some_and(|media| media == "application/json");
    let succeeded = response.status().is_success();
    match response.extensions().get::<Agreed>().copied() {
        _ if !json => response,
        Some(Agreed { encoding: Encoding::Json, .. }) if succeeded => response,
        Some(Agreed { encoding, streams: true }) if response.status() == StatusCode::OK => {
            watch(response, encoding)
        }
        Some(Agreed { encoding, .. }) if succeeded => whole(response, encoding, |_| true).await,
        _ if of_error == Encoding::Json => response,
        _ => whole(response, of_error, |json| json["kind"] == "Status").await,
    }
}

/// The response with another body, if that is JSON of this kind.
async fn whole(response: Response, encoding: Encoding, applies: fn(&Value) -> bool) -> Response {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let json = work(parts.extensions.get(), || serde_json::from_slice(&body).ok().filter(applies));
    let Some(json) = json else { return Response::from_parts(parts, Body::from(body)) };
    // A long list takes enough memory as values and in the other encoding.
    drop(body);
    let encoded = work(parts.extensions.get(), || encoding.bytes(&json));
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(encoding.media_type()));
    Response::from_parts(parts, Body::from(encoded))
}

fn watch(response: Response, encoding: Encoding) -> Response {
    let (mut parts, body) = response.into_parts();
    let media_type = match encoding {
        Encoding::Protobuf => "application/vnd.kubernetes.protobuf;stream=watch",
        Encoding::Cbor => "application/cbor-seq",
        Encoding::Json | Encoding::Yaml => "application/json",
    };
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    let events = Events { body: body.into_data_stream(), rest: Vec::new(), encoding };
    let frames = stream::unfold(events, async |mut events| Some((events.next().await?, events)));
    Response::from_parts(parts, Body::from_stream(frames.map(Ok::<_, Infallible>)))
}

/// The events of a watch, as JSON.
struct Events {
    body: BodyDataStream,
    /// The beginning of an event that is not complete.
    rest: Vec<u8>,
    encoding: Encoding,
}

impl Events {
    /// The frames of the next complete events: `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            self.rest.extend_from_slice(&self.body.next().await?.ok()?);
            let mut events = serde_json::Deserializer::from_slice(&self.rest).into_iter::<Value>();
            let mut frames = Vec::new();
            while let Some(Ok(event)) = events.next() {
                frames.extend(match self.encoding {
                    Encoding::Protobuf => protobuf::frame(&event),
                    other => other.bytes(&event),
                });
            }
            self.rest.drain(..events.byte_offset());
            if !frames.is_empty() {
                return Some(frames.into());
            }
        }
    }
}

impl Encoding {
    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Protobuf => protobuf::MEDIA_TYPE,
            Self::Cbor => cbor::MEDIA_TYPE,
        }
    }

    fn bytes(self, json: &Value) -> Vec<u8> {
        match self {
            Self::Json => json.to_string().into_bytes(),
            // YAML has every value of JSON.
            Self::Yaml => serde_saphyr::to_string(json).unwrap_or_default().into_bytes(),
            Self::Protobuf => protobuf::body(json),
            Self::Cbor => cbor::write(json),
        }
    }
}
