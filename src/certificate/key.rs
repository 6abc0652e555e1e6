//! Keys in PEM: ECDSA on P-256, and Ed25519.

use std::path::Path;

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    ParsedPublicKey,
};
use harness::read_input;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};

use crate::digest::sha256;

/// A key that signs.
pub(crate) enum PrivateKey {
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl PrivateKey {
    /// Reads a file in PEM with an unencrypted PKCS#8 key.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let der: PrivatePkcs8KeyDer = read_pem(
            path,
            "it is no PEM file with an unencrypted PKCS#8 key; hint: `openssl genpkey -algorithm ed25519` makes one",
        )?;
        let der = der.secret_pkcs8_der();
        let p256 = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, der).map(Self::P256);
        p256.or_else(|_| Ed25519KeyPair::from_pkcs8(der).map(Self::Ed25519)).map_err(|_| failed(path, OTHER))
    }

    /// The signature of a message.
    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, String> {
        let failed = |_| "failed to sign the certificate: the key refuses".to_owned();
        let signature = match self {
            Self::P256(key) => key.sign(&SystemRandom::new(), message).map_err(failed)?,
            Self::Ed25519(key) => key.try_sign(message).map_err(failed)?,
        };
        Ok(signature.as_ref().to_vec())
    }

    /// The id of its public key: the SHA-256 of its DER.
    pub(crate) fn id(&self) -> String {
        let der: Result<PublicKeyX509Der, _> = match self {
            Self::P256(key) => key.public_key().as_der(),
            Self::Ed25519(key) => key.public_key().as_der(),
        };
        // A key that signs has a public key with a DER.
        der.map(|der| sha256([der.as_ref()])).unwrap_or_default()
    }
}

/// A key that verifies.
pub(crate) struct PublicKey {
    key: ParsedPublicKey,
    id: String,
}

impl PublicKey {
    /// Reads a file in PEM with a public key.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let der: SubjectPublicKeyInfoDer = read_pem(
            path,
            "it is no PEM file with a public key; hint: `openssl pkey -in KEY -pubout` writes the public key of KEY",
        )?;
        let key = ParsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &der)
            .or_else(|_| ParsedPublicKey::new(&ED25519, &der))
            .map_err(|_| failed(path, OTHER))?;
        Ok(Self { key, id: sha256([&der]) })
    }

    /// Whether a signature is of this key and this message.
    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        self.key.verify_sig(message, signature).is_ok()
    }

    /// The SHA-256 of its DER.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

/// Another kind of key.
const OTHER: &str = "it is neither an ECDSA key on P-256 nor an Ed25519 key";

/// The first section of this type in a PEM file.
fn read_pem<T: PemObject>(path: &Path, otherwise: &str) -> Result<T, String> {
    let text = read_input(path).map_err(|why| failed(path, &why.to_string()))?;
    T::from_pem_slice(&text).map_err(|_| failed(path, otherwise))
}

fn failed(path: &Path, why: &str) -> String {
    format!("failed to read the key {}: {why}", path.display())
}
