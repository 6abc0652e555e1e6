//! A kubeconfig file, flags or a pod's own account as one configuration of the `kube` crate.
//!
//! Whatever is wrong with them ends in one sentence, and nothing of a file's content is in it but names.

use std::io;
use std::path::{Path, PathBuf};

use kube_client::Config;
use kube_client::config::{
    AuthInfo, Cluster, Context, InClusterError, KubeConfigOptions, Kubeconfig, KubeconfigError,
    LoadDataError, NamedAuthInfo, NamedCluster, NamedContext,
};
use model::TestError;

use crate::connection::without_number;
use crate::kubeconfig_checks::check;
use crate::kubeconfig_context::{cluster, context_named};
use crate::kubeconfig_files;
use crate::kubeconfig_proxy::{has_proxy, without_proxy};
use crate::server_scheme::add_scheme;
use crate::yaml::{TOO_MANY_VALUES, form_error};

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
    /// The name in the server's certificate, if it is not the host of its URL.
    pub tls_server_name: Option<String>,
    /// Trust any certificate.
    pub insecure_skip_tls_verify: bool,
}

impl Flags {
    /// A server without credentials.
    pub fn at(server: impl Into<String>) -> Self {
        Self { server: server.into(), ..Self::default() }
    }
}

/// A configuration, and what the `kube` crate forgets of where it came from.
pub(crate) struct Loaded {
    /// Address, trust and credentials.
    pub(crate) config: Config,
    /// The file that holds the certificates to trust, if it is one.
    pub(crate) bundle: Option<PathBuf>,
}

/// Reads a kubeconfig file.
pub(crate) async fn from_file(path: &Path, context: Option<String>) -> Result<Loaded, TestError> {
    let attempted = attempted(path);
    let (mut kubeconfig, fields) = kubeconfig_files::read(path).map_err(|why| {
        TestError::new(&attempted, explain(&why)).hint("name a kubeconfig that can be read")
    })?;
    let contexts: Vec<_> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
    check(&kubeconfig, &fields, context.as_ref())
        .map_err(|why| TestError::new(&attempted, why).hint("correct it, or give --server and its flags"))?;
    if has_proxy(&kubeconfig, context.as_ref()) {
        return Err(TestError::new(&attempted, "its cluster has a proxy-url, but kube-assay uses no proxy")
            .hint("leave it out where this machine can connect to the server itself"));
    }
    let bundle = bundle(&kubeconfig, context.as_ref());
    read_files(&mut kubeconfig, context.as_ref()).map_err(|why| {
        TestError::new(&attempted, explain(&why)).hint("check the certificates and keys that it names")
    })?;
    let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
    let config = without_proxy(kubeconfig, &options)
        .await
        .map_err(|why| TestError::new(&attempted, explain(&why)).hint(advice(&why, &contexts)))?;
    Ok(Loaded { config, bundle })
}

/// The file of the certificates that a context's cluster trusts; `None` if the kubeconfig holds them itself.
fn bundle(kubeconfig: &Kubeconfig, context: Option<&String>) -> Option<PathBuf> {
    let cluster = cluster(kubeconfig, context_named(kubeconfig, context)?)?;
    let file =
        cluster.certificate_authority.as_ref().filter(|_| cluster.certificate_authority_data.is_none());
    file.map(PathBuf::from)
}

/// Reads the files that a context names, and completes the address of its server.
fn read_files(kubeconfig: &mut Kubeconfig, context: Option<&String>) -> Result<(), KubeconfigError> {
    let Some(Context { cluster, user, .. }) = context_named(kubeconfig, context).cloned() else {
        return Ok(());
    };
    let mut clusters = kubeconfig.clusters.iter_mut();
    let mut cluster = clusters.find(|named| named.name == cluster).and_then(|named| named.cluster.as_mut());
    cluster.as_deref_mut().map_or(Ok(()), kubeconfig_files::read_authority)?;
    let mut users = kubeconfig.auth_infos.iter_mut();
    let mut user =
        users.find(|named| Some(&named.name) == user.as_ref()).and_then(|named| named.auth_info.as_mut());
    user.as_deref_mut().map_or(Ok(()), kubeconfig_files::read_identity)?;
    if let Some(cluster) = cluster {
        add_scheme(cluster, user.is_some_and(|user| user.client_certificate_data.is_some()));
    }
    Ok(())
}

