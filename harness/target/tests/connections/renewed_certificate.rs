//! A credential plugin that renews its client certificate.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use model::Request;
use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use target::{Access, Client, Source};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

const V1: &str = "client.authentication.k8s.io/v1";

type Issuer = CertifiedIssuer<'static, KeyPair>;

fn issuer() -> Result<Issuer, rcgen::Error> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "Authority");
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn certify(issuer: &Issuer) -> Result<(Certificate, KeyPair), rcgen::Error> {
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(vec!["127.0.0.1".to_owned()])?.signed_by(&key, issuer)?;
    Ok((certificate, key))
}

/// TLS for clients with a certificate of this issuer.
fn acceptor(issuer: &Issuer) -> Result<TlsAcceptor, Box<dyn Error>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(issuer.der().clone())?;
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build()?;
    let (certificate, key) = certify(issuer)?;
    let key = PrivateKeyDer::try_from(key.serialize_der())?;
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = builder.with_client_cert_verifier(verifier);
    let config = builder.with_single_cert(vec![certificate.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Responds to every request with the position of the connection's client certificate.
async fn respond(
    acceptor: TlsAcceptor,
    socket: TcpStream,
    certificates: Vec<CertificateDer<'static>>,
) -> io::Result<()> {
    let mut stream = acceptor.accept(socket).await?;
    let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first).cloned();
    let position = certificates.iter().position(|certificate| Some(certificate) == shown.as_ref());
    let body = format!("{position:?}");
    let response = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        stream.write_all(response.as_bytes()).await?;
        stream.flush().await?;
    }
}

/// A certificate that expires at once: the plugin runs again for each request.
fn credential((certificate, key): &(Certificate, KeyPair)) -> Value {
    let status = json!({
        "clientCertificateData": certificate.pem(),
        "clientKeyData": key.serialize_pem(),
        "expirationTimestamp": "2000-01-01T00:00:00Z",
    });
    json!({ "apiVersion": V1, "kind": "ExecCredential", "status": status })
}

/// A user with a plugin that prints the file `now`, and the former file `next` from then on.
fn kubeconfig(server: &str, folder: &Path) -> Value {
    let script = format!("cd '{}' && cat now && if [ -f next ]; then mv next now; fi", folder.display());
    let exec =
        json!({ "apiVersion": V1, "command": "sh", "args": ["-c", script], "interactiveMode": "Never" });
    let cluster = json!({ "server": server, "insecure-skip-tls-verify": true });
    json!({
        "clusters": [{ "name": "c", "cluster": cluster }],
        "users": [{ "name": "u", "user": { "exec": exec } }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    })
}

#[tokio::test]
async fn a_renewed_client_certificate_has_a_connection_of_its_own() {
    let (folder, issuer) = (tempfile::tempdir().unwrap(), issuer().unwrap());
    let issued = [certify(&issuer).unwrap(), certify(&issuer).unwrap()];
    for (name, issued) in ["now", "next"].iter().zip(&issued) {
        std::fs::write(folder.path().join(name), credential(issued).to_string()).unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = format!("https://{}", listener.local_addr().unwrap());
    let path = folder.path().join("config");
    std::fs::write(&path, kubeconfig(&server, folder.path()).to_string()).unwrap();
    let certificates = issued.each_ref().map(|(certificate, _)| certificate.der().clone());
    let acceptor = acceptor(&issuer).unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(respond(acceptor.clone(), socket, certificates.to_vec()));
        }
    });

    let access = Access::load(Source::Kubeconfig { path, context: None }).await.unwrap();
    let client = Client::new(access, Duration::from_secs(20));
    let mut shown = Vec::new();
    for _ in 0..3 {
        let (response, _) = client.send(&Request::get("/"), "test").await.unwrap();
        shown.push(response.body);
    }

    assert_eq!(shown, ["Some(0)", "Some(1)", "Some(1)"]);
}
