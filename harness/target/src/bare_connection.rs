//! A connection of our own; a request over HTTP/1.1 on it, to which no library adds a header.

use std::error::Error;
use std::io;
use std::sync::Arc;

use http::Uri;
use http::header::HOST;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use model::{Identity, Request};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::access::Access;

pub(crate) type Failed = Box<dyn Error + Send + Sync>;

/// A stream of bytes in both directions.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Sends a request with its own headers alone, and gives the head of the response.
pub(crate) async fn send(access: &Access, request: &Request) -> Result<http::Response<Incoming>, Failed> {
    let identity = &request.connection.identity;
    let url: Uri = access.url_of(request)?.parse()?;
    let host = url.authority().map_or("", |authority| authority.as_str());
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let mut built = http::Request::builder().method(request.method.clone()).uri(path).header(HOST, host);
    for (name, value) in &request.headers {
        built = built.header(name, value);
    }
    for (name, value) in access.headers(identity).await.map_err(|why| io::Error::other(why.to_string()))? {
        built = built.header(name, value);
    }
    let built = built.body(Full::new(request.body.clone().unwrap_or_default()))?;
    let stream = connect(access, identity, &[b"http/1.1"]).await?.io;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    // It ends with the body of the response.
    tokio::spawn(connection);
    Ok(sender.send_request(built).await?)
}

/// An established connection.
pub(crate) struct Connected {
    pub(crate) io: Box<dyn Io>,
    /// Whether the server chose HTTP/2.
    pub(crate) is_http2: bool,
}

/// Connects, and negotiates one of these protocols over TLS.
pub(crate) async fn connect(
    access: &Access,
    identity: &Identity,
    protocols: &[&[u8]],
) -> Result<Connected, Failed> {
    let stream = TcpStream::connect(access.endpoint()).await?;
    if !access.encrypted() {
        return Ok(Connected { io: Box::new(stream), is_http2: false });
    }
    let mut tls = access.tls(identity).map_err(|why| io::Error::other(why.to_string()))?;
    tls.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let encrypted = TlsConnector::from(Arc::new(tls)).connect(access.name_in_certificate()?, stream).await?;
    let is_http2 = encrypted.get_ref().1.alpn_protocol() == Some(b"h2");
    Ok(Connected { io: Box::new(encrypted), is_http2 })
}
