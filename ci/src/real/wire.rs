//! A minimal HTTP client: one request per connection, without a library.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::credentials::Credentials;
use crate::task_error::TaskError;

/// The timeout of an exchange.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(5);

/// A status code and a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HttpResponse {
    /// The HTTP status code.
    pub(crate) code: u16,
    pub(crate) body: String,
}

/// Sends a GET over HTTPS as the administrator, and trusts only the server's own authority.
pub(crate) fn get(
    server: SocketAddr,
    path: &str,
    credentials: &Credentials,
) -> Result<HttpResponse, TaskError> {
    let mut roots = RootCertStore::empty();
    roots.add(credentials.authority.clone()).map_err(TaskError::failed_to("trust our own authority"))?;
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TaskError::failed_to("set TLS up"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::IpAddress(server.ip().into());
    let session =
        ClientConnection::new(Arc::new(config), name).map_err(TaskError::failed_to("set TLS up"))?;
    let head = format!("GET {path} HTTP/1.0\r\nAuthorization: Bearer {}\r\n\r\n", credentials.admin);
    exchange(StreamOwned::new(session, connect(server)?), &head)
}

/// Sends a POST with JSON over HTTP.
pub(crate) fn post(server: SocketAddr, path: &str, body: &str) -> Result<HttpResponse, TaskError> {
    let length = body.len();
    let head =
        format!("POST {path} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
    exchange(connect(server)?, &format!("{head}{body}"))
}

fn connect(server: SocketAddr) -> Result<TcpStream, TaskError> {
    let stream = TcpStream::connect_timeout(&server, EXCHANGE_TIMEOUT)
        .and_then(|stream| stream.set_read_timeout(Some(EXCHANGE_TIMEOUT)).map(|()| stream));
    stream.map_err(TaskError::failed_to(format!("connect to {server}")))
}

/// With HTTP/1.0, the response ends with the connection and has no chunks.
fn exchange(mut stream: impl Read + Write, request: &str) -> Result<HttpResponse, TaskError> {
    stream.write_all(request.as_bytes()).map_err(TaskError::failed_to("send a request"))?;
    let mut bytes = Vec::new();
    // A server may close without TLS's close_notify: the parser decides whether the response is complete.
    let read = stream.read_to_end(&mut bytes);
    let complete = parse(&String::from_utf8_lossy(&bytes));
    complete.ok_or_else(|| {
        let cause = read.map_or_else(|error| error.to_string(), |_| "it is not HTTP".into());
        TaskError::new(format!("failed to read a response: {cause}"))
    })
}

fn parse(text: &str) -> Option<HttpResponse> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let code = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    Some(HttpResponse { code, body: body.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    #[test]
    fn a_response_has_a_code_and_a_body() {
        let response = parse("HTTP/1.1 500 Internal Server Error\r\nA: b\r\n\r\n[-]etcd failed");

        assert_eq!(response, Some(HttpResponse { code: 500, body: "[-]etcd failed".into() }));
        assert_eq!(parse("SSH-2.0-OpenSSH\r\n\r\n"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_post_has_a_content_length() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut bytes = [0; 4096];
            let length = stream.read(&mut bytes).expect("a request");
            stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n{}").expect("sent");
            String::from_utf8_lossy(&bytes[..length]).into_owned()
        });

        let response = post(address, "/v3/kv/range", "{\"a\":1}").expect("a response");

        assert_eq!(response, HttpResponse { code: 200, body: "{}".into() });
        let request = server.join().expect("the server ends");
        assert!(request.contains("Content-Length: 7\r\n") && request.ends_with("{\"a\":1}"), "{request}");
    }
}