/// What is attempted with a kubeconfig.
pub(crate) fn attempted(path: &Path) -> String {
    format!("use the kubeconfig {}", path.display())
}

fn advice(error: &KubeconfigError, contexts: &[String]) -> String {
    match (error, contexts) {
        (KubeconfigError::LoadContext(_) | KubeconfigError::CurrentContextNotSet, []) => {
            "it has no contexts: name another file".to_owned()
        }
        (KubeconfigError::LoadContext(_) | KubeconfigError::CurrentContextNotSet, contexts) => {
            format!("give --context with one of {}", contexts.join(", "))
        }
        _ => "correct it, or name another file".to_owned(),
    }
}

/// A parser quotes what it could not read, and that may be a credential: the error names only the line.
pub(crate) fn explain(error: &KubeconfigError) -> String {
    match error {
        KubeconfigError::ReadConfig(why, _) => in_words(why),
        KubeconfigError::Parse(why) => match (why.location(), form_error(why)) {
            (_, Some(TOO_MANY_VALUES)) => TOO_MANY_VALUES.to_owned(),
            (Some(place), Some(cause)) => format!("line {}: {cause}", place.line()),
            (Some(place), None) => format!("line {} is not what a kubeconfig holds", place.line()),
            (None, Some(cause)) => cause.to_owned(),
            (None, None) => "it is no kubeconfig".to_owned(),
        },
        KubeconfigError::CurrentContextNotSet => "it has no current context".to_owned(),
        KubeconfigError::LoadContext(name) => format!("there is no context {name:?}"),
        KubeconfigError::LoadClusterOfContext(name) => {
            format!("its context names the cluster {name:?}, and there is none of that name")
        }
        KubeconfigError::MissingClusterUrl => "its cluster has no server".to_owned(),
        KubeconfigError::ParseClusterUrl(_) => "its server is no URL".to_owned(),
        KubeconfigError::LoadCertificateAuthority(why) => load("the certificate authority", why),
        KubeconfigError::LoadClientCertificate(why) => load("the client certificate", why),
        KubeconfigError::LoadClientKey(why) => load("the client key", why),
        KubeconfigError::ParseCertificates(_) => "the certificate authority is not PEM".to_owned(),
        other => other.to_string(),
    }
}

fn load(what: &str, error: &LoadDataError) -> String {
    match error {
        LoadDataError::ReadFile(why, path) => {
            format!("{what} {} cannot be read: {}", path.display(), in_words(why))
        }
        LoadDataError::DecodeBase64(_) => format!("{what} is not base64"),
        LoadDataError::NoBase64DataOrFile => format!("{what} is missing"),
    }
}

/// What the system says, without its number.
pub(crate) fn in_words(error: &io::Error) -> String {
    without_number(&error.to_string())
}

/// The service account of the pod that we run in.
pub(crate) fn from_pod() -> Result<Loaded, TestError> {
    let config = Config::incluster().map_err(|why| {
        let why = match why {
            InClusterError::ReadEnvironmentVariable(_) => {
                "this is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set".to_owned()
            }
            InClusterError::ReadDefaultNamespace(_) | InClusterError::ReadCertificateBundle(_) => {
                "the files of the service account are not there".to_owned()
            }
            other => other.to_string(),
        };
        TestError::new("use the pod's service account", why)
            .hint("run in a pod that has one, or name a target with --kubeconfig or --server")
    })?;
    Ok(Loaded { bundle: config.root_cert_file.clone(), config })
}

