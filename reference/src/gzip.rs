//! Gzip: compression of large responses as in kube-apiserver, and compressed streams for faults.

use std::io::Write;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::TryStreamExt;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, VARY};

use crate::query::Query;
use crate::route::{ResourcePath, Verb};
use crate::work_permit::work;

/// The largest body that is not compressed, in bytes.
const THRESHOLD: usize = 128 << 10;

/// Compresses the large responses about resources for clients that accept gzip, but no watches.
pub(crate) async fn compress(request: Request, next: Next) -> Response {
    let applies = accepts_gzip(request.headers()) && is_compressible(&request);
    let response = next.run(request).await;
    if !applies || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    if body.len() <= THRESHOLD {
        return Response::from_parts(parts, Body::from(body));
    }
    mark(&mut parts.headers);
    let packed = work(parts.extensions.get(), || member(&body, Compression::fast()));
    Response::from_parts(parts, Body::from(packed))
}

/// kube-apiserver knows the bare name in lower case alone.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|coding| coding.trim() == "gzip")
}

fn is_compressible(request: &Request) -> bool {
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let path = ResourcePath::parse(request.uri().path());
    path.is_some_and(|path| path.verb(request.method(), &query) != Verb::Watch)
}

/// Sets the headers of a compressed response.
pub(crate) fn mark(headers: &mut HeaderMap) {
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.remove(CONTENT_LENGTH);
}

/// These bytes as a gzip member.
pub(crate) fn member(bytes: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // A Vec takes every byte.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default().into()
}

/// A stream with each of its chunks as a gzip member, as kube-apiserver compresses streaming lists.
pub(crate) fn members(body: Body) -> Body {
    Body::from_stream(body.into_data_stream().map_ok(|chunk| member(&chunk, Compression::fast())))
}
