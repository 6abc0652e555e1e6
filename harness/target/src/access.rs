//! How to reach a target: address, TLS and credentials, from a kubeconfig, flags or the pod's own account.
//!
//! Parsing and TLS setup are the `kube` crate's; this file only asks it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Uri};
use kube_client::Config;
use kube_client::config::AuthInfo;
use model::{Curl, Identity, TestError, Trust, quote};

use crate::client_tls::{SET_UP, set_up};
use crate::credential::{Credential, bearer};
use crate::kubeconfig::{self, Flags, Loaded};
use crate::redact::Redactor;
use crate::{server_name, system_trust};

/// Where a target's address and credentials come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// A kubeconfig file, and the context to use in it instead of its current one.
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// The context.
        context: Option<String>,
    },
    /// The service account of the pod that we run in.
    InCluster,
    /// Given one by one.
    Flags(Box<Flags>),
}

impl From<Flags> for Source {
    fn from(flags: Flags) -> Self {
        Self::Flags(Box::new(flags))
    }
}

/// A target's address with all that is needed to be let in.
#[derive(Clone)]
pub struct Access {
    config: Config,
    bundle: Option<PathBuf>,
    redactor: Redactor,
    headers: Arc<Vec<(HeaderName, HeaderValue)>>,
    credential: Arc<Credential>,
    own_tls: Arc<Mutex<OwnTls>>,
    replicas: Vec<Self>,
}

/// The TLS configuration in the target's own name, if there is one yet, for a client certificate with this number.
type OwnTls = Option<(u64, rustls::ClientConfig)>;

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("address", &self.address()).finish_non_exhaustive()
    }
}

impl Access {
    /// Reads the source, without a request to the server: the user can correct every error of this step.
    pub async fn load(source: Source) -> Result<Self, TestError> {
        let in_kubeconfig = matches!(source, Source::Kubeconfig { .. });
        let (attempted, loaded) = match source {
            Source::Kubeconfig { path, context } => {
                (kubeconfig::attempted(&path), kubeconfig::from_file(&path, context).await?)
            }
            Source::InCluster => ("use the pod's service account".to_owned(), kubeconfig::from_pod()?),
            Source::Flags(flags) => {
                let attempted = format!("use the server {}", kubeconfig::without_user(&flags.server));
                (attempted, kubeconfig::from_flags(*flags).await?)
            }
        };
        let url = &loaded.config.cluster_url;
        check_address(url).map_err(|why| {
            let server = kubeconfig::without_user(&url.to_string());
            let of_kubeconfig = format!("{attempted} with the server {}", server.trim_end_matches('/'));
            let attempted = if in_kubeconfig { &of_kubeconfig } else { &attempted };
            TestError::new(attempted, why).hint("give a URL such as https://127.0.0.1:6443")
        })?;
        Self::new(&attempted, loaded)
    }

