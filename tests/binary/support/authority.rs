//! A certificate authority, and TLS in front of a plain server.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::RUNTIME;

/// Signs certificates.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate with its key, both PEM.
pub(crate) struct Certified {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // curl takes a certificate for self-signed whose issuer has its own name.
        params.distinguished_name.push(DnType::CommonName, "Authority");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self { issuer }
    }

    /// The certificate to trust, as PEM.
    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// A certificate for a name.
    pub(crate) fn certify(&self, name: &str) -> Certified {
        self.sign(&CertificateParams::new(vec![name.to_owned()]).unwrap())
    }

    /// A certificate for a name that is that of an authority, signed by itself.
    pub(crate) fn certify_itself(name: &str) -> Certified {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Certified { certificate: params.self_signed(&key).unwrap().pem(), key: key.serialize_pem() }
    }

    /// An expired certificate for a name.
    pub(crate) fn certify_expired(&self, name: &str) -> Certified {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2001, 1, 1);
        params.not_after = rcgen::date_time_ymd(2002, 1, 1);
        self.sign(&params)
    }

    fn sign(&self, params: &CertificateParams) -> Certified {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Certified { certificate, key: key.serialize_pem() }
    }

    /// TLS for 127.0.0.1 in front of a plain server.
    pub(crate) fn guard(&self, plain: &str) -> SocketAddr {
        self.guard_as(&self.certify("127.0.0.1"), plain, false)
    }

    /// The same, for clients with a certificate of this authority only.
    pub(crate) fn guard_mutually(&self, plain: &str) -> SocketAddr {
        self.guard_as(&self.certify("127.0.0.1"), plain, true)
    }

    /// TLS with a given certificate in front of a plain server.
    pub(crate) fn guard_as(&self, own: &Certified, plain: &str, mutual: bool) -> SocketAddr {
        let builder =
            ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let builder = if mutual {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_slice(self.pem().as_bytes()).unwrap()).unwrap();
            let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        } else {
            builder.with_no_client_auth()
        };
        let chain = vec![CertificateDer::from_pem_slice(own.certificate.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).unwrap();
        let config = builder.with_single_cert(chain, key).unwrap();
        RUNTIME.block_on(listen(TlsAcceptor::from(Arc::new(config)), plain.to_owned()))
    }
}

async fn listen(acceptor: TlsAcceptor, plain: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(forward(acceptor.clone(), stream, plain.clone()));
        }
    });
    address
}

/// A closed connection is no error.
async fn forward(acceptor: TlsAcceptor, stream: TcpStream, plain: String) {
    let mut outside = match acceptor.accept(stream).into_fallible().await {
        Ok(outside) => outside,
        // Closing a socket with unread bytes discards the alert.
        Err((_, mut refused)) => return drop(tokio::io::copy(&mut refused, &mut tokio::io::sink()).await),
    };
    let Ok(mut inside) = TcpStream::connect(plain).await else { return };
    let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
}
