//! A server whose certificate has another name than the host of its address: what TLS and HTTP call it, and where
//! connections to it go.

use http::Uri;

/// The URL of a server by the name in its certificate.
pub fn url_by_name(address: &str, name: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("https", address));
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let port = port_of(address).map(|port| format!(":{port}")).unwrap_or_default();
    let name = if name.contains(':') { format!("[{name}]") } else { name.to_owned() };
    format!("{scheme}://{name}{port}{path}")
}

/// Host and port of the address of a server with TLS, as in `10.0.0.1:443`.
pub(crate) fn host_and_port(address: &str) -> String {
    let url = address.parse::<Uri>().unwrap_or_default();
    format!("{}:{}", url.host().unwrap_or_default(), port_of(address).unwrap_or(443))
}

fn port_of(address: &str) -> Option<u16> {
    address.parse::<Uri>().ok()?.port_u16()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_the_place_of_the_host() {
        for (address, url, connection) in [
            ("https://10.0.0.1", "https://api.example", "10.0.0.1:443"),
            ("https://10.0.0.1:6443", "https://api.example:6443", "10.0.0.1:6443"),
            ("https://[::1]:6443/k8s", "https://api.example:6443/k8s", "[::1]:6443"),
            ("https://balancer/k8s/a:1", "https://api.example/k8s/a:1", "balancer:443"),
        ] {
            assert_eq!(url_by_name(address, "api.example"), url);
            assert_eq!(host_and_port(address), connection);
        }
        assert_eq!(url_by_name("https://10.0.0.1:6443", "::1"), "https://[::1]:6443");
    }
}