    fn new(attempted: &str, loaded: Loaded) -> Result<Self, TestError> {
        let Loaded { mut config, bundle } = loaded;
        // Others may bring a second provider of cryptography into the program: then somebody has to choose.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        if config.root_cert.as_ref().is_some_and(Vec::is_empty) {
            let named = bundle.as_ref().map_or(String::new(), |path| format!(" {}", path.display()));
            let why = format!("the certificate authority{named} holds no certificate in PEM");
            return Err(TestError::new(attempted, why)
                .hint("name a PEM file with certificates: -----BEGIN CERTIFICATE-----"));
        }
        config.tls_server_name.take_if(|name| name.is_empty());
        if config.cluster_url.scheme_str() == Some("http") {
            // Nothing will be verified: the machine need not even have trusted certificates.
            config.root_cert.get_or_insert_default();
            config.tls_server_name = None;
        }
        server_name::check(attempted, &config)?;
        let redactor = Redactor::default();
        learn(&redactor, &config.auth_info)?;
        let credential = Arc::new(Credential::new(&config)?);
        // Whatever else reads the configuration runs no plugin, and does not wait for a pipe that was read.
        config.auth_info.exec = None;
        config.auth_info.token_file = None;
        let headers = Arc::new(impersonation(attempted, &config.auth_info)?);
        let access = Self {
            config,
            bundle,
            redactor,
            headers,
            credential,
            own_tls: Arc::default(),
            replicas: Vec::new(),
        };
        let mut quiet = access.config.clone();
        quiet.auth_info.auth_provider = None;
        if quiet.root_cert.is_none() && access.encrypted() {
            system_trust::expect_readable()?;
        }
        set_up(attempted, &quiet)?;
        Ok(access)
    }

    /// Hides from now on what this redactor knows: the server gets other credentials than these.
    pub fn with_redactor(self, redactor: &Redactor) -> Self {
        Self { redactor: redactor.clone(), ..self }
    }

    /// Adds other servers of the same control plane, which take the same credentials.
    pub fn with_replicas(mut self, servers: &[String]) -> Result<Self, TestError> {
        let replicas: Result<Vec<_>, _> = servers.iter().map(|server| self.replica(server)).collect();
        self.replicas = replicas?;
        Ok(self)
    }

    fn replica(&self, server: &str) -> Result<Self, TestError> {
        let attempted = format!("use the replica {}", kubeconfig::without_user(server));
        let refused = |why| TestError::new(&attempted, why).hint("give a URL such as https://127.0.0.1:6443");
        let cluster_url: Uri = server.parse().map_err(|_| refused("it is no URL"))?;
        check_address(&cluster_url).map_err(refused)?;
        if cluster_url.scheme() != self.config.cluster_url.scheme() {
            return Err(refused("its scheme is not that of the target"));
        }
        if cluster_url == self.config.cluster_url {
            return Err(refused("it is the address of the target itself"));
        }
        let mut config = self.config.clone();
        config.cluster_url = cluster_url;
        Ok(Self { config, own_tls: Arc::default(), ..self.clone() })
    }

    /// A server of the control plane: 0 is the target, others are its replicas.
    pub(crate) fn server(&self, number: u8) -> &Self {
        let replica = usize::from(number).checked_sub(1).and_then(|at| self.replicas.get(at));
        replica.unwrap_or(self)
    }

    /// The addresses of the replicas.
    pub fn replicas(&self) -> Vec<String> {
        self.replicas.iter().map(Self::address).collect()
    }

    /// Runs the credential plugin, if there is one.
    pub async fn log_in(&self) -> Result<(), TestError> {
        self.headers(&Identity::Own).await.map(drop)
    }

    /// Scheme, host and port, without a slash at the end.
    pub fn address(&self) -> String {
        self.config.cluster_url.to_string().trim_end_matches('/').to_owned()
    }

    /// The configuration of the `kube` crate.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Certificate and key in PEM that a plugin issued.
    pub(crate) fn issued_identity(&self) -> Option<(String, String)> {
        self.credential.identity().map(|issued| (issued.certificate, issued.key))
    }

    /// How many client certificates a plugin has issued, each unlike the one before. The server rejects requests on
    /// connections with an earlier one as soon as that expires.
    pub fn issued_certificates(&self) -> u64 {
        self.credential.issued_certificates()
    }

    /// Whether the connection is encrypted.
    pub fn encrypted(&self) -> bool {
        self.config.cluster_url.scheme_str() == Some("https")
    }

    /// Hides this target's credentials.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The TLS configuration: with the client certificate only in the target's own name.
    pub fn tls(&self, identity: &Identity) -> Result<rustls::ClientConfig, TestError> {
        let mut config = self.config.clone();
        if *identity != Identity::Own {
            config.auth_info = AuthInfo::default();
            return set_up(SET_UP, &config);
        }
        let number = self.issued_certificates();
        let mut own_tls = self.own_tls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = own_tls.as_ref().filter(|(of, _)| *of == number) {
            return Ok(known.clone());
        }
        if let Some(issued) = self.credential.identity() {
            self.redactor.learn_key(&issued.key);
            config.auth_info.client_certificate_data = Some(STANDARD.encode(issued.certificate));
            config.auth_info.client_key_data = Some(STANDARD.encode(issued.key).into());
        }
        let made = set_up(SET_UP, &config)?;
        *own_tls = Some((number, made.clone()));
        Ok(made)
    }

    /// Whether a bearer token is all that tells the server who we are.
    pub async fn is_by_token_alone(&self) -> Result<bool, TestError> {
        let own = &self.config.auth_info;
        let certificate = own.client_certificate.is_some() || own.client_certificate_data.is_some();
        let token = |(name, value): &(HeaderName, HeaderValue)| {
            name == AUTHORIZATION && value.as_bytes().starts_with(b"Bearer ")
        };
        Ok(!certificate && self.own_headers().await?.iter().any(token))
    }

    /// How curl sends requests with this trust and this credential.
    pub async fn curl(&self) -> Result<Curl, TestError> {
        let bundle = || self.bundle.as_ref().map_or_else(|| "\"$CA\"".to_owned(), |path| word(path));
        let trust = if !self.encrypted() {
            Trust::System
        } else if self.config.accept_invalid_certs {
            Trust::Any
        } else if self.config.root_cert.is_some() {
            Trust::Bundle(bundle())
        } else {
            Trust::System
        };
        let bearer = self.own_headers().await?.iter().any(|(name, _)| name == AUTHORIZATION);
        let client_certificate = client_certificate(&self.config.auth_info);
        let (address, replicas) = (self.address(), self.replicas());
        // Curl connects to the server by an IP address, too.
        let server_name = self.config.tls_server_name.clone();
        Ok(Curl { address, replicas, server_name, trust, client_certificate, bearer })
    }

    /// The headers that say who we are, refreshed as needed.
    pub async fn headers(&self, identity: &Identity) -> Result<Vec<(HeaderName, HeaderValue)>, TestError> {
        match identity {
            Identity::Anonymous => Ok(Vec::new()),
            Identity::Bearer(token) => bearer(token).map(|value| vec![(AUTHORIZATION, value)]),
            Identity::Own => self.own_headers().await,
        }
    }

    /// Notes the status of a response: the server may refuse who we are.
    pub fn note_status(&self, identity: &Identity, status: u16) {
        if status == 401 && *identity == Identity::Own {
            self.credential.refused();
        }
    }

    async fn own_headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, TestError> {
        let mut headers = self.headers.to_vec();
        let value = self.credential.header().await.map_err(|test_error| {
            let why = self.redactor.redact(&test_error.cause);
            TestError { cause: why, ..test_error }
        })?;
        if let Some(value) = value {
            self.redactor.learn_header(value.to_str().unwrap_or_default());
            headers.push((AUTHORIZATION, value));
        }
        Ok(headers)
    }
}

