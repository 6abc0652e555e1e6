//! The TLS configuration of a client, and what is wrong with the certificates and keys that it is made of.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube_client::Config;
use kube_client::client::ConfigExt;
use kube_client::config::AuthInfo;
use model::TestError;

use crate::certificate_address::{address_in_certificate, expect_address};
use crate::kubeconfig;

/// What is attempted with a configuration whose files were checked.
pub(crate) const SET_UP: &str = "set up TLS";

pub(crate) fn set_up(attempted: &str, config: &Config) -> Result<rustls::ClientConfig, TestError> {
    let made = config.rustls_client_config();
    let mut tls = made.map_err(|why| unusable_tls(attempted, &why, &config.auth_info))?;
    if let (Some(address), Some(authorities)) = (address_in_certificate(config), &config.root_cert)
        && !config.accept_invalid_certs
    {
        expect_address(&mut tls, address, authorities).map_err(|why| TestError::new(attempted, why))?;
    }
    Ok(tls)
}

fn unusable_tls(attempted: &str, error: &kube_client::Error, auth: &AuthInfo) -> TestError {
    use kube_client::client::RustlsTlsError as Wrong;
    let why = match error {
        kube_client::Error::InferKubeconfig(why) => kubeconfig::explain(why),
        kube_client::Error::RustlsTls(Wrong::InvalidPrivateKey(_)) => {
            "the client key does not belong to the client certificate".to_owned()
        }
        // The kube crate looks for the key first.
        kube_client::Error::RustlsTls(Wrong::MissingPrivateKey) if !has_certificate(auth) => {
            "the client certificate is no certificate in PEM".to_owned()
        }
        kube_client::Error::RustlsTls(Wrong::MissingPrivateKey | Wrong::UnknownPrivateKeyFormat) => {
            "the client key is no private key in PEM".to_owned()
        }
        kube_client::Error::RustlsTls(Wrong::MissingCertificate | Wrong::InvalidIdentityPem(_)) => {
            "the client certificate, or its key, is not in PEM".to_owned()
        }
        kube_client::Error::RustlsTls(Wrong::AddRootCertificate(_)) => {
            "the certificate authority is no certificate that we can trust".to_owned()
        }
        other => other.to_string(),
    };
    TestError::new(attempted, why).hint("check the certificates and keys that were given")
}

/// Whether the client certificate is one in PEM, by its first line.
fn has_certificate(auth: &AuthInfo) -> bool {
    let pem = STANDARD.decode(auth.client_certificate_data.as_deref().unwrap_or_default());
    pem.is_ok_and(|pem| String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----"))
}
