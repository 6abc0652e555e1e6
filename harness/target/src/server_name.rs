//! The URLs of requests, and the names in them: a server's certificate may have another name than the host of its address
//! (`tls-server-name` of a kubeconfig), as one of several endpoints behind one name. Requests call it by that name;
//! connections go to its address. Where the name is an IP address, requests have the URL of the server
//! (`certificate_address`).

use std::io;

use kube_client::Config;
use model::{Request, TestError, url_by_name};
use rustls::pki_types::ServerName;

use crate::access::Access;
use crate::certificate_address::address_in_certificate;

/// Refuses what no certificate has, and an IP address where the system decides about certificates: its verifier is not
/// ours.
pub(crate) fn check(attempted: &str, config: &Config) -> Result<(), TestError> {
    let Some(name) = &config.tls_server_name else { return Ok(()) };
    if ServerName::try_from(name.as_str()).is_err() {
        let why = format!("its TLS server name {name:?} is neither a host name nor an IP address");
        return Err(TestError::new(attempted, why).hint("give a name that the server's certificate has"));
    }
    let is_verified_by_system = config.root_cert.is_none() && !config.accept_invalid_certs;
    if address_in_certificate(config).is_some() && is_verified_by_system {
        let why =
            format!("its TLS server name {name:?} is an IP address, and no certificate authority is given");
        return Err(TestError::new(attempted, why).hint("name the authority of the server's certificate"));
    }
    Ok(())
}

impl Access {
    /// The URL that requests have: with the name in the server's certificate, without a slash at the end.
    pub fn url(&self) -> String {
        match self.server_name() {
            Some(name) => url_by_name(&self.address(), name),
            None => self.address(),
        }
    }

    /// The URL of a request. A path that a server has sent may lead to another one, which must not get the credential: behind
    /// an address, `@host/` or `.host/` names another host.
    ///
    /// # Errors
    /// The path is none of the server.
    pub(crate) fn url_of(&self, request: &Request) -> Result<String, TestError> {
        let path = request.path_and_query();
        if path.starts_with('/') {
            return Ok(format!("{}{path}", self.url()));
        }
        let action = format!("send {} {path}", request.method);
        Err(TestError::new(action, "this is no path of the server, and may lead to another one"))
    }

    /// The host name in the server's certificate, if it is not the host of its address.
    pub(crate) fn server_name(&self) -> Option<&str> {
        let is_name = |_: &&str| address_in_certificate(self.config()).is_none();
        self.config().tls_server_name.as_deref().filter(is_name)
    }

    /// Host and port that connections go to.
    pub fn endpoint(&self) -> (String, u16) {
        let url = &self.config().cluster_url;
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        (host, url.port_u16().unwrap_or(if self.encrypted() { 443 } else { 80 }))
    }

    /// The name that the server's certificate must have.
    ///
    /// # Errors
    /// TLS knows no such name.
    pub fn name_in_certificate(&self) -> io::Result<ServerName<'static>> {
        let name = self.config().tls_server_name.clone().unwrap_or_else(|| self.endpoint().0);
        ServerName::try_from(name).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubeconfig::Flags;

    #[tokio::test]
    async fn no_path_leads_to_another_server() {
        let access = Access::load(Flags::at("http://host").into()).await.unwrap();
        let url_of = |path: &str| access.url_of(&Request::get(path)).ok();
        assert_eq!(url_of("/api").as_deref(), Some("http://host/api"));
        assert_eq!(url_of("//other/api").as_deref(), Some("http://host//other/api"));
        for path in ["@other/api", ".other/api", "http://other/api", ""] {
            assert_eq!(url_of(path), None, "{path}");
        }
    }
}
