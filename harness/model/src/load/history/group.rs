//! Results that may be compared: the same requests, from the same class of machine, to the same flavour of server.

use std::collections::BTreeMap;

use super::entry::HistoryEntry;
use super::trend::{Trend, trends};
use crate::load::Host;

/// Results of one workload that are alike, in the order of time.
#[derive(Debug)]
pub struct ResultGroup<'a> {
    /// The name of the workload.
    pub workload: &'a str,
    /// Its digest.
    pub digest: &'a str,
    /// The class of the generator's machine: `2 × Xeon, 8 GiB`.
    pub host: String,
    /// The flavour of the server: `k3s`; empty for Kubernetes itself.
    pub flavour: String,
    /// The results, never none.
    pub entries: Vec<&'a HistoryEntry>,
}

/// All results, apart by workload, flavour and host.
pub fn groups(entries: &[HistoryEntry]) -> Vec<ResultGroup<'_>> {
    let mut alike: BTreeMap<_, Vec<&HistoryEntry>> = BTreeMap::new();
    for entry in entries {
        let (workload, host) = (&entry.workload, host_class(&entry.host));
        let key = (&*workload.name, &*workload.digest, flavour(&entry.target.release), host);
        alike.entry(key).or_default().push(entry);
    }
    let groups = alike.into_iter().map(|((workload, digest, flavour, host), mut entries)| {
        entries.sort_by(|one, other| (one.began, &one.run).cmp(&(other.began, &other.run)));
        ResultGroup { workload, digest, host, flavour, entries }
    });
    let mut groups: Vec<ResultGroup> = groups.collect();
    groups.sort_by_key(|group| (group.workload, group.entries.first().map(|first| first.began)));
    groups
}

impl<'a> ResultGroup<'a> {
    /// A trend for each number of each series.
    pub fn trends(&self) -> Vec<Trend> {
        trends(&self.entries)
    }

    /// The newest result.
    pub fn newest(&self) -> Option<&'a HistoryEntry> {
        self.entries.last().copied()
    }

    /// The host, and the flavour if it has a name.
    pub fn place(&self) -> String {
        let host = if self.host.is_empty() { "an unknown host" } else { &self.host };
        if self.flavour.is_empty() { host.to_owned() } else { format!("{host}, {}", self.flavour) }
    }
}

/// Machines of one class measure alike: the kernel may differ, and some memory belongs to firmware.
fn host_class(host: &Host) -> String {
    if *host == Host::default() {
        return String::new();
    }
    let gibibytes = (host.memory + (1 << 29)) >> 30;
    format!("{} × {}, {gibibytes} GiB", host.cores, host.cpu)
}

/// The vendor's suffix of a release: `k3s` of `v1.36.3+k3s1`; empty for Kubernetes itself, its pre-releases and its commits.
fn flavour(release: &str) -> String {
    let suffix = release.split_once(['+', '-']).map_or("", |(_, suffix)| suffix);
    let word = suffix.split(['.', '-', '+']).next().unwrap_or_default();
    let is_hash = word.len() >= 6 && word.chars().all(|c| c.is_ascii_hexdigit());
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let own = is_hash || ["alpha", "beta", "rc", "dirty"].contains(&name);
    if own { String::new() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_have_a_flavour_and_builds_of_kubernetes_have_none() {
        for (release, expected) in [
            ("v1.36.3+k3s1", "k3s"),
            ("v1.33.1-eks-1de2ab1", "eks"),
            ("v1.33.1-gke.1107000", "gke"),
            ("v1.31.0+kcp-v0.26.0", "kcp"),
            ("v1.36.3", ""),
            ("v1.37.0-alpha.2.31+8c1fe0a6d3b1e2", ""),
            ("v1.37.0-12+8c1fe0a6d3b1e2-dirty", ""),
            ("v1.30.4+6c6ed9a", ""),
            ("", ""),
        ] {
            assert_eq!(flavour(release), expected, "{release}");
        }
    }

    #[test]
    fn a_class_of_hosts_ignores_the_kernel_and_a_little_memory() {
        let host = |memory: u64, kernel: &str| {
            host_class(&Host { cores: 2, cpu: "Xeon".to_owned(), kernel: kernel.to_owned(), memory })
        };
        assert_eq!(host(8 << 30, "Linux 6.1"), "2 × Xeon, 8 GiB");
        assert_eq!(host((8 << 30) - (200 << 20), "Linux 6.2"), "2 × Xeon, 8 GiB");
        assert_eq!(host_class(&Host::default()), "");
    }
}
