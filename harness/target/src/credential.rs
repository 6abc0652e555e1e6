//! The header that says who we are: from a token, a password, a token file, or a credential plugin.
//!
//! Passwords and the providers of old kubeconfigs are the `kube` crate's; this file says in words what went wrong.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};
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

use crate::input_file::read_input_text;
use crate::plugin::{ClientIdentity, Plugin};

/// How long a token file is not read again.
const FRESH_FOR: Duration = Duration::from_secs(10);

/// The same for a token that the server refuses: some servers refuse every token, and all requests wait while the file is
/// read, which may be on a slow disk.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// Where the credential comes from.
pub(crate) enum Credential {
    /// A file whose content may change.
    File(TokenFile),
    /// A credential plugin.
    Plugin(Box<Plugin>),
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
    last: Mutex<LastRead>,
}

/// What a token file held when it was read last.
struct LastRead {
    header: HeaderValue,
    /// When the file is read again.
    due: Instant,
    /// When it is read again if the server refuses the token.
    due_if_refused: Instant,
}

impl Credential {
    /// Of a configuration; runs no plugin yet.
    pub(crate) fn new(config: &Config) -> Result<Self, TestError> {
        let auth = &config.auth_info;
        let other = auth.username.is_some() || auth.auth_provider.is_some();
        match (&auth.token_file, &auth.exec) {
            // As for kubectl, the file outranks a token while it can be read.
            (Some(path), _) if !other => match TokenFile::read(path.into()) {
                Err(_) if auth.token.is_some() => Ok(Self::Kube(Box::new(Kube::new(config.clone())))),
                file => file.map(Self::File),
            },
            // As for kubectl, a token or a client certificate of the user's own outranks the plugin.
            (None, Some(exec))
                if !other && auth.token.is_none() && auth.client_certificate_data.is_none() =>
            {
                Ok(Self::Plugin(Box::new(Plugin::new(exec.clone()))))
            }
            _ => Ok(Self::Kube(Box::new(Kube::new(config.clone())))),
        }
    }

    /// The header's value as of now; none if there is no such credential.
    pub(crate) async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        match self {
            Self::File(file) => Ok(Some(file.header())),
            Self::Plugin(plugin) => plugin.header().await,
            Self::Kube(kube) => kube.header().await,
        }
    }

    /// Notes that the server refused it (401): a plugin runs again, and a file is read again.
    pub(crate) fn refused(&self) {
        match self {
            Self::File(file) => file.refused(),
            Self::Plugin(plugin) => plugin.refused(),
            Self::Kube(_) => {}
        }
    }

    /// The client certificate that a plugin gave last.
    pub(crate) fn identity(&self) -> Option<ClientIdentity> {
        match self {
            Self::Plugin(plugin) => plugin.identity(),
            Self::File(_) | Self::Kube(_) => None,
        }
    }

    /// How many client certificates a plugin gave, each unlike the one before.
    pub(crate) fn issued_certificates(&self) -> u64 {
        match self {
            Self::Plugin(plugin) => plugin.issued_certificates(),
            Self::File(_) | Self::Kube(_) => 0,
        }
    }
}

impl TokenFile {
    fn read(path: PathBuf) -> Result<Self, TestError> {
        let (header, now) = (read(&path)?, Instant::now());
        let last = LastRead { header, due: now + FRESH_FOR, due_if_refused: now };
        Ok(Self { path, last: Mutex::new(last) })
    }

    /// A file that cannot be read any more does not matter while its last token is accepted. A pipe is read once.
    fn header(&self) -> HeaderValue {
        let mut last = self.last();
        if Instant::now() >= last.due && self.path.is_file() {
            let header = read(&self.path).unwrap_or_else(|_| last.header.clone());
            let now = Instant::now();
            *last = LastRead { header, due: now + FRESH_FOR, due_if_refused: now + KEPT_FOR };
        }
        last.header.clone()
    }

    fn refused(&self) {
        let mut last = self.last();
        last.due = last.due.min(last.due_if_refused);
    }

