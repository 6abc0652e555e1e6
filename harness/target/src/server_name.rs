//! The URLs of requests, and the names in them: a server's certificate may have another name than the host of its address
//! (`tls-server-name` of a kubeconfig), as one of several endpoints behind one name. Requests call it by that name;
//! connections go to its address.

use std::io;
use std::net::IpAddr;

use model::{Request, TestError, url_by_name};
use rustls::pki_types::ServerName;

use crate::access::Access;

/// Refuses what is no host name: the HTTP library asks nobody for the address of an IP address.
pub(crate) fn check(attempted: &str, name: Option<&String>) -> Result<(), TestError> {
    let Some(name) = name else { return Ok(()) };
    let is_address = name.parse::<IpAddr>().is_ok();
    if !is_address && ServerName::try_from(name.as_str()).is_ok() {
        return Ok(());
    }
    let why = format!("its TLS server name {name:?} is no host name");
    Err(TestError::new(attempted, why).hint("give a host name that the server's certificate has"))
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

    /// The name in the server's certificate, if it is not the host of its address.
    pub(crate) fn server_name(&self) -> Option<&str> {
        self.config().tls_server_name.as_deref()
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
        let name = self.server_name().map_or_else(|| self.endpoint().0, str::to_owned);
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