/// Certificate and key as shell words: file names, or variables for data that a kubeconfig holds itself.
fn client_certificate(auth: &AuthInfo) -> Option<(String, String)> {
    auth.client_certificate.as_ref().or(auth.client_certificate_data.as_ref())?;
    let file =
        |path: Option<&String>, variable: &str| path.map_or_else(|| variable.to_owned(), |path| quote(path));
    let certificate = file(auth.client_certificate.as_ref(), "\"$CERT\"");
    Some((certificate, file(auth.client_key.as_ref(), "\"$KEY\"")))
}

/// A path as a shell word.
fn word(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

fn check_address(url: &Uri) -> Result<(), &'static str> {
    let authority = url.authority().map_or("", http::uri::Authority::as_str);
    if !matches!(url.scheme_str(), Some("http" | "https")) || url.host().is_none_or(str::is_empty) {
        return Err("it is no http or https URL");
    }
    if authority.contains('@') {
        return Err("a user's name or password in a URL is shown everywhere: give --token-file instead");
    }
    let host = url.host().map_or(0, str::len);
    let port = authority.get(host..).unwrap_or_default();
    if port.len() > 1 && url.port_u16().is_none_or(|port| port == 0) {
        return Err("its port is not one of 1 to 65535");
    }
    if url.query().is_some() {
        return Err("its URL has a query");
    }
    Ok(())
}

/// What is secret is known before the first word is said.
fn learn(redactor: &Redactor, auth: &AuthInfo) -> Result<(), TestError> {
    // Written out they are readable: the types of the kube crate hide them otherwise.
    let written = serde_json::to_value(auth).unwrap_or_default();
    for secret in ["token", "password"] {
        redactor.learn(written[secret].as_str().unwrap_or_default());
    }
    redactor.learn_key(written["client-key-data"].as_str().unwrap_or_default());
    for (name, value) in written["auth-provider"]["config"].as_object().into_iter().flatten() {
        if name.ends_with("token") || name.ends_with("secret") {
            redactor.learn(value.as_str().unwrap_or_default());
        }
    }
    written["token"].as_str().map_or(Ok(()), |token| bearer(token).map(drop))
}

/// The kube crate sets these headers in a layer of its own client, which we do not use.
fn impersonation(attempted: &str, auth: &AuthInfo) -> Result<Vec<(HeaderName, HeaderValue)>, TestError> {
    let named = |name: &str, value: &String| (name.to_owned(), value.clone());
    let user = auth.impersonate.iter().map(|user| named("impersonate-user", user));
    let uid = auth.impersonate_uid.iter().map(|uid| named("impersonate-uid", uid));
    let groups = auth.impersonate_groups.iter().flatten().map(|group| named("impersonate-group", group));
    let extra = auth.impersonate_user_extra.iter().flatten().flat_map(|(key, values)| {
        let name = format!("impersonate-extra-{}", escaped_in_header_name(key));
        values.iter().map(move |value| (name.clone(), value.clone()))
    });
    let header = |(name, value): (String, String)| {
        // Without the header, the requests would have the rights of another user.
        let header = HeaderName::try_from(&name).ok().zip(HeaderValue::from_bytes(value.as_bytes()).ok());
        header.ok_or_else(|| {
            let why = format!("no {name} header can have the value {value:?}");
            TestError::new(attempted, why).hint("correct the fields `as…` of the user")
        })
    };
    user.chain(uid).chain(groups).chain(extra).map(header).collect()
}

/// A text as the name of a header can have it: other characters are percent-encoded.
fn escaped_in_header_name(text: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&'*+-.^_`|~".contains(&byte);
    text.bytes()
        .map(|byte| if is_kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_impersonated_with_all_that_is_said_of_it() {
        let auth: AuthInfo = serde_json::from_value(serde_json::json!({
            "as": "é", "as-uid": "7", "as-groups": ["a", "b"], "as-user-extra": { "example.com/Scope": ["x"] },
        }))
        .unwrap();
        let headers = impersonation("", &auth).unwrap();
        let written: Vec<(&str, &[u8])> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let expected: [(&str, &[u8]); 5] = [
            ("impersonate-user", "é".as_bytes()),
            ("impersonate-uid", b"7"),
            ("impersonate-group", b"a"),
            ("impersonate-group", b"b"),
            ("impersonate-extra-example.com%2fscope", b"x"),
        ];
        assert_eq!(written, expected);
    }
}
