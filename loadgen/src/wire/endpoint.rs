//! The address of a server, the credentials, and new connections.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use harness::{Access, ConnectionError, Identity, TestError};
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, USER_AGENT};
use http::uri::{Authority, Parts, PathAndQuery, Scheme};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::request_error::RequestError;

/// Timeout for a new connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

const TWO: &[u8] = b"h2";
const ONE: &[u8] = b"http/1.1";

/// The protocol where no TLS negotiates one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Plain {
    /// HTTP/1.1, one request at a time on a connection.
    #[default]
    One,
    /// HTTP/2 without negotiation.
    Two,
}

/// A server and its credentials. Cheap to clone, and shared by all threads.
#[derive(Clone)]
pub struct Endpoint(Arc<Inner>);

struct Inner {
    access: Access,
    scheme: Scheme,
    authority: Authority,
    /// The host as the value of an HTTP/1.1 header.
    host_header: HeaderValue,
    prefix: String,
    /// The name in the server's certificate, with TLS.
    tls: Option<ServerName<'static>>,
    agent: HeaderValue,
    plain: Plain,
}

/// An established connection.
pub(super) struct Connected {
    pub(super) io: Box<dyn Stream>,
    pub(super) two: bool,
}

/// A connection's bytes.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> Stream for T {}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.0.authority).finish()
    }
}

impl Endpoint {
    /// A server, and the name of the user agent. Sends nothing yet.
    pub fn new(access: Access, agent: &str, plain: Plain) -> Result<Self, TestError> {
        let refuse = |why: &str| TestError::new(format!("use the server {}", access.address()), why);
        let address: Uri = access.url().parse().map_err(|_| refuse("it is no URL"))?;
        let authority = address.authority().cloned().ok_or_else(|| refuse("its URL names no host"))?;
        let tls = if access.encrypted() { Some(encryption(&access)?) } else { None };
        Ok(Self(Arc::new(Inner {
            scheme: if tls.is_some() { Scheme::HTTPS } else { Scheme::HTTP },
            prefix: address.path().trim_end_matches('/').to_owned(),
            host_header: HeaderValue::from_str(authority.as_str())
                .map_err(|_| refuse("its host is no name that HTTP knows"))?,
            agent: HeaderValue::from_str(agent).map_err(|_| refuse("our own name is no header"))?,
            access,
            authority,
            tls,
            plain,
        })))
    }

    /// How many client certificates a credential plugin has issued.
    pub(super) fn issued_certificates(&self) -> u64 {
        self.0.access.issued_certificates()
    }

    /// The headers of every request, with the credentials.
    pub(super) async fn headers(&self) -> Result<HeaderMap, TestError> {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, self.0.agent.clone());
        // Without this header a server may choose any encoding, and the engine reads none.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        for (name, mut value) in self.0.access.headers(&Identity::Own).await? {
            value.set_sensitive(name == AUTHORIZATION);
            headers.append(name, value);
        }
        Ok(headers)
    }

    /// Notes that the server refuses the credentials (401): [`Endpoint::headers`] then has others, if there are any.
    pub(super) fn note_unauthorized(&self) {
        self.0.access.note_status(&Identity::Own, StatusCode::UNAUTHORIZED.as_u16());
    }

    /// Host and port, for the `Host` header.
    pub(super) fn host(&self) -> HeaderValue {
        self.0.host_header.clone()
    }

    /// The URI of a path below the server's address: complete, or the path alone.
    pub(super) fn uri(&self, path: &PathAndQuery, whole: bool) -> Uri {
        let mut parts = Parts::default();
        parts.path_and_query = Some(self.below(path));
        if whole {
            (parts.scheme, parts.authority) = (Some(self.0.scheme.clone()), Some(self.0.authority.clone()));
        }
        Uri::from_parts(parts).unwrap_or_default()
    }

    fn below(&self, path: &PathAndQuery) -> PathAndQuery {
        if self.0.prefix.is_empty() {
            return path.clone();
        }
        format!("{}{path}", self.0.prefix).parse().unwrap_or_else(|_| path.clone())
    }

    /// A new connection.
    pub(super) async fn connect(&self) -> Result<Connected, RequestError> {
        let connecting = tokio::time::timeout(CONNECT_WITHIN, Box::pin(self.dial()));
        if let Ok(connected) = connecting.await {
            return connected
                .map_err(|why| self.unreachable(&ConnectionError::of(&why, self.0.tls.is_some())));
        }
        let why = format!("no connection within {} s", CONNECT_WITHIN.as_secs());
        Err(self.unreachable(&ConnectionError::new(why, "is it the right port, is the server overloaded?")))
    }

    fn unreachable(&self, error: &ConnectionError) -> RequestError {
        let why = self.0.access.redactor().redact(&error.cause);
        let attempted = format!("connect to {}", self.0.access.address());
        RequestError::Unreachable(TestError::new(attempted, why).hint(error.hint))
    }

    async fn dial(&self) -> io::Result<Connected> {
        let tcp = TcpStream::connect(self.0.access.endpoint()).await?;
        tcp.set_nodelay(true)?;
        let Some(name) = &self.0.tls else {
            return Ok(Connected { io: Box::new(tcp), two: self.0.plain == Plain::Two });
        };
        let connector = connector(&self.0.access).map_err(|why| io::Error::other(why.to_string()))?;
        let tls = connector.connect(name.clone(), tcp).await?;
        let two = tls.get_ref().1.alpn_protocol() == Some(TWO);
        Ok(Connected { io: Box::new(tls), two })
    }
}

/// The name in the server's certificate, once it is clear that TLS can be set up.
fn encryption(access: &Access) -> Result<ServerName<'static>, TestError> {
    connector(access)?;
    access.name_in_certificate().map_err(|_| {
        TestError::new(format!("use the server {}", access.address()), "its host is no name that TLS knows")
    })
}

/// For one connection: a credential plugin renews the client certificate.
fn connector(access: &Access) -> Result<TlsConnector, TestError> {
    let mut config = access.tls(&Identity::Own)?;
    config.alpn_protocols = vec![TWO.to_vec(), ONE.to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}
