//! The header that says who we are: from a token, a password, a token file, or a credential plugin.
//!
//! Plugins are run by the `kube` crate; this file gives it time and says in words what went wrong.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use kube_client::Config;
use kube_client::client::middleware::AuthLayer;
use kube_client::client::{AuthError, Body, ConfigExt};
use kube_client::config::AuthInfo;
use model::TestError;
use tokio::sync::OnceCell;
use tower::{BoxError, Layer, ServiceExt, service_fn};

/// How long a credential plugin may take: it may have to ask a person.
const PLUGIN_WITHIN: Duration = Duration::from_mins(3);

/// How long a token file is not read again.
const FRESH_FOR: Duration = Duration::from_secs(10);

/// Where the credential comes from.
pub(crate) enum Credential {
    /// A file whose content may change.
    File(TokenFile),
    /// All else.
    Kube(Box<Kube>),
}

/// What the `kube` crate makes of the rest, prepared at first use.
pub(crate) struct Kube {
    config: Config,
    layer: OnceCell<Option<Arc<AuthLayer>>>,
}

/// A file with a token.
pub(crate) struct TokenFile {
    path: PathBuf,
    last: Mutex<(Instant, HeaderValue)>,
}

impl Credential {
    /// Of a configuration; runs no plugin yet.
    pub(crate) fn new(config: &Config) -> Result<Self, TestError> {
        let auth = &config.auth_info;
        let other = auth.token.is_some() || auth.password.is_some() || auth.auth_provider.is_some();
        match &auth.token_file {
            Some(path) if !other => TokenFile::read(path.into()).map(Self::File),
            _ => Ok(Self::Kube(Box::new(Kube { config: config.clone(), layer: OnceCell::new() }))),
        }
    }

    /// The header's value as of now; none if there is no such credential.
    pub(crate) async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        match self {
            Self::File(file) => Ok(Some(file.header())),
            Self::Kube(kube) => kube.header().await,
        }
    }

    /// Whether a plugin was run, and gave a token.
    pub(crate) fn plugin_gave_token(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Kube(kube) => matches!(kube.layer.get(), Some(Some(_))),
        }
    }
}

impl TokenFile {
    fn read(path: PathBuf) -> Result<Self, TestError> {
        let header = read(&path)?;
        Ok(Self { path, last: Mutex::new((Instant::now(), header)) })
    }

    /// A file that cannot be read any more does not matter while its last token is accepted.
    fn header(&self) -> HeaderValue {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0.elapsed() > FRESH_FOR {
            let header = read(&self.path).unwrap_or_else(|_| last.1.clone());
            *last = (Instant::now(), header);
        }
        last.1.clone()
    }
}

fn read(path: &std::path::Path) -> Result<HeaderValue, TestError> {
    let attempted = format!("read the token file {}", path.display());
    let token = std::fs::read_to_string(path).map_err(|why| {
        TestError::new(&attempted, crate::kubeconfig::in_words(&why))
            .hint("name a readable file that holds a token")
    })?;
    match token.trim() {
        "" => Err(TestError::new(attempted, "it is empty").hint("name a file that holds a token")),
        token => bearer(token).map_err(|why| TestError { action: attempted, ..why }),
    }
}

/// The header for a token.
pub(crate) fn bearer(token: &str) -> Result<HeaderValue, TestError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
        TestError::new("use the token", "it holds characters that no HTTP header can carry")
            .hint("give a bearer token, on one line")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

impl Kube {
    async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        let Some(layer) = self.layer.get_or_try_init(|| self.prepare()).await? else { return Ok(None) };
        let echoed = authorize(layer.clone()).await;
        let echoed = echoed.map_err(|why| match why.downcast_ref::<AuthError>() {
            Some(error) => refused(&self.config.auth_info, error),
            None => TestError::new("get a credential", why.to_string()),
        })?;
        Ok(echoed.headers().get(AUTHORIZATION).cloned())
    }

    /// Runs the plugin, if there is one: in a thread of its own, since it blocks.
    async fn prepare(&self) -> Result<Option<Arc<AuthLayer>>, TestError> {
        let config = self.config.clone();
        let preparing = tokio::task::spawn_blocking(move || config.auth_layer());
        let attempted = format!("get a credential from {}", plugin(&self.config.auth_info));
        let Ok(prepared) = tokio::time::timeout(PLUGIN_WITHIN, preparing).await else {
            let why = format!("it did not end within {} s", PLUGIN_WITHIN.as_secs());
            return Err(TestError::new(attempted, why).hint("run it by hand to see what it waits for"));
        };
        match prepared.map_err(|why| TestError::new(&attempted, why.to_string()))? {
            Ok(layer) => Ok(layer.map(Arc::new)),
            Err(kube_client::Error::Auth(error)) => Err(refused(&self.config.auth_info, &error)),
            Err(other) => Err(TestError::new(attempted, other.to_string())),
        }
    }
}

fn plugin(auth: &AuthInfo) -> String {
    let provider = || auth.auth_provider.as_ref().map(|provider| provider.name.as_str());
    let command = auth.exec.as_ref().and_then(|exec| exec.command.as_deref());
    match provider().or(command) {
        Some(name) => format!("the credential plugin {name}"),
        None => "the kubeconfig".to_owned(),
    }
}

/// What a plugin printed may hold a credential, so none of it is shown.
fn refused(auth: &AuthInfo, error: &AuthError) -> TestError {
    let by_hand = "run it by hand to see why";
    let install = || auth.exec.as_ref().and_then(|exec| exec.install_hint.clone());
    let (why, advice) = match error {
        AuthError::AuthExecStart(why) => {
            let advice = install().unwrap_or_else(|| "is it installed, and in the PATH?".to_owned());
            (format!("it could not be started: {}", crate::kubeconfig::in_words(why)), advice)
        }
        AuthError::AuthExecRun { out, .. } => (format!("it ended with {}", out.status), by_hand.to_owned()),
        AuthError::AuthExecParse(_) => ("it did not print an ExecCredential".to_owned(), by_hand.to_owned()),
        AuthError::ExecPluginFailed => ("it printed no credential".to_owned(), by_hand.to_owned()),
        AuthError::MalformedTokenExpirationDate(_) => {
            ("its expirationTimestamp is no time".to_owned(), by_hand.to_owned())
        }
        AuthError::MissingCommand => ("it names no command".to_owned(), "mend the kubeconfig".to_owned()),
        AuthError::UnrefreshableTokenResponse => ("it gave no new token".to_owned(), by_hand.to_owned()),
        AuthError::InvalidBearerToken(_) => {
            ("its token holds characters that no HTTP header can carry".to_owned(), by_hand.to_owned())
        }
        other => (other.to_string(), String::new()),
    };
    TestError::new(format!("get a credential from {}", plugin(auth)), why).hint(advice)
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
