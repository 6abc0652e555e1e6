//! Presets: named tables of thresholds.

use super::expression::Threshold;

/// A named table of thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// Whether it is an official objective of Kubernetes.
    pub official: bool,
    /// The document or project that defines it.
    pub source: &'static str,
    /// Advice for reading its verdicts.
    pub note: &'static str,
    rows: &'static [&'static str],
}

impl Preset {
    /// Every preset.
    #[rustfmt::skip]
    pub const ALL: [Self; 3] = [
        Self {
            name: "k8s-official",
            official: true,
            source: "Kubernetes sig-scalability, slos/api_call_latency.md",
            note: "The objective is about what the server itself spends, without webhooks and queueing. A client always \
                   measures more: what is met here is met there, what is missed here need not be.",
            rows: &[
                "service p99<=1s for writes",
                "service p99<=1s for reads resource",
                "service p99<=30s for reads namespace",
                "service p99<=30s for reads cluster",
            ],
        },
        Self {
            name: "cl2",
            official: false,
            source: "Kubernetes perf-tests, ClusterLoader2, APIResponsivenessPrometheus",
            note: "ClusterLoader2 takes its numbers from the server's metrics and judges p50, p90 and p99 alike. A client \
                   always measures more.",
            rows: &[
                "service p50<=1s for requests resource",
                "service p90<=1s for requests resource",
                "service p99<=1s for requests resource",
                "service p50<=30s for requests namespace",
                "service p90<=30s for requests namespace",
                "service p99<=30s for requests namespace",
                "service p50<=30s for requests cluster",
                "service p90<=30s for requests cluster",
                "service p99<=30s for requests cluster",
                "synced p99<=30s for WATCHLIST",
            ],
        },
        Self {
            name: "watch",
            official: false,
            source: "kube-assay's own: Kubernetes has not given watches a number yet",
            note: "It is meant for at most 20 writes a second, the churn that the official objectives assume.",
            rows: &["lag-sent p99<=1s", "delivered=100%", "lost=0", "repeated=0", "reordered=0", "ended=0"],
        },
    ];

    /// The preset with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name == name)
    }

    /// Its thresholds.
    pub fn thresholds(self) -> Vec<Threshold> {
        self.rows.iter().filter_map(|row| row.parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_threshold() {
        for preset in Preset::ALL {
            let read: Vec<String> = preset.thresholds().iter().map(ToString::to_string).collect();
            assert_eq!(read, preset.rows, "{}", preset.name);
            assert_eq!(Preset::named(preset.name), Some(preset));
        }
        assert_eq!(Preset::named("k8s"), None);
    }
}
