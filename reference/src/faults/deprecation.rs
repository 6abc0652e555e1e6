//! Faults of deprecated APIs, of versions, and of the metrics about them.

mod documents;
mod texts;

use super::rewrite::increment_version;
use crate::fault::{Edit::*, Fault, RequestFacts, When, When::*, on};

/// The document of all groups, in the form that lists groups only.
const GROUPS: &[When] = &[Path("/apis"), Not(&HeaderHas("accept", "as=APIGroupDiscoveryList"))];
const METRICS: &[When] = &[Path("/metrics")];
/// Reads of autoscalers in v1.
const OLDER_AUTOSCALER: &[When] = &[PathPrefix("/apis/autoscaling/v1/"), Object, Method("GET")];
/// Reads of events in the newer group.
const NEWER_EVENT: &[When] = &[PathPrefix("/apis/events.k8s.io/v1/"), Object, Method("GET")];
const DEPRECATED: When = Any(&[Plural("componentstatuses"), Plural("endpoints")]);

/// A version of a custom type other than v1.
fn is_of_another_version(request: &RequestFacts) -> bool {
    !request.path.contains(".dev/v1/")
}

fn is_of_beta(request: &RequestFacts) -> bool {
    request.path.contains(".dev/v1beta1")
}

/// The document of a custom group.
fn is_custom_group(request: &RequestFacts) -> bool {
    request.path.strip_prefix("/apis/").is_some_and(|group| group.rsplit('.').next() == Some("dev"))
}

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Versions.
    on("deprecation-groups-independently-versioned", "all groups have the versions of all", GROUPS, &[EditJson(documents::share_versions)]),
    on("deprecation-version-tracks", "apps has the version v1-rc1", GROUPS, &[EditJson(documents::add_candidate)]),
    on("deprecation-any-number-of-versions", "only the stored version of a custom type is served", &[Custom, Collection, Method("GET"), Matches(is_of_another_version)], &[Reject(404, "NotFound", "the server could not find the requested resource")]),
    on("deprecation-preferred-version-listed", "the preferred version is not served", GROUPS, &[EditJson(documents::prefer_another)]),
    on("deprecation-preferred-version-order", "versions are in alphabetical order", &[Matches(is_custom_group)], &[EditJson(documents::sort_versions)]),
    on("deprecation-rule-3-beta-not-over-ga", "a warning recommends a beta version instead of v1", &[Plural("configmaps"), List], &[Header("warning", "299 - \"v1 ConfigMap is deprecated in v1.30+; use v2beta1 ConfigMap\"")]),
    on("deprecation-rule-4a-ga", "autoscaling/v1 is gone, because it is deprecated", GROUPS, &[EditJson(documents::remove_older_autoscaling)]),
    on("deprecation-rule-4a-beta", "an API stays that its warning calls unavailable", &[Plural("leases"), List], &[Header("warning", "299 - \"coordination.k8s.io/v1 Lease is deprecated in v1.30+, unavailable in v1.36+\"")]),
    on("deprecation-resource-lives-until-version-ends", "discovery hides endpoints", &[Path("/api/v1")], &[EditJson(documents::hide_endpoints)]),
    // Conversion.
    on("deprecation-rule-2-round-trip-builtin", "writes of autoscaling/v1 drop what only v2 has", &[PathPrefix("/apis/autoscaling/v1/"), Method("PUT")], &[RemoveFromRequest("/metadata/annotations")]),
    on("deprecation-rule-2-round-trip-events", "the two groups have separate events", NEWER_EVENT, &[Reject(404, "NotFound", "not found")]),
    on("deprecation-rule-2-round-trip-custom", "another version has another resourceVersion", &[Custom, Object, Method("GET"), Matches(is_of_beta)], &[EditJson(increment_version)]),
    on("deprecation-rule-2-new-field-representable", "autoscaling/v1 shows nothing of what only v2 has", OLDER_AUTOSCALER, &[Remove("/metadata/annotations")]),
    on("deprecation-field-renamed-in-newer-version", "events.k8s.io has no deprecatedCount", NEWER_EVENT, &[Remove("/deprecatedCount")]),
    // Fields and values.
    on("deprecation-field-lives-until-version-ends", "Pods have no serviceAccount", &[Plural("pods"), Method("POST")], &[Remove("/spec/serviceAccount")]),
    on("deprecation-enum-value-lives-until-version-ends", "the server rejects the address type FQDN", &[Plural("endpointslices"), Method("POST")], &[Reject(422, "Invalid", "addressType: Unsupported value")]),
    // Warnings.
    on("deprecation-warning-header", "the server does not warn of deprecated APIs", &[DEPRECATED], &[WithoutHeader("warning")]),
    on("deprecation-warning-header-format", "warnings have no quotes", &[DEPRECATED], &[Header("warning", "299 - v1 ComponentStatus is deprecated in v1.19+")]),
    on("deprecation-warning-header-all-verbs", "only reads have the warning", &[Custom, Not(&Method("GET"))], &[WithoutHeader("warning")]),
    on("deprecation-warning-crd-version-default-text", "deprecated versions of custom types have no warning", &[Custom], &[WithoutHeader("warning")]),
    on("deprecation-warning-crd-version-custom-text", "the server ignores deprecationWarning", &[Custom, Matches(is_of_beta)], &[Header("warning", "299 - \"v1beta1 Releases is deprecated\"")]),
    // The metric of requested APIs.
    on("deprecation-metric-gauge", "the metric counts requests", METRICS, &[EditText(texts::count_requests)]),
    on("deprecation-metric-labels", "the core group has a name", METRICS, &[ReplaceText("apiserver_requested_deprecated_apis{group=\"\"", "apiserver_requested_deprecated_apis{group=\"core\"")]),
    on("deprecation-metric-removed-release", "removed_release is the release of the deprecation", METRICS, &[ReplaceText("removed_release=\"\"", "removed_release=\"1.19\"")]),
    on("deprecation-metric-crd-version", "the metric has built-in types only", METRICS, &[EditText(texts::omit_custom_types)]),
    // Feature gates.
    on("deprecation-feature-gate-alpha-off", "alpha features are on", METRICS, &[ReplaceText("stage=\"ALPHA\"} 0", "stage=\"ALPHA\"} 1")]),
    on("deprecation-feature-gate-beta-on", "beta features are off", METRICS, &[ReplaceText("stage=\"BETA\"} 1", "stage=\"BETA\"} 0")]),
    on("deprecation-feature-gate-ga", "stable features are off", METRICS, &[ReplaceText("stage=\"\"} 1", "stage=\"\"} 0")]),
    // Metrics.
    on("deprecation-metrics-endpoint", "/metrics is JSON", METRICS, &[Respond(200, "application/json", "{}")]),
    on("deprecation-metrics-stability-classes", "metrics have no stability class", METRICS, &[ReplaceText(" [STABLE] ", " ")]),
    on("deprecation-rule-11b-metric-after-deprecation", "a deprecated metric is gone", METRICS, &[EditText(texts::omit_deprecated)]),
    on("deprecation-metric-deprecated-notice", "deprecated metrics have no notice", METRICS, &[ReplaceText("(Deprecated since 1.34.0) ", "")]),
    on("deprecation-metric-deprecated-still-registered", "deprecated metrics are not registered", METRICS, &[EditText(texts::hide_deprecated)]),
    on("deprecation-metric-hidden", "metrics stay beyond their time", METRICS, &[ReplaceText("(Deprecated since 1.34.0)", "(Deprecated since 1.30.0)")]),
];
