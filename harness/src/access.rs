//! How to reach a target: address, TLS and credentials, from a kubeconfig, flags or the pod's own account.
//!
//! Parsing, credential plugins and token refresh are the `kube` crate's; this file only asks it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue};
use kube_client::Config;
use kube_client::client::middleware::AuthLayer;
use kube_client::client::{Body, ConfigExt};
use kube_client::config::{
    AuthInfo, Cluster, Context, KubeConfigOptions, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext,
};
use tower::{BoxError, Layer, ServiceExt, service_fn};

use crate::outcome::Obstacle;
use crate::redact::Redactor;
use crate::request::Identity;

/// Credentials and trust given one by one.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// Such as `https://127.0.0.1:6443`.
    pub server: String,
    /// A bearer token.
    pub token: Option<String>,
    /// A file with a bearer token, read again when it changes.
    pub token_file: Option<PathBuf>,
    /// A PEM bundle to trust instead of the system's.
    pub certificate_authority: Option<PathBuf>,
    /// A PEM client certificate.
    pub client_certificate: Option<PathBuf>,
    /// Its key.
    pub client_key: Option<PathBuf>,
    /// Trust any certificate.
    pub insecure_skip_tls_verify: bool,
}

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

/// A target's address with all that is needed to be let in.
#[derive(Clone)]
pub struct Access {
    config: Config,
    redactor: Redactor,
    headers: Arc<Vec<(HeaderName, HeaderValue)>>,
    auth: Option<Arc<AuthLayer>>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("address", &self.address()).finish_non_exhaustive()
    }
}

impl Access {
    /// Reads the source and runs its credential plugin, if it names one.
    pub async fn load(source: Source) -> Result<Self, Obstacle> {
        let (attempted, config) = match source {
            Source::Kubeconfig { path, context } => from_file(path, context).await?,
            Source::InCluster => from_pod()?,
            Source::Flags(flags) => from_flags(*flags).await?,
        };
        Self::new(config).map_err(|why| Obstacle::new(attempted, why.to_string()))
    }

    fn new(config: Config) -> Result<Self, kube_client::Error> {
        let auth = config.auth_layer()?.map(Arc::new);
        config.rustls_client_config()?;
        let headers = Arc::new(impersonation(&config.auth_info));
        Ok(Self { config, redactor: Redactor::default(), headers, auth })
    }

    /// Scheme, host and port, without a slash at the end.
    pub fn address(&self) -> String {
        self.config.cluster_url.to_string().trim_end_matches('/').to_owned()
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
    pub fn tls(&self, identity: &Identity) -> Result<rustls::ClientConfig, Obstacle> {
        let mut config = self.config.clone();
        if *identity != Identity::Own {
            config.auth_info = AuthInfo::default();
        }
        config.rustls_client_config().map_err(|why| Obstacle::new("set up TLS", why.to_string()))
    }

    /// The headers that say who we are, refreshed as needed.
    pub async fn headers(&self, identity: &Identity) -> Result<Vec<(HeaderName, HeaderValue)>, Obstacle> {
        match identity {
            Identity::Anonymous => Ok(Vec::new()),
            Identity::Bearer(token) => bearer(token).map(|value| vec![(AUTHORIZATION, value)]),
            Identity::Own => self.own_headers().await,
        }
    }

    async fn own_headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, Obstacle> {
        let mut headers = self.headers.to_vec();
        let Some(auth) = &self.auth else { return Ok(headers) };
        let asked = authorize(auth.clone()).await;
        let echoed =
            asked.map_err(|why| Obstacle::new("get a credential", self.redactor.redact(&why.to_string())))?;
        if let Some(value) = echoed.headers().get(AUTHORIZATION) {
            self.redactor.learn(value.to_str().unwrap_or_default());
            headers.push((AUTHORIZATION, value.clone()));
        }
        Ok(headers)
    }
}

/// Has the kube crate's layer set the credential, and shows what it did.
///
/// The layer is made for that crate's own client; here it stands before a service that only echoes. The future is
/// boxed because the compiler cannot see through the layer's types that it may move between threads.
fn authorize(auth: Arc<AuthLayer>) -> BoxFuture<'static, Result<http::Response<()>, BoxError>> {
    Box::pin(async move { auth.layer(service_fn(echo)).oneshot(http::Request::new(Body::empty())).await })
}

