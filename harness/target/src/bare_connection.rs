//! A connection for one request over HTTP/1.1, to which no library adds a header.

use std::error::Error;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use model::Identity;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::access::Access;

type Failed = Box<dyn Error + Send + Sync>;

/// A stream of bytes in both directions.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Sends a request with its own headers alone, and gives the head of the response. The request's URL is whole.
pub(crate) async fn send(
    access: &Access,
    identity: &Identity,
    request: http::Request<Bytes>,
) -> Result<http::Response<Incoming>, Failed> {
    let mut request = request.map(Full::new);
    let stream = connect(access, identity, request.uri()).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    // It ends with the body of the response.
    tokio::spawn(connection);
    let host = request.uri().authority().map_or("", |authority| authority.as_str()).parse()?;
    request.headers_mut().insert(http::header::HOST, host);
    *request.uri_mut() = request.uri().path_and_query().map_or("/", |path| path.as_str()).parse()?;
    Ok(sender.send_request(request).await?)
}

async fn connect(access: &Access, identity: &Identity, url: &Uri) -> Result<Box<dyn Io>, Failed> {
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = url.port_u16().unwrap_or(if access.encrypted() { 443 } else { 80 });
    let stream = TcpStream::connect((host.as_str(), port)).await?;
    if !access.encrypted() {
        return Ok(Box::new(stream));
    }
    let mut tls = access.tls(identity).map_err(|why| io::Error::other(why.to_string()))?;
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let encrypted = TlsConnector::from(Arc::new(tls)).connect(ServerName::try_from(host)?, stream);
    Ok(Box::new(encrypted.await?))
}
