//! Presets: named tables of thresholds.

use super::expression::Threshold;
use super::metric::Metric;

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
    /// What every run has to keep, unless the user sets another limit: without it nothing else that was measured counts.
    pub const DEFAULT: Self = Self {
        name: "default",
        official: false,
        source: "kube-assay's own: a run in which little came measures little",
        note: "A threshold of the user's for the same measure takes the place of one of these.",
        rows: &["failed<=1%", "delivered>=99.9%"],
    };

    /// Every preset that a user can name.
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

    /// Those of its thresholds that no given one takes the place of.
    pub fn thresholds_besides(self, given: &[Threshold]) -> Vec<Threshold> {
        let replaced = |own: &Threshold| given.iter().any(|given| replaces(given, own));
        self.thresholds().into_iter().filter(|own| !replaced(own)).collect()
    }
}

/// A limit for every series is one for all of them together.
fn replaces(given: &Threshold, own: &Threshold) -> bool {
    let of_all = given.metric == Metric::Errors && own.metric == Metric::Failed;
    given.selector == own.selector && (given.metric == own.metric || of_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_threshold() {
        for preset in Preset::ALL.into_iter().chain([Preset::DEFAULT]) {
            let read: Vec<String> = preset.thresholds().iter().map(ToString::to_string).collect();
            assert_eq!(read, preset.rows, "{}", preset.name);
            assert_eq!(Preset::named(preset.name), Some(preset).filter(|preset| *preset != Preset::DEFAULT));
        }
        assert_eq!(Preset::named("k8s"), None);
    }
    #[test]
    fn a_threshold_of_the_user_takes_the_place_of_a_default_one() {
        let besides = |given: &str| -> Vec<String> {
            let given = [given.parse().unwrap()];
            Preset::DEFAULT.thresholds_besides(&given).iter().map(ToString::to_string).collect()
        };
        let (failed, delivered) = ("failed<=1%", "delivered>=99.9%");
        assert_eq!(besides("p99<1s"), [failed, delivered]);
        assert_eq!(besides("failed<=50%"), [delivered]);
        assert_eq!(besides("errors<50%"), [delivered]);
        assert_eq!(besides("errors<50% for GET"), [failed, delivered], "it is not about all");
        assert_eq!(besides("delivered>=10%"), [failed]);
    }
}