/// Flags and files go the same way.
pub(crate) async fn from_flags(flags: Flags) -> Result<Loaded, TestError> {
    let bundle = flags.certificate_authority.clone();
    let attempted = format!("use the server {}", without_user(&flags.server));
    if flags.server.trim().is_empty() {
        return Err(TestError::new("use the server", "its URL is blank")
            .hint("give --server a URL such as https://127.0.0.1:6443"));
    }
    if flags.token.as_ref().is_some_and(|token| token.trim().is_empty()) {
        return Err(TestError::new("use the token", "it is empty")
            .hint("give a bearer token, or leave out --token to send none"));
    }
    if flags.server.contains('#') {
        return Err(TestError::new(attempted, "its URL has a fragment")
            .hint("give a URL such as https://127.0.0.1:6443"));
    }
    let mut kubeconfig = as_kubeconfig(flags);
    let config = match read_files(&mut kubeconfig, None) {
        Ok(()) => without_proxy(kubeconfig, &KubeConfigOptions::default()).await,
        Err(why) => Err(why),
    };
    let config = config.map_err(|why| {
        let advice = match why {
            KubeconfigError::LoadCertificateAuthority(_)
            | KubeconfigError::LoadClientCertificate(_)
            | KubeconfigError::LoadClientKey(_)
            | KubeconfigError::ParseCertificates(_) => "name a PEM file that can be read",
            _ => "give a URL such as https://127.0.0.1:6443",
        };
        let why = explain(&why).replace("its server is no URL", "it is no URL");
        TestError::new(attempted, why).hint(advice)
    })?;
    Ok(Loaded { config, bundle })
}

