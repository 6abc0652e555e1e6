//! The command lines of `certify` and `verify`.

use std::path::PathBuf;

use clap::Args;

/// `kube-assay certify`
#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// File evidence.jsonl.gz of a run with --evidence full and --requirements, or its directory
    #[arg(value_name = "FILE")]
    pub(crate) evidence: PathBuf,
    /// YAML file with organization, project, url, version and contact of the implementation
    #[arg(long, value_name = "FILE")]
    pub(crate) implementation: PathBuf,
    /// Private key in PEM: PKCS#8, ECDSA on P-256 or Ed25519
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Directory for certificate.json, certificate.md and certificate.html
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) output_dir: PathBuf,
}

/// `kube-assay verify`
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// File certificate.json
    pub(crate) certificate: PathBuf,
    /// Public key of the signer, in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The evidence that the certificate is about: file evidence.jsonl.gz, or its directory. Without it, no verdict is
    /// checked, and the exit code is 3
    #[arg(long, value_name = "EVIDENCE")]
    pub(crate) evidence: Option<PathBuf>,
}
