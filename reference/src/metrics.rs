//! /metrics: the metrics of the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};

use crate::api::Call;
use crate::cluster::Cluster;
use crate::health::{self, ENDPOINTS};
use crate::route::{ResourcePath, Verb};

const STABLE: &str = "STABLE";
const BETA: &str = "BETA";
const ALPHA: &str = "ALPHA";

/// The feature gates: the name, the stage (empty after graduation), and whether it is on.
const FEATURES: &[(&str, &str, bool)] = &[
    ("APIResponseCompression", BETA, true),
    ("AllAlpha", ALPHA, false),
    ("AllBeta", BETA, false),
    ("AllowUnsafeMalformedObjectDeletion", ALPHA, false),
    ("ComponentFlagz", BETA, true),
    ("ComponentStatusz", BETA, true),
    ("CustomResourceFieldSelectors", "", true),
    ("WatchList", BETA, true),
];

/// Names and values of labels, in the order of the names.
pub(crate) type Labels = Vec<(&'static str, String)>;

/// A metric with its series.
struct Metric {
    name: &'static str,
    class: &'static str,
    kind: &'static str,
    /// The release that deprecates it; empty if none does.
    deprecated: &'static str,
    help: &'static str,
    series: BTreeMap<Labels, u64>,
}

impl Metric {
    fn gauge(name: &'static str, class: &'static str, help: &'static str) -> Self {
        Self { name, class, kind: "gauge", deprecated: "", help, series: BTreeMap::new() }
    }

    fn counter(name: &'static str, class: &'static str, help: &'static str) -> Self {
        Self { kind: "counter", ..Self::gauge(name, class, help) }
    }

    fn with(self, series: impl IntoIterator<Item = (Labels, u64)>) -> Self {
        Self { series: series.into_iter().collect(), ..self }
    }

    /// The metric as text: nothing without series.
    fn write(&self, text: &mut String) {
        if self.series.is_empty() {
            return;
        }
        let notice = match self.deprecated {
            "" => String::new(),
            release => format!(" (Deprecated since {release})"),
        };
        let Self { name, class, kind, help, .. } = self;
        // Writing to a String cannot fail.
        let _ = write!(text, "# HELP {name} [{class}]{notice} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in &self.series {
            let labels: Vec<String> =
                labels.iter().map(|(label, value)| format!("{label}={value:?}")).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(text, "{name}{labels} {value}");
        }
    }
}

/// The maximum number of combinations of labels: clients choose some of these.
const MOST: usize = 10_000;

/// The number of requests by their labels.
#[derive(Debug, Default)]
pub(crate) struct RequestCounts(Mutex<BTreeMap<Labels, u64>>);

impl RequestCounts {
    /// Counts the response to a request for a resource.
    pub(crate) fn count(&self, call: &Call, verb: Verb, path: &ResourcePath, status: StatusCode) {
        let scope = match () {
            () if !path.name.is_empty() => "resource",
            () if !path.namespace.is_empty() => "namespace",
            () => "cluster",
        };
        let verb = match verb {
            Verb::Create => "POST".to_owned(),
            Verb::Update => "PUT".to_owned(),
            verb => verb.name().to_uppercase(),
        };
        let labels = [
            ("code", status.as_str()),
            ("component", "apiserver"),
            ("dry_run", call.query.first("dryRun")),
            ("group", path.group.as_str()),
            ("resource", path.plural.as_str()),
            ("scope", scope),
            ("subresource", path.subresource.as_str()),
            ("verb", verb.as_str()),
            ("version", path.version.as_str()),
        ];
        self.add(labels.map(|(label, value)| (label, value.to_owned())).into());
    }

    fn add(&self, labels: Labels) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() < MOST || counts.contains_key(&labels) {
            *counts.entry(labels).or_default() += 1;
        }
    }

    fn series(&self) -> BTreeMap<Labels, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The response to GET /metrics.
pub(crate) fn respond(cluster: &Cluster) -> Response {
    let mut text = String::new();
    for metric in all(cluster) {
        metric.write(&mut text);
    }
    let mut response = health::plain_text(StatusCode::OK, text, false);
    let media = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, media);
    response
}