/// A URL as it may be shown: without a user's name and password, even one that is misspelt, and without a query.
pub fn without_user(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (_, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (_, port) = host.rsplit_once(':').unwrap_or_default();
    let is_address =
        !host.is_empty() && !host.contains('%') && port.bytes().all(|byte| byte.is_ascii_digit());
    // A password may hold a slash, and then looks like a port.
    let is_right = is_address && !scheme.is_empty() && (authority.contains('@') || !path.contains('@'));
    let searched = if is_right { authority } else { rest };
    let behind = ["@", "%40"].iter().filter_map(|mark| searched.rfind(mark).map(|at| at + mark.len())).max();
    let bare = &rest[behind.unwrap_or_default()..];
    let (bare, more) = bare.find(['?', '#']).map_or((bare, ""), |at| (&bare[..at], "?…"));
    if scheme.is_empty() { format!("{bare}{more}") } else { format!("{scheme}://{bare}{more}") }
}

fn as_kubeconfig(flags: Flags) -> Kubeconfig {
    let text = |path: Option<PathBuf>| path.map(|path| path.to_string_lossy().into_owned());
    let name = "flags".to_owned();
    let cluster = Cluster {
        server: Some(flags.server),
        insecure_skip_tls_verify: Some(flags.insecure_skip_tls_verify),
        certificate_authority: text(flags.certificate_authority),
        tls_server_name: flags.tls_server_name,
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

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    const KUBECONFIG: &str = "apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: 'https://127.0.0.1:6443'}}]
users: [{name: u, user: {token: s3cr3t-t0ken}}]
";

    /// Reads a kubeconfig with this content.
    fn read(content: &[u8]) -> Result<Loaded, TestError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(from_file(file.path(), None))
    }

    proptest! {
        #[test]
        fn a_kubeconfig_with_changed_bytes_is_read_or_refused_without_its_secret(
            changes in vec((any::<Index>(), any::<u8>()), 1..6),
            end in any::<Index>(),
            truncated: bool,
        ) {
            let mut content = KUBECONFIG.as_bytes().to_vec();
            for (at, byte) in changes {
                let at = at.index(content.len());
                content[at] = byte;
            }
            if truncated {
                content.truncate(end.index(content.len()));
            }
            if let Err(error) = read(&content) {
                prop_assert!(!error.to_string().contains("s3cr3t"), "{}", error);
            }
        }
    }

    #[test]
    fn the_kubeconfig_of_the_property_is_valid() {
        assert_eq!(
            read(KUBECONFIG.as_bytes()).unwrap().config.cluster_url.to_string(),
            "https://127.0.0.1:6443/"
        );
    }

    #[test]
    fn a_plugin_of_an_unknown_version_and_too_many_users_are_named() {
        let with_plugin = |version: &str| {
            let exec = format!("exec: {{command: c, apiVersion: {version}}}");
            let kubeconfig = KUBECONFIG.replace("token: s3cr3t-t0ken", &exec);
            read(kubeconfig.as_bytes()).map(drop).map_err(|why| why.cause)
        };
        assert_eq!(with_plugin("client.authentication.k8s.io/v1beta1"), Ok(()));
        assert!(with_plugin("client.authentication.k8s.io/v1").unwrap_err().contains("no interactiveMode"));
        assert_eq!(with_plugin("client.authentication.k8s.io/v1, interactiveMode: Never"), Ok(()));
        assert!(with_plugin("client.authentication.k8s.io/v9").unwrap_err().contains("io/v9\""));
        assert!(with_plugin("").unwrap_err().contains("no apiVersion"));
        let users = "- {name: x, user: {token: s3cr3t}}\n".repeat(200_000);
        let many = KUBECONFIG.split("users:").next().unwrap().to_owned() + "users:\n" + &users;
        let refused = read(many.as_bytes()).map(drop).unwrap_err();
        assert_eq!(refused.cause, "it has more values than kube-assay reads");
        let deep = format!("users: {}", "[".repeat(100_000));
        for (text, cause) in [(&*deep, "nested too deeply"), ("a:\n  b: 1\n\tc: 2\n", "it has a tab")] {
            let refused = read(text.as_bytes()).map(drop).unwrap_err().cause;
            assert!(refused.starts_with("line ") && refused.contains(cause), "{refused}");
        }
    }

    #[test]
    fn base64_may_have_line_breaks_and_an_authority_excludes_blindness() {
        let with_cluster = |field: &str| {
            let kubeconfig = KUBECONFIG.replace("cluster: {", &format!("cluster: {{{field}, "));
            read(kubeconfig.as_bytes()).map(drop).map_err(|why| why.cause)
        };
        let pem = rcgen::generate_simple_self_signed(["a".to_owned()]).unwrap().cert.pem();
        let base64 = STANDARD.encode(pem);
        let (one, other) = base64.split_at(76);
        let broken = format!("certificate-authority-data: \"{one}\\n{other}\\r\\n\"");
        assert_eq!(with_cluster(&broken), Ok(()));
        let refused = with_cluster(&format!("{broken}, insecure-skip-tls-verify: true")).unwrap_err();
        assert!(refused.contains("insecure-skip-tls-verify, and only one of them"), "{refused}");
    }

    #[test]
    fn a_url_is_shown_without_its_user() {
        assert_eq!(without_user("https://me:secret@host:1/p@q"), "https://host:1/p@q");
        assert_eq!(without_user("https://host:1"), "https://host:1");
        assert_eq!(without_user("me:se@cret@host"), "host");
        assert_eq!(without_user("é"), "é");
        assert_eq!(without_user("https://[::1]:6443/a"), "https://[::1]:6443/a");
        assert_eq!(without_user("https://me:sec/ret@host"), "https://host");
        assert_eq!(without_user("https://me%3Asecret%40host:1"), "https://host:1");
        assert_eq!(without_user("https://host:1?token=secret"), "https://host:1?…");
        for misspelt in ["https//", "https:/", "//", ""] {
            assert_eq!(without_user(&format!("{misspelt}me:secret@host/a?b")), "host/a?…");
        }
        assert_eq!(without_user("https:///me:secret@host"), "https://host");
        for user in ["me:x@y:se/cret", "me:se?cret", "me:se#cret", "me%3Ase/cret", "me:1/cret"] {
            assert_eq!(without_user(&format!("http://{user}@host")), "http://host");
        }
        assert_eq!(without_user("https://host/?token=secret"), "https://host/?…");
    }
}
