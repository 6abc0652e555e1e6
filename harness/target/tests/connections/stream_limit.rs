//! A server that takes few streams on one connection.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use model::Request;
use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use target::{Access, Client, Flags};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// The limit of streams.
const LIMIT: u32 = 2;

/// TLS that negotiates HTTP/2.
fn acceptor() -> Result<TlsAcceptor, Box<dyn Error>> {
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(vec!["127.0.0.1".to_owned()])?.self_signed(&key)?;
    let key = PrivateKeyDer::try_from(key.serialize_der())?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key)?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Responds to `/watch` with a body that does not end, and to all others with a whole one.
async fn respond(socket: impl AsyncRead + AsyncWrite + Unpin) -> Result<(), h2::Error> {
    let mut builder = h2::server::Builder::new();
    let mut connection = builder.max_concurrent_streams(LIMIT).handshake::<_, Bytes>(socket).await?;
    let mut watches = Vec::new();
    while let Some(accepted) = connection.accept().await {
        let (request, mut respond) = accepted?;
        let is_watch = request.uri().path() == "/watch";
        let body = respond.send_response(http::Response::new(()), !is_watch)?;
        watches.extend(is_watch.then_some(body));
    }
    Ok(())
}

#[tokio::test]
async fn a_request_does_not_wait_for_the_end_of_watches() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let flags = Flags {
        server: format!("https://{}", listener.local_addr().unwrap()),
        token: Some("t".into()),
        insecure_skip_tls_verify: true,
        ..Flags::default()
    };
    let access = Access::load(flags.into()).await.unwrap();
    let client = Client::new(access, Duration::from_secs(20));
    let acceptor = acceptor().unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let accepting = acceptor.accept(socket);
            tokio::spawn(async move { respond(accepting.await.unwrap()).await });
        }
    });

    let mut watches = Vec::new();
    for _ in 0..5 * LIMIT {
        watches.push(client.open(&Request::get("/watch"), "test").await.unwrap());
    }
    let (response, _) = client.send(&Request::get("/"), "test").await.unwrap();

    assert_eq!((response.status, watches.len()), (200, 10));
}