    fn last(&self) -> MutexGuard<'_, LastRead> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(path: &std::path::Path) -> Result<HeaderValue, TestError> {
    let attempted = format!("read the token file {}", path.display());
    let token = read_input_text(path).map_err(|why| {
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
    fn new(mut config: Config) -> Self {
        // What it would run has no bound on its time or output.
        config.auth_info.exec = None;
        if config.auth_info.username.is_some() {
            // As for kubectl, a missing password is an empty one.
            config.auth_info.password.get_or_insert_default();
        }
        if let Some(provider) = &mut config.auth_info.auth_provider {
            provider.config.remove("cmd-path");
        }
        Self { config, layer: OnceCell::new() }
    }

    async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        let Some(layer) = self.layer.get_or_try_init(|| async { self.prepare() }).await? else {
            return Ok(None);
        };
        let echoed = authorize(layer.clone()).await;
        let echoed = echoed.map_err(|why| match why.downcast_ref::<AuthError>() {
            Some(error) => refused(&self.config.auth_info, error),
            None => TestError::new("get a credential", why.to_string()),
        })?;
        Ok(echoed.headers().get(AUTHORIZATION).cloned())
    }

    fn prepare(&self) -> Result<Option<Arc<AuthLayer>>, TestError> {
        self.config.auth_layer().map(|layer| layer.map(Arc::new)).map_err(|why| match why {
            kube_client::Error::Auth(error) => refused(&self.config.auth_info, &error),
            other => TestError::new(
                format!("get a credential from {}", source(&self.config.auth_info)),
                other.to_string(),
            ),
        })
    }
}

fn source(auth: &AuthInfo) -> String {
    match &auth.auth_provider {
        Some(provider) => format!("the auth-provider {} of the kubeconfig", provider.name),
        None => "the kubeconfig".to_owned(),
    }
}

const GCP: &str = "it holds no token that is still valid, and kube-assay gets none from Google";
const INSTEAD_OF_GCP: &str = "kubectl dropped this provider in 1.26: install gke-gcloud-auth-plugin and run `gcloud \
                              container clusters get-credentials CLUSTER`, or give --server with --token-file";

fn refused(auth: &AuthInfo, error: &AuthError) -> TestError {
    let gcp = auth.auth_provider.as_ref().is_some_and(|provider| provider.name == "gcp");
    let (why, advice) = match error {
        AuthError::AuthExec(_) if gcp => (GCP.to_owned(), INSTEAD_OF_GCP),
        AuthError::MalformedTokenExpirationDate(_) => {
            ("its expiry is no time".to_owned(), "correct the kubeconfig")
        }
        AuthError::InvalidBearerToken(_) => {
            ("its token holds characters that no HTTP header can carry".to_owned(), "correct the kubeconfig")
        }
        other => (other.to_string(), ""),
    };
    TestError::new(format!("get a credential from {}", source(auth)), why).hint(advice)
}

/// Has the kube crate's layer set the credential, and shows what it did.
///
/// The layer is made for that crate's own client; here its service only echoes. The future is
/// boxed because the compiler cannot see through the layer's types that it may move between threads.
fn authorize(auth: Arc<AuthLayer>) -> BoxFuture<'static, Result<http::Response<()>, BoxError>> {
    Box::pin(async move { auth.layer(service_fn(echo)).oneshot(http::Request::new(Body::empty())).await })
}

async fn echo(request: http::Request<Body>) -> Result<http::Response<()>, BoxError> {
    let mut echoed = http::Response::new(());
    *echoed.headers_mut() = request.headers().clone();
    Ok(echoed)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn credential(user: Value) -> Credential {
        let mut config = Config::new(http::Uri::from_static("http://127.0.0.1:1"));
        config.auth_info = serde_json::from_value(user).unwrap();
        Credential::new(&config).unwrap()
    }

    #[tokio::test]
    async fn a_user_name_needs_no_password() {
        let header = credential(json!({ "username": "me" })).header().await.unwrap();
        assert_eq!(header.unwrap(), "Basic bWU6");
    }

    #[tokio::test]
    async fn a_token_file_is_read_again_for_a_token_that_the_server_refuses() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "old").unwrap();
        let credential = credential(json!({ "tokenFile": file.path() }));
        std::fs::write(file.path(), "new").unwrap();
        credential.refused();
        assert_eq!(credential.header().await.unwrap().unwrap(), "Bearer new");
    }

    #[test]
    fn a_plugin_is_outranked_by_every_other_credential() {
        let exec = json!({ "command": "c" });
        assert!(matches!(credential(json!({ "exec": exec })), Credential::Plugin(_)));
        for (field, value) in [("client-certificate-data", "YQ=="), ("token", "t"), ("username", "me")] {
            let both = json!({ "exec": exec, field: value, "client-key-data": "YQ==" });
            assert!(matches!(credential(both), Credential::Kube(_)), "{field}");
        }
    }
}
