//! A server whose certificate has another IP address than the host of its URL (`tls-server-name` of a kubeconfig).
//!
//! Requests go to the URL: the HTTP library connects to an IP address itself, so the address cannot take the place of
//! the host as a name does. Only the verification of the certificate differs, as in Go.

use std::net::IpAddr;
use std::sync::Arc;

use kube_client::Config;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// The IP address that the server's certificate must have in the place of the host of its URL.
pub(crate) fn address_in_certificate(config: &Config) -> Option<IpAddr> {
    config.tls_server_name.as_ref()?.parse().ok()
}

/// Verifies that a certificate has an IP address, whatever host the connection is for.
#[derive(Debug)]
struct AddressVerifier {
    address: ServerName<'static>,
    verifier: Arc<WebPkiServerVerifier>,
}

/// Makes a configuration expect certificates for an IP address, of these authorities in DER. It sends no host name (SNI),
/// as Go sends none.
pub(crate) fn expect_address(
    config: &mut ClientConfig,
    address: IpAddr,
    authorities: &[Vec<u8>],
) -> Result<(), String> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add(CertificateDer::from(authority.clone())).map_err(|why| why.to_string())?;
    }
    let verifier = WebPkiServerVerifier::builder(Arc::new(roots)).build().map_err(|why| why.to_string())?;
    let address = ServerName::from(address);
    config.dangerous().set_certificate_verifier(Arc::new(AddressVerifier { address, verifier }));
    config.enable_sni = false;
    Ok(())
}

impl ServerCertVerifier for AddressVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.verifier.verify_server_cert(end_entity, intermediates, &self.address, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}