/// All metrics, sorted by name.
fn all(cluster: &Cluster) -> Vec<Metric> {
    let mut metrics = vec![
        Metric::gauge(
            "apiserver_requested_deprecated_apis",
            STABLE,
            "Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
        )
        .with(cluster.deprecated.requested().map(|labels| (labels, 1))),
        Metric::counter(
            "apiserver_request_total",
            STABLE,
            "Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
        )
        .with(cluster.requests.series()),
        Metric {
            deprecated: "1.34.0",
            ..Metric::gauge("apiserver_storage_objects", STABLE, "[DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.")
        }
        .with(objects(cluster).into_iter().map(|(collection, count)| (vec![("resource", collection)], count))),
        Metric::gauge("kubernetes_feature_enabled", BETA, "This metric records the data about the stage and enablement of a k8s feature.")
            .with(FEATURES.iter().map(|(name, stage, on)| (labels([("name", *name), ("stage", *stage)]), u64::from(*on)))),
        Metric::gauge("kubernetes_healthcheck", STABLE, "This metric records the result of a single healthcheck.")
            .with(health_checks(cluster)),
    ];
    // No metric is past its time.
    metrics.push(
        Metric::counter("hidden_metrics_total", BETA, "The count of hidden metrics.").with([(vec![], 0)]),
    );
    let registered = registered(&metrics);
    metrics.push(registered);
    metrics.sort_by_key(|metric| metric.name);
    metrics
}

/// The metric of the number of metrics, which counts itself, too.
fn registered(metrics: &[Metric]) -> Metric {
    let metric = Metric::counter(
        "registered_metrics_total",
        BETA,
        "The count of registered metrics broken by stability level and deprecation version.",
    );
    let mut counts = BTreeMap::new();
    for metric in metrics.iter().chain([&metric]) {
        let labels = labels([("deprecated_version", metric.deprecated), ("stability_level", metric.class)]);
        *counts.entry(labels).or_default() += 1;
    }
    metric.with(counts)
}

/// The number of objects in each stored collection.
fn objects(cluster: &Cluster) -> BTreeMap<String, u64> {
    let types = cluster.registry.all().into_iter().filter(|ty| ty.verbs.contains(&"list"));
    let count = |collection: &str| u64::try_from(cluster.store.all(collection, "").len()).unwrap_or(u64::MAX);
    types.map(|ty| (ty.collection(), count(&ty.collection()))).collect()
}

fn health_checks(cluster: &Cluster) -> impl Iterator<Item = (Labels, u64)> {
    let of = |endpoint: &'static str| {
        let results = cluster.health.results(endpoint);
        results.map(move |(name, passed)| (labels([("name", name), ("type", endpoint)]), u64::from(passed)))
    };
    ENDPOINTS.iter().flat_map(move |endpoint| of(endpoint))
}

fn labels<const N: usize>(labels: [(&'static str, &str); N]) -> Labels {
    labels.map(|(label, value)| (label, value.to_owned())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_combinations_of_labels_are_limited() {
        let counts = RequestCounts::default();
        for number in [0].into_iter().chain(0..=MOST) {
            counts.add(labels([("resource", number.to_string().as_str())]));
        }
        let series = counts.series();
        assert_eq!((series.len(), series[&labels([("resource", "0")])]), (MOST, 2));
    }

    #[test]
    fn a_metric_has_its_class_and_its_notice() {
        let metric = Metric { deprecated: "1.34.0", ..Metric::gauge("a", STABLE, "Text.") };
        let mut text = String::new();
        metric.write(&mut text);
        assert_eq!(text, "", "no series");
        metric.with([(vec![], 1), (labels([("b", "c"), ("d", "")]), 2)]).write(&mut text);
        assert_eq!(
            text,
            "# HELP a [STABLE] (Deprecated since 1.34.0) Text.\n# TYPE a gauge\na 1\na{b=\"c\",d=\"\"} 2\n"
        );
    }
}
