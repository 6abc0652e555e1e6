//! The scheme of a server that a kubeconfig or a flag names by host and port alone.

use kube_client::config::Cluster;

/// Adds `https://` where kubectl assumes it: the cluster has an authority or accepts any certificate, or the user has a
/// client certificate. Elsewhere kubectl assumes http and keeps the credentials back; kube-assay expects the scheme.
///
/// <https://github.com/kubernetes/client-go/blob/master/rest/url_utils.go>
pub(crate) fn add_scheme(cluster: &mut Cluster, has_client_certificate: bool) {
    let is_encrypted = has_client_certificate
        || cluster.certificate_authority_data.is_some()
        || cluster.insecure_skip_tls_verify == Some(true);
    if let Some(server) = &mut cluster.server
        && is_encrypted
        && is_host_and_port(server)
    {
        server.insert_str(0, "https://");
    }
}

/// Whether a text has no scheme, path, query and user; an encoded user neither.
fn is_host_and_port(server: &str) -> bool {
    let server = server.strip_suffix('/').unwrap_or(server);
    !server.is_empty() && !server.contains(['/', '?', '#', '@', '%'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(server: &str, has_client_certificate: bool) -> Option<String> {
        let mut cluster = Cluster { server: Some(server.to_owned()), ..Cluster::default() };
        add_scheme(&mut cluster, has_client_certificate);
        cluster.server
    }

    #[test]
    fn only_a_host_with_tls_settings_is_completed() {
        for server in ["127.0.0.1:6443", "[::1]:6443", "localhost", "localhost:6443/"] {
            assert_eq!(completed(server, true), Some(format!("https://{server}")));
            assert_eq!(completed(server, false).as_deref(), Some(server));
        }
        for server in ["", "http://host", "host/path", "me:secret@host", "me%40host", "host?a"] {
            assert_eq!(completed(server, true).as_deref(), Some(server));
        }
    }
}
