//! Proxies that the environment names: kubectl uses them, kube-assay does not, and warns.

use std::env;
use std::net::IpAddr;

use harness::Access;

use crate::output::remark;

/// Warns that kube-assay reaches the target directly where kubectl would use a proxy.
pub(crate) fn remark_unused(access: &Access) {
    let address = access.address();
    let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(variable) = unused(&address, set) {
        remark(format_args!(
            "warning: {variable} is set, but kube-assay uses no proxy: it connects to {address} itself, unlike kubectl"
        ));
    }
}

/// The variable whose proxy kubectl would use for an address such as `https://host:6443`, by Go's rules.
fn unused(address: &str, set: impl Fn(&str) -> Option<String>) -> Option<&'static str> {
    let (scheme, authority) = address.split_once("://")?;
    let authority = authority.split('/').next().unwrap_or_default();
    let (host, port) = host_and_port(authority);
    let names = if scheme == "https" { ["HTTPS_PROXY", "https_proxy"] } else { ["HTTP_PROXY", "http_proxy"] };
    let named = names.into_iter().find(|name| set(name).is_some())?;
    let ip: Option<IpAddr> = host.parse().ok();
    let own = host == "localhost" || ip.is_some_and(|ip| ip.is_loopback());
    let except = set("NO_PROXY").or_else(|| set("no_proxy")).unwrap_or_default();
    let excepted = except.split(',').any(|except| excepts(except.trim(), host, port, ip));
    (!own && !excepted).then_some(named)
}

/// An address of IPv6 is in brackets.
fn host_and_port(authority: &str) -> (&str, &str) {
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.trim_start_matches(':')),
        None => authority.split_once(':').unwrap_or((authority, "")),
    }
}

/// Whether an entry of `NO_PROXY` matches a host: `*`, a domain, an address or a network, each perhaps with a port.
fn excepts(entry: &str, host: &str, port: &str, ip: Option<IpAddr>) -> bool {
    if entry == "*" || network(entry).is_some_and(|network| ip.is_some_and(|ip| holds(network, ip))) {
        return true;
    }
    let (name, its_port) = if entry.parse::<IpAddr>().is_ok() { (entry, "") } else { host_and_port(entry) };
    let name = name.trim_start_matches('*').to_lowercase();
    let domain = name.trim_start_matches('.');
    let host = host.to_lowercase();
    let inside = host.strip_suffix(domain).is_some_and(|before| before.ends_with('.'));
    let same = host == domain && !name.starts_with('.');
    !domain.is_empty() && (same || inside) && (its_port.is_empty() || its_port == port)
}

fn network(entry: &str) -> Option<(IpAddr, u32)> {
    let (address, length) = entry.split_once('/')?;
    Some((address.parse().ok()?, length.parse().ok()?))
}

/// Whether a network contains an address.
fn holds((network, length): (IpAddr, u32), ip: IpAddr) -> bool {
    let bits = match (network, ip) {
        (IpAddr::V4(network), IpAddr::V4(ip)) => u128::from(network.to_bits() ^ ip.to_bits()) << 96,
        (IpAddr::V6(network), IpAddr::V6(ip)) => network.to_bits() ^ ip.to_bits(),
        _ => return false,
    };
    bits.leading_zeros() >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unused_with(address: &str, set: &[(&str, &str)]) -> Option<&'static str> {
        unused(address, |name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_variable_of_the_scheme_counts() {
        let both = [("HTTPS_PROXY", "http://p:1"), ("http_proxy", "http://p:2")];
        assert_eq!(unused_with("https://a.example:6443", &both), Some("HTTPS_PROXY"));
        assert_eq!(unused_with("http://a.example", &both), Some("http_proxy"));
        assert_eq!(unused_with("http://a.example", &both[..1]), None);
        for own in ["https://localhost:1", "https://127.0.0.1:1", "https://[::1]:1"] {
            assert_eq!(unused_with(own, &both), None, "{own}");
        }
    }

    #[test]
    fn an_exception_needs_no_remark() {
        let unused = |address: &str, except: &str| {
            unused_with(address, &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", except)]).is_some()
        };
        let name = "https://api.corp.example:6443";
        for except in ["*", "x, corp.example", ".corp.example", "api.corp.example:6443", "API.corp.example"] {
            assert!(!unused(name, except), "{except}");
        }
        for except in ["", "orp.example", ".api.corp.example", "api.corp.example:1", "10.0.0.0/8"] {
            assert!(unused(name, except), "{except}");
        }
        assert!(!unused("https://10.1.2.3:6443", "10.0.0.0/8") && !unused("https://[fd00::1]:1", "fd00::/8"));
        assert!(unused("https://11.1.2.3:6443", "10.0.0.0/8") && !unused("https://10.1.2.3", "10.1.2.3"));
    }
}
