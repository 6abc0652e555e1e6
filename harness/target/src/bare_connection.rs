//! A connection for one request over HTTP/1.1, to which no library adds a header.

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

type Failed = Box<dyn Error + Send + Sync>;

/// A stream of bytes in both directions.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Sends a request with its own headers alone, and gives the head of the response.
pub(crate) async fn send(access: &Access, request: &Request) -> Result<http::Response<Incoming>, Failed> {
    let identity = &request.connection.identity;
    let url: Uri = format!("{}{}", access.url(), request.path_and_query()).parse()?;
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
    let stream = connect(access, identity).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    // It ends with the body of the response.
    tokio::spawn(connection);
    Ok(sender.send_request(built).await?)
}

async fn connect(access: &Access, identity: &Identity) -> Result<Box<dyn Io>, Failed> {
    let stream = TcpStream::connect(access.endpoint()).await?;
    if !access.encrypted() {
        return Ok(Box::new(stream));
    }
    let mut tls = access.tls(identity).map_err(|why| io::Error::other(why.to_string()))?;
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    let encrypted = TlsConnector::from(Arc::new(tls)).connect(access.name_in_certificate()?, stream);
    Ok(Box::new(encrypted.await?))
}
