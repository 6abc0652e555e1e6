//! A kubeconfig and the files that it names, read once and with a bound.

use std::io::{self, ErrorKind};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube_client::config::{AuthInfo, Cluster, Kubeconfig, KubeconfigError, LoadDataError};
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::input_file::read_input;

/// Reads a kubeconfig, and its fields as they are written; null if it is no single document. What can be read only once, such
/// as a pipe, has no folder that its names are relative to.
pub(crate) fn read(path: &Path) -> Result<(Kubeconfig, Value), KubeconfigError> {
    let bytes = read_input(path).map_err(|why| KubeconfigError::ReadConfig(why, path.to_owned()))?;
    let mut kubeconfig = if path.is_file() {
        Kubeconfig::read_from(path)?
    } else {
        Kubeconfig::from_yaml(&String::from_utf8_lossy(&bytes))?
    };
    drop_empty(&mut kubeconfig, &path.parent().unwrap_or(path).join(""));
    Ok((kubeconfig, serde_saphyr::from_slice(&bytes).unwrap_or_default()))
}

/// Leaves out every empty text, which stands for none. An empty name of a file was read as the folder.
fn drop_empty(kubeconfig: &mut Kubeconfig, folder: &Path) {
    let is_none = |text: &mut String| text.is_empty() || Path::new(text) == folder;
    for cluster in kubeconfig.clusters.iter_mut().filter_map(|named| named.cluster.as_mut()) {
        let Cluster { proxy_url, tls_server_name, certificate_authority, certificate_authority_data, .. } =
            cluster;
        for text in [proxy_url, tls_server_name, certificate_authority, certificate_authority_data] {
            text.take_if(is_none);
        }
    }
    for user in kubeconfig.auth_infos.iter_mut().filter_map(|named| named.auth_info.as_mut()) {
        let AuthInfo { username, token_file, impersonate, impersonate_uid, .. } = user;
        let identity =
            [&mut user.client_certificate, &mut user.client_certificate_data, &mut user.client_key];
        for text in [username, token_file, impersonate, impersonate_uid].into_iter().chain(identity) {
            text.take_if(is_none);
        }
        for secret in [&mut user.password, &mut user.token, &mut user.client_key_data] {
            secret.take_if(|secret| secret.expose_secret().is_empty());
        }
    }
}

/// Puts the content of the authority's file beside its name.
pub(crate) fn read_authority(cluster: &mut Cluster) -> Result<(), KubeconfigError> {
    let content =
        content(cluster.certificate_authority_data.take(), cluster.certificate_authority.as_deref());
    cluster.certificate_authority_data = content.map_err(KubeconfigError::LoadCertificateAuthority)?;
    Ok(())
}

/// Puts the content of the client certificate's file and of its key's beside their names.
pub(crate) fn read_identity(user: &mut AuthInfo) -> Result<(), KubeconfigError> {
    let certificate = content(user.client_certificate_data.take(), user.client_certificate.as_deref());
    user.client_certificate_data = certificate.map_err(KubeconfigError::LoadClientCertificate)?;
    if user.client_certificate_data.is_none() {
        // As for kubectl, a key without a certificate has no effect.
        (user.client_key, user.client_key_data) = (None, None);
    }
    let own = user.client_key_data.take().map(|key| key.expose_secret().to_owned());
    let key = content(own, user.client_key.as_deref());
    user.client_key_data = key.map_err(KubeconfigError::LoadClientKey)?.map(Into::into);
    Ok(())
}

/// What a kubeconfig holds itself, or else its file, in base64; `None` if it has neither.
fn content(own: Option<String>, file: Option<&str>) -> Result<Option<String>, LoadDataError> {
    match (own, file) {
        (None, Some(file)) => {
            let unreadable = |why| LoadDataError::ReadFile(why, file.into());
            let bytes = read_input(Path::new(file)).map_err(unreadable)?;
            if bytes.trim_ascii().is_empty() {
                return Err(unreadable(io::Error::new(ErrorKind::InvalidData, "it is empty")));
            }
            Ok(Some(STANDARD.encode(bytes)))
        }
        (own, _) => Ok(own.map(|own| in_one_line(&own))),
    }
}

/// Base64 without the line breaks that a block of YAML has.
fn in_one_line(base64: &str) -> String {
    base64.replace(['\r', '\n'], "")
}
