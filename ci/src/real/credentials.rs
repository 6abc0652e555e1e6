//! The certificate authority, certificates, keys and tokens of a temporary server and its users.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::pki_types::CertificateDer;
use serde_json::json;

use crate::task_error::TaskError;

/// The credential files of kube-apiserver, and the tokens of its users.
#[derive(Debug)]
pub(crate) struct Credentials {
    /// The certificate of the authority, for clients.
    pub(crate) authority_file: PathBuf,
    /// The same in memory.
    pub(crate) authority: CertificateDer<'static>,
    /// The serving certificate.
    pub(crate) certificate_file: PathBuf,
    /// The key of the serving certificate.
    pub(crate) key_file: PathBuf,
    /// The key that signs service account tokens.
    pub(crate) signing_file: PathBuf,
    /// The public key that verifies them.
    pub(crate) verifying_file: PathBuf,
    /// The file of tokens and users.
    pub(crate) tokens_file: PathBuf,
    /// The token of a member of `system:masters`.
    pub(crate) admin: String,
    /// The token of a user without rights.
    pub(crate) user: String,
}

impl Credentials {
    /// Creates everything in a folder.
    pub(crate) fn create(folder: &Path) -> Result<Self, TaskError> {
        let (authority, issuer) = authority().map_err(TaskError::failed_to("make an authority"))?;
        let (certificate, key) = serving(&issuer).map_err(TaskError::failed_to("make a certificate"))?;
        let signer = KeyPair::generate().map_err(TaskError::failed_to("make a key"))?;
        let (admin, user) = (token(), token());
        let tokens =
            format!("{admin},assay-admin,assay-admin,\"system:masters\"\n{user},assay-user,assay-user\n");
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            let trying = TaskError::failed_to(format!("write {}", path.display()));
            fs::write(&path, text).map(|()| path).map_err(trying)
        };
        Ok(Self {
            authority_file: write("ca.crt", &authority.pem())?,
            authority: authority.der().clone(),
            certificate_file: write("serving.crt", &certificate.pem())?,
            key_file: write("serving.key", &key.serialize_pem())?,
            signing_file: write("service-account.key", &signer.serialize_pem())?,
            verifying_file: write("service-account.pub", &signer.public_key_pem())?,
            tokens_file: write("tokens.csv", &tokens)?,
            admin,
            user,
        })
    }

    /// A kubeconfig for the administrator. JSON is valid YAML.
    pub(crate) fn kubeconfig(&self, url: &str) -> String {
        json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "real",
            "contexts": [{"name": "real", "context": {"cluster": "real", "user": "admin"}}],
            "clusters": [{"name": "real", "cluster": {"server": url, "certificate-authority": self.authority_file}}],
            "users": [{"name": "admin", "user": {"token": self.admin}}],
        })
        .to_string()
    }
}

fn authority() -> Result<(Certificate, Issuer<'static, KeyPair>), rcgen::Error> {
    let mut params = CertificateParams::new([])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "kube-assay throwaway authority");
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let key = KeyPair::generate()?;
    Ok((params.self_signed(&key)?, Issuer::new(params, key)))
}

fn serving(issuer: &Issuer<'static, KeyPair>) -> Result<(Certificate, KeyPair), rcgen::Error> {
    let names = ["127.0.0.1", "localhost", "kubernetes.default.svc"];
    let mut params = CertificateParams::new(names.map(String::from))?;
    params.distinguished_name.push(DnType::CommonName, "kube-apiserver");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    Ok((params.signed_by(&key, issuer)?, key))
}

/// The hasher's random keys make the token unpredictable enough for a short-lived loopback server.
fn token() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_file_has_the_tokens() {
        let folder = tempfile::tempdir().expect("a temporary folder");

        let credentials = Credentials::create(folder.path()).expect("credentials");

        assert_ne!(credentials.admin, credentials.user);
        let tokens = fs::read_to_string(&credentials.tokens_file).expect("a file");
        let admin = tokens.lines().next().expect("a line");
        assert!(admin.starts_with(&credentials.admin) && admin.ends_with("\"system:masters\""), "{tokens}");
        let pem = fs::read_to_string(&credentials.authority_file).expect("a file");
        assert!(pem.starts_with("-----BEGIN CERTIFICATE-----"), "{pem}");
    }
}
