//! The flags that name a server and its credentials.

use std::path::PathBuf;

use clap::{Arg, Args};

/// The flags that describe a server one by one. A kubeconfig or a service account describes the whole server.
const ONE_BY_ONE: [&str; 8] = [
    "server",
    "token",
    "token_file",
    "certificate_authority",
    "client_certificate",
    "client_key",
    "tls_server_name",
    "insecure_skip_tls_verify",
];

// clap waives `requires` where the required flag excludes a given one: a flag without an effect needs its own conflicts.
/// The server under test.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target (the embedded reference server if none is given)")]
pub(crate) struct TargetArgs {
    /// Kubeconfig file; kube-assay reads no other kubeconfig, not even ~/.kube/config
    #[arg(long, value_name = "FILE", conflicts_with = "in_cluster", conflicts_with_all = ONE_BY_ONE)]
    pub(crate) kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig [default: its current context]
    #[arg(long, value_name = "NAME", requires = "kubeconfig", conflicts_with_all = ["server", "in_cluster"])]
    pub(crate) context: Option<String>,
    /// Use the service account of the pod that runs kube-assay
    #[arg(long, conflicts_with_all = ONE_BY_ONE)]
    pub(crate) in_cluster: bool,
    /// The server's URL
    #[arg(long, value_name = "URL", help = "Server URL, for example https://127.0.0.1:6443")]
    pub(crate) server: Option<String>,
    /// Bearer token; prefer --token-file, because other users can read a command line
    #[arg(long, value_name = "TOKEN", requires = "server", conflicts_with = "token_file")]
    pub(crate) token: Option<String>,
    /// File with a bearer token; kube-assay reads it again when it changes
    #[arg(long, value_name = "FILE", requires = "server")]
    pub(crate) token_file: Option<PathBuf>,
    /// PEM bundle of trusted certificate authorities [default: those of the system]
    #[arg(long, value_name = "FILE", requires = "server", conflicts_with = "insecure_skip_tls_verify")]
    pub(crate) certificate_authority: Option<PathBuf>,
    /// PEM client certificate
    #[arg(long, value_name = "FILE", requires = "server", requires = "client_key")]
    pub(crate) client_certificate: Option<PathBuf>,
    /// PEM key of the client certificate
    #[arg(long, value_name = "FILE", requires = "server", requires = "client_certificate")]
    pub(crate) client_key: Option<PathBuf>,
    /// Name in the server's certificate [default: the host of the server URL]
    #[arg(long, value_name = "NAME", requires = "server")]
    pub(crate) tls_server_name: Option<String>,
    /// Accept any server certificate; insecure, only for test servers
    #[arg(long, requires = "server")]
    pub(crate) insecure_skip_tls_verify: bool,
}

/// A target by its name in kube-assay.toml.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target (the embedded reference server if none is given)")]
pub(crate) struct FileArgs {
    /// Target of this name in kube-assay.toml
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// File with targets and profiles [default: kube-assay.toml, if the working directory has one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The flags that the environment may give, each with its variable. The kubeconfig is not among them: kube-assay uses
/// one only if a flag asks for it.
const VARIABLES: [(&str, &str); 7] = [
    ("server", "KUBE_ASSAY_SERVER"),
    ("token", "KUBE_ASSAY_TOKEN"),
    ("token_file", "KUBE_ASSAY_TOKEN_FILE"),
    ("certificate_authority", "KUBE_ASSAY_CERTIFICATE_AUTHORITY"),
    ("client_certificate", "KUBE_ASSAY_CLIENT_CERTIFICATE"),
    ("client_key", "KUBE_ASSAY_CLIENT_KEY"),
    ("tls_server_name", "KUBE_ASSAY_TLS_SERVER_NAME"),
];

/// The flag with its variable, if it has one.
pub(super) fn with_variable(arg: Arg) -> Arg {
    match VARIABLES.iter().find(|(flag, _)| arg.get_id() == *flag) {
        Some((_, variable)) => arg.env(*variable).hide_env_values(true),
        None => arg,
    }
}