async fn echo(request: http::Request<Body>) -> Result<http::Response<()>, BoxError> {
    let mut echoed = http::Response::new(());
    *echoed.headers_mut() = request.headers().clone();
    Ok(echoed)
}

fn bearer(token: &str) -> Result<HeaderValue, Obstacle> {
    HeaderValue::from_str(&format!("Bearer {token}"))
        .map_err(|why| Obstacle::new("use the token", why.to_string()))
}

/// The kube crate sets these headers in a layer of its own client, which we do not use.
fn impersonation(auth: &AuthInfo) -> Vec<(HeaderName, HeaderValue)> {
    let user = auth.impersonate.iter().map(|user| ("impersonate-user", user));
    let groups = auth.impersonate_groups.iter().flatten().map(|group| ("impersonate-group", group));
    user.chain(groups)
        .filter_map(|(name, value)| Some((HeaderName::from_static(name), HeaderValue::from_str(value).ok()?)))
        .collect()
}

async fn from_file(path: PathBuf, context: Option<String>) -> Result<(String, Config), Obstacle> {
    let attempted = format!("use the kubeconfig {}", path.display());
    let kubeconfig = Kubeconfig::read_from(&path).map_err(|why| {
        Obstacle::new(&attempted, sentence(&why)).advise("name a readable kubeconfig with --kubeconfig")
    })?;
    let known: Vec<_> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
    let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
    let config = Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(|why| {
        let advice = match known.as_slice() {
            [] => "it has no contexts".to_owned(),
            known => format!("it has the contexts {}", known.join(", ")),
        };
        Obstacle::new(&attempted, sentence(&why)).advise(advice)
    })?;
    Ok((attempted, config))
}

fn from_pod() -> Result<(String, Config), Obstacle> {
    let attempted = "use the pod's service account".to_owned();
    let config = Config::incluster().map_err(|why| {
        Obstacle::new(&attempted, sentence(&why))
            .advise("run inside a pod, or name a target with --kubeconfig or --server")
    })?;
    Ok((attempted, config))
}

async fn from_flags(flags: Flags) -> Result<(String, Config), Obstacle> {
    let attempted = format!("use the server {}", flags.server);
    let wrong =
        |why: String| Obstacle::new(&attempted, why).advise("give a URL such as https://127.0.0.1:6443");
    let uri: http::Uri = flags.server.parse().map_err(|why: http::uri::InvalidUri| wrong(why.to_string()))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(wrong("it is not an http or https URL".to_owned()));
    }
    let kubeconfig = as_kubeconfig(flags);
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .map_err(|why| Obstacle::new(&attempted, sentence(&why)))?;
    Ok((attempted, config))
}

/// Flags and files then go the same way.
fn as_kubeconfig(flags: Flags) -> Kubeconfig {
    let text = |path: Option<PathBuf>| path.map(|path| path.to_string_lossy().into_owned());
    let name = "flags".to_owned();
    let cluster = Cluster {
        server: Some(flags.server),
        insecure_skip_tls_verify: Some(flags.insecure_skip_tls_verify),
        certificate_authority: text(flags.certificate_authority),
        ..Cluster::default()
    };
    let user = AuthInfo {
        token: flags.token.map(Into::into),
        token_file: text(flags.token_file),
        client_certificate: text(flags.client_certificate),
        client_key: text(flags.client_key),
        ..AuthInfo::default()
    };
    let context = Context { cluster: name.clone(), user: Some(name.clone()), ..Context::default() };
    Kubeconfig {
        clusters: vec![NamedCluster {
            name: name.clone(),
            cluster: Some(cluster),
            ..NamedCluster::default()
        }],
        auth_infos: vec![NamedAuthInfo {
            name: name.clone(),
            auth_info: Some(user),
            ..NamedAuthInfo::default()
        }],
        contexts: vec![NamedContext {
            name: name.clone(),
            context: Some(context),
            ..NamedContext::default()
        }],
        current_context: Some(name),
        ..Kubeconfig::default()
    }
}

/// An error and its causes as one sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text += ": ";
            text += &more;
        }
        cause = error.source();
    }
    text
}
