//! Fault proxy: plays faults in front of another API server.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderName, HeaderValue, Request, StatusCode};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::sync::watch;

use crate::fault::{Effects, FaultLayer};
use crate::server::{Error, listen, serve};

/// The response of the backend.
pub struct BackendResponse {
    /// The HTTP status code.
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, as a stream of bytes.
    pub body: BoxStream<'static, Result<Bytes, String>>,
    /// The connection in another protocol, after status 101.
    pub connection: Option<Box<dyn Connection>>,
}

/// A connection in another protocol.
pub trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// Sends a request to the backend. The client gets an error with 502.
pub type Transport =
    Arc<dyn Fn(Request<Bytes>) -> BoxFuture<'static, Result<BackendResponse, String>> + Send + Sync>;

/// A proxy on a loopback port. Dropping it closes it.
pub struct FaultProxy {
    addr: SocketAddr,
    closing: watch::Sender<bool>,
    effects: Effects,
}

impl FaultProxy {
    /// Plays the faults of a layer in front of a server. Faults of the store have no effect here.
    pub async fn start(layer: FaultLayer, transport: Transport) -> Result<Self, Error> {
        let (listener, addr) = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let effects = Effects::default();
        let router = Router::new().fallback(pass).with_state(transport).layer(layer.counting(&effects));
        let (closing, mut closed) = watch::channel(false);
        let closed = async move {
            // An error means that the proxy was dropped, which closes it as well.
            let _ = closed.wait_for(|closing| *closing).await;
        };
        tokio::spawn(serve(listener, router, closed));
        Ok(Self { addr, closing, effects })
    }

    /// The URL: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// The number of visibly changed exchanges.
    pub fn effects(&self) -> usize {
        self.effects.count()
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.closing.send_replace(true);
    }
}

/// The maximum size of a forwarded body. Servers have lower limits, and reject larger bodies themselves.
pub(crate) const LARGEST: usize = 64 * 1024 * 1024;

async fn pass(State(transport): State<Transport>, mut request: Request<Body>) -> Response {
    let upgrade = hyper::upgrade::on(&mut request);
    let (parts, body) = request.into_parts();
    let body = match to_bytes(body, LARGEST).await {
        Ok(body) => body,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    match transport(Request::from_parts(parts, body)).await {
        Ok(mut backend_response) => {
            if let Some(connection) = backend_response.connection.take() {
                tokio::spawn(join(upgrade, connection));
            }
            response(backend_response)
        }
        Err(error) => (StatusCode::BAD_GATEWAY, error).into_response(),
    }
}

/// Passes the bytes of both connections on until either ends.
async fn join(upgrade: OnUpgrade, mut backend: Box<dyn Connection>) {
    if let Ok(upgraded) = upgrade.await {
        // The end of either connection is not the proxy's affair.
        let _ = copy_bidirectional(&mut TokioIo::new(upgraded), &mut backend).await;
    }
}

fn response(backend_response: BackendResponse) -> Response {
    let switches = backend_response.status == StatusCode::SWITCHING_PROTOCOLS;
    let mut response = Response::new(Body::from_stream(backend_response.body));
    *response.status_mut() = StatusCode::from_u16(backend_response.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let headers = backend_response.headers.into_iter().filter_map(|(name, value)| {
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    });
    // These headers belong to one connection: hyper sets them again.
    let hop_by_hop = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];
    response.headers_mut().extend(headers.filter(|(name, _)| switches || !hop_by_hop.contains(name)));
    response
}
